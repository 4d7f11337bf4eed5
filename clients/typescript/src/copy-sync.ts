import { bufferResponse } from '../../../src/client/buffer-response.ts';
import { TenorError } from '../../../src/client/errors.ts';
import { findOwn } from '../../../src/client/find-own.ts';
import { type AnyDatasetName, RECORD_ORDERS } from '../../../src/client/generated.ts';
import { parseCursor } from '../../../src/client/response-meta.ts';
import type { Changes } from './changes.ts';
import { type CopyState, readCopy, writeCopy } from './copy-file.ts';
import { COPY_FORMATS, type CopyFormat, mergeChanges, type RecordOrder } from './copy-format.ts';
import type { AllParameters, OperationRecord, Parameters } from './operation-types.ts';
import type { PagedOperation } from './paged-operation.ts';

/** The outcome of a synchronisation. */
export interface SyncResult {
  readonly revision: number;
  /** The number of changes that were applied; undefined if the whole dataset was copied. */
  readonly changes: number | undefined;
}

/** The reads of a client that a copy is made of. */
export interface CopySource {
  readonly changes: Changes;
  readonly revisions: PagedOperation<OperationRecord<'revisions'>, Parameters<'revisions'>>;
  export(dataset: AnyDatasetName, format: CopyFormat['name']): Promise<Response>;
  download(
    name: 'changes',
    format: CopyFormat['name'],
    parameters: AllParameters<'changes'>,
  ): Promise<Response>;
}

/** The largest page. */
const PAGE_SIZE = 10_000;
const MAX_COPY_BYTES = 1_073_741_824;

/**
 * Makes a file the newest copy of a dataset: CSV or NDJSON, byte for byte the export of its
 * revision. Later calls apply the changes of quotes, securities and funds, and copy any other
 * dataset again only if it changed. The file is replaced in one step, so that a crash leaves the
 * old copy. Everything is copied again if the file, or the database of the service, is another
 * one.
 */
export class CopySync {
  readonly #source: CopySource;
  readonly #dataset: AnyDatasetName;
  readonly #path: string;
  readonly #format: CopyFormat;

  constructor(source: CopySource, dataset: AnyDatasetName, path: string) {
    const format = COPY_FORMATS.find(({ name }) => path.endsWith(`.${name}`));
    if (!format) throw new TypeError(`path must end in .csv or .ndjson, not ${path}`);
    this.#source = source;
    this.#dataset = dataset;
    this.#path = path;
    this.#format = format;
  }

  /** `onReplaced` is called if the database was replaced by one with fewer revisions. */
  async run(onReplaced: () => void): Promise<SyncResult> {
    const copy = await readCopy(this.#dataset, this.#path);
    if (!copy) return this.#copyAll();
    const { revision: since, lastChange } = copy.state;
    const first = await this.#readFirstChange(since);
    if (!first) {
      onReplaced();
      return this.#copyAll();
    }
    if ((await this.#identifyRevision(since)) !== lastChange) return this.#copyAll();
    return this.#applyChanges(copy, first.meta.revision ?? since, first.data.length > 0);
  }

  /** Undefined if the service has no such revision. */
  #readFirstChange(since: number) {
    const page = this.#source.changes(this.#dataset, { since, limit: 1 });
    return page.catch((error: unknown) => {
      if (!(error instanceof TenorError) || error.kind !== 'bad_request') throw error;
      return undefined;
    });
  }

  async #copyAll(): Promise<SyncResult> {
    const response = await bufferResponse(
      () => this.#source.export(this.#dataset, this.#format.name),
      ['a copy of a dataset', MAX_COPY_BYTES],
    );
    const revision = Number(response.headers.get('tenor-revision'));
    await this.#write(await response.text(), revision);
    return { revision, changes: undefined };
  }

  async #applyChanges(
    copy: { readonly state: CopyState; readonly text: string },
    revision: number,
    hasChanges: boolean,
  ): Promise<SyncResult> {
    const order = findOwn<RecordOrder>(RECORD_ORDERS, this.#dataset);
    let merged: ReturnType<typeof mergeChanges> = { text: copy.text, count: 0 };
    if (hasChanges) {
      if (!order) return this.#copyAll();
      const pages = await this.#readChangePages(copy.state.revision, revision);
      merged = mergeChanges(copy.text, pages, this.#format, order);
      if (!merged) return this.#copyAll();
    }
    await this.#write(merged.text, revision);
    return { revision, changes: merged.count };
  }

  async #readChangePages(since: number, until: number): Promise<string[]> {
    const pages: string[] = [];
    let cursor: string | undefined;
    do {
      const parameters = { dataset: this.#dataset, since, until, limit: PAGE_SIZE, cursor };
      const response = await bufferResponse(() =>
        this.#source.download('changes', this.#format.name, parameters),
      );
      pages.push(await response.text());
      cursor = parseCursor(response);
    } while (cursor !== undefined);
    return pages;
  }

  async #write(text: string, revision: number): Promise<void> {
    const lastChange = await this.#identifyRevision(revision);
    await writeCopy(this.#path, text, { dataset: this.#dataset, revision, lastChange });
  }

  /** Number and instant of the last revision of a dataset, up to one that may be another's. */
  async #identifyRevision(revision: number): Promise<string> {
    const { data } = await this.#source.revisions({
      dataset: this.#dataset,
      before: revision + 1,
      limit: 1,
    });
    return data[0] ? `${data[0].revision} ${data[0].publishedAt}` : '';
  }
}
