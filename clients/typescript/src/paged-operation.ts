import { fetchPages, RecordStream } from './fetch-pages.ts';
import type { CallOptions } from './options.ts';
import type { TenorResponse } from './response-meta.ts';

/** An operation that answers with a list, in pages. */
export interface PagedOperation<T, Parameters> {
  /** One answer: as many records as `limit` allows. `meta.next` tells whether there are more. */
  (parameters?: Parameters, options?: CallOptions): Promise<TenorResponse<readonly T[]>>;
  /** Every answer until nothing that matches is left. `limit` is of each. */
  pages(
    parameters?: Parameters,
    options?: CallOptions,
  ): AsyncGenerator<TenorResponse<readonly T[]>, void, undefined>;
  /**
   * Every record that matches, whatever number of answers that takes. `limit` is of each answer.
   * Of quotes, only the newest day matches where no dates are given.
   */
  all(parameters?: Parameters, options?: CallOptions): RecordStream<T>;
}

/** How a listing asks. */
export interface PagedOperationSource<T, Parameters> {
  url(parameters: Parameters | undefined): URL;
  read(url: URL, options: CallOptions): Promise<TenorResponse<readonly T[]>>;
  /** What is asked for where everything is wanted, and nothing else is said. */
  readonly allPagesDefaults: Parameters;
}

/** Wrong use rejects, like everything else that goes wrong. */
export function createPagedOperation<T, Parameters>({
  url,
  read,
  allPagesDefaults,
}: PagedOperationSource<T, Parameters>): PagedOperation<T, Parameters> {
  async function one(parameters?: Parameters, options: CallOptions = {}) {
    return read(url(parameters), options);
  }
  async function* pages(parameters?: Parameters, options: CallOptions = {}) {
    yield* fetchPages(url({ ...allPagesDefaults, ...parameters }), (page) => read(page, options));
  }
  function all(parameters?: Parameters, options?: CallOptions) {
    return new RecordStream(() => pages(parameters, options));
  }
  return Object.assign(one, { pages, all });
}
