import { TenorError } from '../../../../src/client/errors.ts';
import { RecordStream } from '../../../../src/client/fetch-pages.ts';
import { findOwn } from '../../../../src/client/find-own.ts';
import type { AnyDatasetName } from '../../../../src/client/generated.ts';
import { createFileReader } from '../../../../src/client/mirror/file-reader.ts';
import {
  type Manifest,
  type ReadFile,
  readLatest,
  readManifest,
} from '../../../../src/client/mirror/mirror-files.ts';
import { readFileRecords, verifyMirror } from '../../../../src/client/mirror/open-mirror.ts';
import { parseBaseUrl, type TenorOptions } from '../../../../src/client/options.ts';
import type { Verification, VerifyOptions } from '../../../../src/ledger/verify-ledger.ts';
import { type AsOf, resolveAsOf } from '../as-of.ts';
import type { DatasetRecord } from '../dataset.ts';
import { findRevisionAt } from './find-revision-at.ts';

export type MirrorOptions = Pick<TenorOptions, 'timeoutMs' | 'tries' | 'totalMs' | 'fetch'>;

export interface MirrorAsOf {
  /** The number of a revision, an instant, or a day, which means its end in UTC; by default the newest revision. */
  readonly asOf?: AsOf | undefined;
}

/** A Parquet file with records of a dataset. */
export interface MirrorFile {
  readonly url: string;
  /** The month of the last day of its periods, such as `2026-05`; undefined if records have no dates. */
  readonly month: string | undefined;
}

/**
 * What was published, from the files of a mirror: `new Mirror('https://…')`. Every revision of it can
 * be read, and a revision always has the same records. To select among them, query its files with
 * DuckDB, or filter the records.
 */
export class Mirror {
  readonly #read: ReadFile;
  readonly #url: URL;
  readonly #manifests = new Map<number, Promise<Manifest>>();

  constructor(url: string | URL, options: MirrorOptions = {}) {
    this.#read = createFileReader(url, options);
    this.#url = parseBaseUrl(url, 'the address of a mirror');
  }

  /** The newest revision. */
  revision(): Promise<number> {
    return readLatest(this.#read);
  }

  /** The names of the datasets that it has of a revision. */
  async datasets({ asOf }: MirrorAsOf = {}): Promise<string[]> {
    return Object.keys((await this.#getManifest(asOf)).datasets);
  }

  /** The files with the records of a dataset, by month. */
  async files(name: AnyDatasetName, { asOf }: MirrorAsOf = {}): Promise<MirrorFile[]> {
    const { files, months } = getFiles(await this.#getManifest(asOf), name);
    return files.map((path, index) => ({
      url: new URL(path, this.#url).href,
      month: months?.[index],
    }));
  }

  /** The records of a dataset, or those of a month such as `2026-05`: the newest month first. */
  records<T = DatasetRecord>(
    name: AnyDatasetName,
    { asOf, month }: MirrorAsOf & { readonly month?: string | undefined } = {},
  ): RecordStream<T> {
    return new RecordStream(() => this.#readPages<T>(name, asOf, month));
  }

  /** Verifies that the mirror has what was published, as `verify` of a service does. */
  verify(options?: VerifyOptions): Promise<Verification> {
    return verifyMirror(this.#read, options);
  }

  async *#readPages<T>(name: string, asOf: AsOf | undefined, month: string | undefined) {
    const { files, months } = getFiles(await this.#getManifest(asOf), name);
    if (month !== undefined && !months)
      throw new TypeError(`the records of ${name} have no months`);
    const selected = files.filter((_, index) => month === undefined || months?.[index] === month);
    const batches = readFileRecords(this.#read, name, months ? selected.reverse() : selected);
    for await (const records of batches) yield { data: records as readonly unknown[] as T[] };
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
}

function getFiles({ revision, datasets }: Manifest, name: string): Manifest['datasets'][string] {
  const files = findOwn(datasets, name);
  if (files) return files;
  const known = Object.keys(datasets).join(', ');
  const message = `the mirror has no dataset "${name}" at revision ${revision}; it has ${known}`;
  throw new TenorError('not_found', message, { url: `revisions/${revision}`, status: 404 });
}
