import type { RecordStream } from '../../../src/client/fetch-pages.ts';
import type { AnyDatasetName, TransformParameters } from '../../../src/client/generated.ts';
import type { CallOptions } from '../../../src/client/options.ts';
import type { TenorResponse } from '../../../src/client/response-meta.ts';
import type { PagedOperation } from './paged-operation.ts';

/** A record of a declared dataset: a period, dimensions and a status are texts, measures numbers. */
export type DatasetRecord = Readonly<Record<string, string | number | null>>;

export interface DatasetParameters extends TransformParameters {
  /** First period, inclusive, such as `2026-01-31`, `Jan 2026` or `Q1 2026`, or a day in it. */
  readonly from?: string | undefined;
  /** Last period, inclusive. */
  readonly to?: string | undefined;
  /** `desc`, the default, for the newest period first. */
  readonly sort?: 'desc' | 'asc' | undefined;
  /** The maximum number of records of a page, 10,000 by default. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  /** A dimension: one value, or up to 50. */
  readonly [dimension: string]: string | number | readonly string[] | undefined;
}

/**
 * The records of any series or declared dataset by its name. Their type can be given, such as one
 * that was generated from the OpenAPI document of the service.
 */
export interface Datasets {
  /** One page of at most `limit` records; `meta.hasMore` tells whether there are more. */
  <T = DatasetRecord>(
    dataset: AnyDatasetName,
    parameters?: DatasetParameters,
    options?: CallOptions,
  ): Promise<TenorResponse<readonly T[]>>;
  /** All pages, of at most `limit` records each, from one revision. */
  pages<T = DatasetRecord>(
    dataset: AnyDatasetName,
    parameters?: DatasetParameters,
    options?: CallOptions,
  ): AsyncGenerator<TenorResponse<readonly T[]>, void, undefined>;
  /** Every matching record, from all pages. */
  all<T = DatasetRecord>(
    dataset: AnyDatasetName,
    parameters?: DatasetParameters,
    options?: CallOptions,
  ): RecordStream<T>;
}

export const DATASET_PATH = '/datasets/{dataset}';

/** Combines the paged operations of datasets, or of other subjects, with the subject first. */
export function combineBySubject<Subject, T, Parameters>(
  createOperation: (subject: Subject) => PagedOperation<T, Parameters>,
) {
  type Arguments = [parameters?: Parameters, options?: CallOptions];
  return Object.assign(
    (subject: Subject, ...args: Arguments) => createOperation(subject)(...args),
    {
      pages: (subject: Subject, ...args: Arguments) => createOperation(subject).pages(...args),
      all: (subject: Subject, ...args: Arguments) => createOperation(subject).all(...args),
    },
  );
}
