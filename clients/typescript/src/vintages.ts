import type { RecordOf } from './changes.ts';
import type { RecordStream } from './fetch-pages.ts';
import type { AnyDatasetName } from './generated.ts';
import type { CallOptions } from './options.ts';
import type { TenorResponse } from './response-meta.ts';
import type { VintageMatrix } from './vintage-matrix.ts';

/** The revisions between which a state of a record was valid. */
export interface VintageInterval {
  /** The revision that published this state, and its instant. */
  readonly since: number;
  readonly published: string;
  /** The revision that corrected or retired it, and its instant; null while it is valid. */
  readonly until: number | null;
  readonly withdrawn: string | null;
}

/** A published state of a record; a series has its status too. */
export type Vintage<N extends AnyDatasetName = AnyDatasetName> = RecordOf<N> &
  VintageInterval & { readonly status?: string };

export interface VintagesParameters {
  /** `first` for the first state of each record. */
  readonly release?: 'first' | undefined;
  /** The maximum number of states of a page, 100 by default. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  /** A parameter of the dataset: `symbol`, `from`, a dimension. */
  readonly [parameter: string]: string | number | readonly string[] | undefined;
}

export interface MatrixOptions extends CallOptions {
  /** The measures; by default every field with numbers. Others must be named. */
  readonly measures?: readonly string[] | undefined;
}

/** Every published state of the records of any dataset: like other paged operations. */
export interface Vintages {
  /** One page of at most `limit` states; `meta.hasMore` tells whether there are more. */
  <N extends AnyDatasetName>(
    dataset: N,
    parameters?: VintagesParameters,
    options?: CallOptions,
  ): Promise<TenorResponse<readonly Vintage<N>[]>>;
  /** All pages, of at most `limit` states each, from one revision. */
  pages<N extends AnyDatasetName>(
    dataset: N,
    parameters?: VintagesParameters,
    options?: CallOptions,
  ): AsyncGenerator<TenorResponse<readonly Vintage<N>[]>, void, undefined>;
  /** Every state, from all pages. */
  all<N extends AnyDatasetName>(
    dataset: N,
    parameters?: VintagesParameters,
    options?: CallOptions,
  ): RecordStream<Vintage<N>>;
  /** All of them as a table: a row for each record and measure, a column for each revision. */
  matrix(
    dataset: AnyDatasetName,
    parameters?: VintagesParameters,
    options?: MatrixOptions,
  ): Promise<VintageMatrix>;
}

export const VINTAGES_PATH = '/vintages/{dataset}';
