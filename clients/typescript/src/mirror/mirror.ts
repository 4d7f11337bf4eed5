import { TenorError } from '../../../../src/client/errors.ts';
import { RecordStream } from '../../../../src/client/fetch-pages.ts';
import { findOwn } from '../../../../src/client/find-own.ts';
import {
  type AnyDatasetName,
  type FundAllocationRecord,
  type HolidaysReferenceRecord,
  PERIOD_UNITS,
  type QuotesRecord,
  RECORD_ORDERS,
  type RevisionsRecord,
} from '../../../../src/client/generated.ts';
import { createFileReader } from '../../../../src/client/mirror/file-reader.ts';
import {
  type DatasetFiles,
  type Manifest,
  openFile,
  type ReadFile,
  readLatest,
  readManifest,
} from '../../../../src/client/mirror/mirror-files.ts';
import {
  type ReadOptions,
  readFileRecords,
  verifyMirror,
} from '../../../../src/client/mirror/open-mirror.ts';
import type { MirrorRecord } from '../../../../src/client/mirror/restore-records.ts';
import type { TenorOptions } from '../../../../src/client/options.ts';
import type { Verification, VerifyOptions } from '../../../../src/ledger/verify-ledger.ts';
import { type AsOf, resolveAsOf } from '../as-of.ts';
import { compareKeys, fold } from '../copy-format.ts';
import type { DatasetRecord } from '../dataset.ts';
import { findRevisionAt } from './find-revision-at.ts';
import {
  type ObservationFilters,
  planObservations,
  type SeriesForm,
} from './select-observations.ts';
import { type QuoteFilters, selectQuotes } from './select-quotes.ts';

export type MirrorOptions = Pick<TenorOptions, 'timeoutMs' | 'tries' | 'totalMs' | 'fetch'>;

export interface MirrorAsOf {
  /** The number of a revision, an instant, or a day, which means its end in UTC; by default the newest revision. */
  readonly asOf?: AsOf | undefined;
}

export interface MirrorQuotesParameters extends QuoteFilters, MirrorAsOf {
  /** The maximum number of records. */
  readonly limit?: number | undefined;
}

export interface MirrorDatasetParameters extends ObservationFilters, MirrorAsOf {
  /** The maximum number of records. */
  readonly limit?: number | undefined;
  /** A dimension: one value or several. */
  readonly [dimension: string]: AsOf | readonly string[] | undefined;
}

/**
 * What was published, from the files of a mirror: `new Mirror('https://…')`. Every revision of it can
 * be read, and a revision always has the same records.
 */
export class Mirror {
  readonly #read: ReadFile;
  readonly #manifests = new Map<number, Promise<Manifest>>();

  constructor(url: string | URL, options: MirrorOptions = {}) {
    this.#read = createFileReader(url, options);
  }

