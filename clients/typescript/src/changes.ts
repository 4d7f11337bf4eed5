import type { RecordStream } from '../../../src/client/fetch-pages.ts';
import type {
  AnyDatasetName,
  ChangesParameters,
  ChangesRecord,
  DatasetName,
  DatasetsReferenceRecord,
  Operations,
} from '../../../src/client/generated.ts';
import type { CallOptions } from '../../../src/client/options.ts';
import type { TenorResponse } from '../../../src/client/response-meta.ts';
import type { DatasetRecord } from './dataset.ts';

type Data<N extends DatasetName> = N extends keyof Operations
  ? Operations[N]['data']
  : DatasetsReferenceRecord;
/** The record of a dataset; the client does not know the fields of those that are declared. */
export type RecordOf<N extends AnyDatasetName> = N extends DatasetName
  ? Data<N> extends readonly (infer T)[]
    ? T
    : Data<N>
  : DatasetRecord;

/** One change to a copy: add or replace the record, or delete it if it was retired. */
export interface Change<N extends AnyDatasetName = DatasetName> {
  readonly change: ChangesRecord['change'];
  readonly record: RecordOf<N>;
}

/** The changes of any dataset since a revision: like other paged operations, with the dataset first. */
export interface Changes {
  /** One page of at most `limit` changes; `meta.revision` is the next `since`. */
  <N extends AnyDatasetName>(
    dataset: N,
    parameters: ChangesParameters,
    options?: CallOptions,
  ): Promise<TenorResponse<readonly Change<N>[]>>;
  /** All pages; each has the revision to go on with in `meta.revision`, and all have the same. */
  pages<N extends AnyDatasetName>(
    dataset: N,
    parameters: ChangesParameters,
    options?: CallOptions,
  ): AsyncGenerator<TenorResponse<readonly Change<N>[]>, void, undefined>;
  /** Every change, from all pages. */
  all<N extends AnyDatasetName>(
    dataset: N,
    parameters: ChangesParameters,
    options?: CallOptions,
  ): RecordStream<Change<N>>;
}
