import { buildUrl } from '../../../clients/typescript/src/build-url.ts';
import { Connection } from '../../../clients/typescript/src/connection.ts';
import { fetchPages } from '../../../clients/typescript/src/fetch-pages.ts';
import { resolveOptions } from '../../../clients/typescript/src/options.ts';
import type { TenorResponse } from '../../../clients/typescript/src/response-meta.ts';
import type { ApiRequest } from './api-request.ts';
import { createLruCache } from './lru-cache.ts';

export type { TenorResponse } from '../../../clients/typescript/src/response-meta.ts';
export type { ApiRequest } from './api-request.ts';

/** Asks the service with one token, of one instant. Answers are kept until they are forgotten. */
export interface ApiClient {
  readonly asOf: string | undefined;
  read<T>(request: ApiRequest): Promise<TenorResponse<T>>;
  /** Asks the service itself, whatever is kept. */
  readUncached<T>(request: ApiRequest): Promise<TenorResponse<T>>;
  /** The answer as a file. */
  download(request: ApiRequest, mediaType: string): Promise<Response>;
  /** Asks anew from here on; what has not changed costs no more than the question. */
  clearCache(): void;
}

/** The address that this page came from: the service may stand behind a path of somebody else's. */
export const BASE_URL = new URL('.', location.href.replace(/[?#].*/, ''));

/** How many records are kept, in answers that were given last. */
const MAX_CACHED_RECORDS = 200_000;

export function createApiClient(token: string, asOf: string | undefined): ApiClient {
  // The page itself tries again, and says so.
  const settings = resolveOptions({ baseUrl: BASE_URL, token, tries: 1, timeoutMs: 20_000 });
  const connection = new Connection(settings, undefined, asOf ?? '');
  const kept = createLruCache<Promise<TenorResponse<unknown>>>(MAX_CACHED_RECORDS);
  const ask = ({ path, parameters, allPages }: ApiRequest): Promise<TenorResponse<unknown>> => {
    const url = buildUrl(BASE_URL, path, parameters);
    return allPages ? readAllPages(url, connection) : connection.read(url, {});
  };
  return {
    asOf,
    read<T>(request: ApiRequest): Promise<TenorResponse<T>> {
      const key = JSON.stringify(request);
      const known = kept.get(key);
      if (known) return known as Promise<TenorResponse<T>>;
      const asked = ask(request);
      kept.set(key, asked);
      asked.then(
        ({ data }) => kept.setWeight(key, Array.isArray(data) ? data.length : 1),
        () => kept.delete(key),
      );
      return asked as Promise<TenorResponse<T>>;
    },
    readUncached: <T>(question: ApiRequest) => ask(question) as Promise<TenorResponse<T>>,
    download: ({ path, parameters }, mediaType) =>
      connection.open(buildUrl(BASE_URL, path, parameters), mediaType, {}),
    clearCache: () => kept.clear(),
  };
}

async function readAllPages(first: URL, connection: Connection): Promise<TenorResponse<unknown>> {
  const data: unknown[] = [];
  let last: TenorResponse<unknown> | undefined;
  const read = (url: URL) => connection.read(url, {}) as Promise<TenorResponse<readonly unknown[]>>;
  for await (const page of fetchPages(first, read)) {
    for (const record of page.data) data.push(record);
    last = page;
  }
  if (!last) throw new TypeError('a walk has at least one page');
  return { data, meta: last.meta };
}