  /** The newest revision. */
  revision(): Promise<number> {
    return readLatest(this.#read);
  }

  /**
   * Quotes of a day or a range of days, by default of the newest day, as a service sends them. By
   * symbols only the months that are needed are read; by ISINs all of them.
   */
  async quotes({ asOf, limit, ...filters }: MirrorQuotesParameters = {}): Promise<QuotesRecord[]> {
    const { files, months = [] } = await this.#find('quotes', asOf);
    const quotes = await selectQuotes(filters, (isSelected, selectRows) => {
      const selected = files.filter((_, index) => isSelected(months[index] ?? '')).reverse();
      const hasRange = (filters.date ?? filters.from ?? filters.to) !== undefined;
      const options = { selectRows, ...(!hasRange && { readAhead: 0 }) };
      return this.#readFiles<QuotesRecord>('quotes', selected, options);
    });
    return limitTo(limit, quotes);
  }

  /**
   * The records of a series or a declared dataset, by period and dimension values, as they were
   * published: without the status that a service adds to those of its own series.
   */
  async dataset<T = DatasetRecord>(
    name: AnyDatasetName,
    { asOf, limit, ...filters }: MirrorDatasetParameters = {},
  ): Promise<T[]> {
    const manifest = await this.#getManifest(asOf);
    const { files, months = [] } = getFiles(manifest, name);
    const plan = planObservations(await this.#describe(name, manifest), filters);
    const selected = files.filter((_, index) => plan.isSelected(months[index] ?? ''));
    if (!plan.isOldestFirst) selected.reverse();
    const records: MirrorRecord[] = [];
    for await (const batch of this.#readFiles(name, selected)) {
      for (const record of plan.select(batch)) records.push(record);
      if (limit !== undefined && records.length >= limit) break;
    }
    return limitTo(limit, records) as T[];
  }

  /** The asset allocation of a fund. An unknown fund is a `TenorError`. */
  async fund(id: string, { asOf }: MirrorAsOf = {}): Promise<FundAllocationRecord> {
    const name = 'fund-allocation';
    const { files } = await this.#find(name, asOf);
    for await (const funds of this.#readFiles<FundAllocationRecord>(name, files)) {
      const fund = funds.find(({ fund_id }) => fold(fund_id) === fold(id));
      if (fund) return fund;
    }
    throw new TenorError('no_record_found', `the mirror has no fund "${id}"`, { url: name });
  }

  /** Every record of a dataset, in the order of exports. */
  records<T = DatasetRecord>(name: AnyDatasetName, { asOf }: MirrorAsOf = {}): RecordStream<T> {
    return new RecordStream(() => this.#readPages<T>(name, asOf));
  }

  /** The revisions whose datasets the mirror has, newest first. */
  async revisions({
    limit = Infinity,
  }: {
    readonly limit?: number;
  } = {}): Promise<RevisionsRecord[]> {
    const { revision, since = 1 } = await this.#getManifest(undefined);
    const found: RevisionsRecord[] = [];
    for (let last = revision; last >= since && found.length < limit; last -= READ_AT_ONCE) {
      const count = Math.min(READ_AT_ONCE, last - since + 1);
      const entries = Array.from({ length: count }, (_, index) => this.#readEntry(last - index));
      for (const entry of await Promise.all(entries)) if (entry) found.push(entry);
    }
    return found.slice(0, limit);
  }

  /** Verifies that the mirror has what was published, as `verify` of a service does. */
  verify(options?: VerifyOptions): Promise<Verification> {
    return verifyMirror(this.#read, options);
  }

  async *#readPages<T>(name: string, asOf: AsOf | undefined) {
    const { files, months } = await this.#find(name, asOf);
    // Holidays are by calendar, others by period: the newest first.
    const isByPeriod = months !== undefined && name !== 'holidays';
    const batches = this.#readFiles<T>(name, isByPeriod ? [...files].reverse() : files);
    if (name === 'holidays') {
      const data: T[] = [];
      for await (const batch of batches) data.push(...batch);
      yield { data: data.sort(compareHolidays as (a: T, b: T) => number) };
    } else for await (const data of batches) yield { data };
  }

  async #readEntry(revision: number): Promise<RevisionsRecord | undefined> {
    try {
      const response = await openFile(this.#read, `revisions/${revision}/entry.json`);
      const entry = (await response.json()) as RevisionsRecord & Record<string, unknown>;
      const { report: _, options: __, salt: ___, changes: ____, ...listed } = entry;
      return listed;
    } catch (cause) {
      if ((cause as TenorError).status !== 404) throw cause;
      return undefined;
    }
  }

  async #find(name: string, asOf: AsOf | undefined): Promise<DatasetFiles> {
    return getFiles(await this.#getManifest(asOf), name);
  }

  async #getManifest(asOf: AsOf | undefined): Promise<Manifest> {
    const resolved = asOf === undefined ? {} : resolveAsOf(asOf);
    const newest = await this.#readManifest(await readLatest(this.#read));
    const getManifest = (revision: number) => this.#readManifest(revision);
    const { acceptDatetime } = resolved;
    if (acceptDatetime !== undefined) return findRevisionAt(acceptDatetime, newest, getManifest);
    const { since = 1 } = newest;
    const { revision = newest.revision } = resolved;
    if (revision >= since && revision <= newest.revision) return this.#readManifest(revision);
    const message = `the mirror has no revision ${revision}; it has ${since} to ${newest.revision}`;
    throw new TenorError('not_found', message, { url: `revisions/${revision}`, status: 404 });
  }

  /** They never change. */
  #readManifest(revision: number): Promise<Manifest> {
    const known = this.#manifests.get(revision);
    if (known) return known;
    const manifest = readManifest(this.#read, revision);
    this.#manifests.set(revision, manifest);
    manifest.catch(() => this.#manifests.delete(revision));
    return manifest;
  }

  /** Series of the service have known periods; others are as their publisher has declared them. */
  async #describe(name: string, manifest: Manifest): Promise<SeriesForm> {
    const unit = findOwn(PERIOD_UNITS, name);
    if (unit !== undefined) return { name, kind: { unit, yearStart: null }, dimensions: [] };
    const { files } = manifest.datasets.datasets ?? { files: [] };
    for await (const declarations of this.#readFiles<Declaration>('datasets', files)) {
      const declared = declarations.find((declaration) => declaration.name === name);
      if (!declared) continue;
      const { period, dimensions } = declared;
      const kind = { unit: period.kind, yearStart: period.yearStart ?? 1 };
      return { name, kind, dimensions: (dimensions ?? []).map(({ field }) => field) };
    }
    throw new TypeError(`${name} is no series: read it with quotes(), fund() or records()`);
  }

  #readFiles<T = MirrorRecord>(
    dataset: string,
    files: DatasetFiles['files'],
    options?: ReadOptions,
  ): AsyncGenerator<T[], void, undefined> {
    const batches = readFileRecords(this.#read, dataset, files, options);
    return batches as AsyncGenerator<unknown[]> as AsyncGenerator<T[], void, undefined>;
  }
}

const READ_AT_ONCE = 8;

interface Declaration {
  readonly name: string;
  readonly period: { readonly kind: SeriesForm['kind']['unit']; readonly yearStart?: number };
  readonly dimensions: readonly { readonly field: string }[] | null;
}

function getFiles({ revision, datasets }: Manifest, name: string): DatasetFiles {
  const files = findOwn(datasets, name);
  if (files) return files;
  const known = Object.keys(datasets).join(', ');
  const message = `the mirror has no dataset "${name}" at revision ${revision}; it has ${known}`;
  throw new TenorError('not_found', message, { url: `revisions/${revision}`, status: 404 });
}

function compareHolidays(a: HolidaysReferenceRecord, b: HolidaysReferenceRecord): number {
  const order = RECORD_ORDERS.holidays;
  const getKey = (holiday: HolidaysReferenceRecord) => order.map(([field]) => holiday[field]);
  return compareKeys(getKey(a), getKey(b), order);
}

function limitTo<T>(limit: number | undefined, records: T[]): T[] {
  if (limit === undefined) return records;
  if (Number.isSafeInteger(limit) && limit >= 1) return records.slice(0, limit);
  throw new TypeError('limit must be a whole number from 1');
}
