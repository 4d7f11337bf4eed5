import type { RecordStream } from '../../../src/client/fetch-pages.ts';
import type {
  AnyDatasetName,
  CorrectionsParameters,
  CorrectionsRecord,
  DatasetName,
} from '../../../src/client/generated.ts';
import type { CallOptions } from '../../../src/client/options.ts';
import type { TenorResponse } from '../../../src/client/response-meta.ts';
import type { RecordOf } from './changes.ts';

/** The old and new version of a record; `new` is null if it was retired. */
export interface Correction<N extends AnyDatasetName = DatasetName>
  extends Omit<CorrectionsRecord, 'old' | 'new'> {
  readonly old: RecordOf<N>;
  readonly new: RecordOf<N> | null;
}

/** The corrections of any dataset: like other paged operations, with the dataset first. */
export interface Corrections {
  /** One page of at most `limit` corrections; `meta.hasMore` tells whether there are more. */
  <N extends AnyDatasetName>(
    dataset: N,
    parameters?: CorrectionsParameters,
    options?: CallOptions,
  ): Promise<TenorResponse<readonly Correction<N>[]>>;
  /** All pages, of at most `limit` corrections each. */
  pages<N extends AnyDatasetName>(
    dataset: N,
    parameters?: CorrectionsParameters,
    options?: CallOptions,
  ): AsyncGenerator<TenorResponse<readonly Correction<N>[]>, void, undefined>;
  /** Every matching correction, from all pages. */
  all<N extends AnyDatasetName>(
    dataset: N,
    parameters?: CorrectionsParameters,
    options?: CallOptions,
  ): RecordStream<Correction<N>>;
}
