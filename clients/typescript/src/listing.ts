import type { Answer } from './meta.ts';
import type { CallOptions } from './options.ts';
import { pagesFrom, Records } from './pages.ts';

/** An operation that answers with a list, in pages. */
export interface Listing<T, Parameters> {
  /** One answer: as many records as `limit` allows. `meta.next` tells whether there are more. */
  (parameters?: Parameters, options?: CallOptions): Promise<Answer<readonly T[]>>;
  /** Every answer until nothing that matches is left. `limit` is of each. */
  pages(
    parameters?: Parameters,
    options?: CallOptions,
  ): AsyncGenerator<Answer<readonly T[]>, void, undefined>;
  /**
   * Every record that matches, whatever number of answers that takes. `limit` is of each answer.
   * Of quotes, only the newest day matches where no dates are given.
   */
  all(parameters?: Parameters, options?: CallOptions): Records<T>;
}

/** How a listing asks. */
export interface Asking<T, Parameters> {
  url(parameters: Parameters | undefined): URL;
  read(url: URL, options: CallOptions): Promise<Answer<readonly T[]>>;
  /** What is asked for where everything is wanted, and nothing else is said. */
  readonly whole: Parameters;
}

/** Wrong use rejects, like everything else that goes wrong. */
export function listing<T, Parameters>({
  url,
  read,
  whole,
}: Asking<T, Parameters>): Listing<T, Parameters> {
  async function one(parameters?: Parameters, options: CallOptions = {}) {
    return read(url(parameters), options);
  }
  async function* pages(parameters?: Parameters, options: CallOptions = {}) {
    yield* pagesFrom(url({ ...whole, ...parameters }), (page) => read(page, options));
  }
  function all(parameters?: Parameters, options?: CallOptions) {
    return new Records(() => pages(parameters, options));
  }
  return Object.assign(one, { pages, all });
}
