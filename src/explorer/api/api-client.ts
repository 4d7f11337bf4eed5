import { buildUrl } from '../../../clients/typescript/src/build-url.ts';
import { Connection } from '../../../clients/typescript/src/connection.ts';
import { fetchPages } from '../../../clients/typescript/src/fetch-pages.ts';
import { resolveOptions } from '../../../clients/typescript/src/options.ts';
import type { TenorResponse } from '../../../clients/typescript/src/response-meta.ts';
import type { ApiRequest } from './types.ts';

export type { TenorResponse } from '../../../clients/typescript/src/response-meta.ts';

/** Reads from the service with one token, as of one instant. */
export interface ApiClient {
  readonly asOf: string | undefined;
  read<T>(request: ApiRequest): Promise<TenorResponse<T>>;
  readUncached<T>(request: ApiRequest): Promise<TenorResponse<T>>;
  /** Requests another format than JSON. */
  download(request: ApiRequest, mediaType: string): Promise<Response>;
  clearCache(): void;
}

/** The URL of this page, which may be below a path of a reverse proxy. */
export const BASE_URL = new URL('.', location.href.replace(/[?#].*/, ''));

const MAX_CACHED_RECORDS = 200_000;

interface CacheEntry {
  readonly response: Promise<TenorResponse<unknown>>;
  recordCount: number;
}

export function createApiClient(token: string, asOf: string | undefined): ApiClient {
  // No retries here: the page retries by itself, and says so.
  const options = resolveOptions({ baseUrl: BASE_URL, token, tries: 1, timeoutMs: 20_000 });
  const connection = new Connection(options, undefined, asOf ?? '');
  const cache = new Map<string, CacheEntry>();
  const fetchData = ({ path, parameters, allPages }: ApiRequest) => {
    const url = buildUrl(BASE_URL, path, parameters);
    return allPages ? readAllPages(url, connection) : connection.read(url, {});
  };
  const fetchEntry = (key: string, request: ApiRequest): CacheEntry => {
    const entry = { response: fetchData(request), recordCount: 1 };
    entry.response.then(
      ({ data }) => {
        entry.recordCount = Array.isArray(data) ? data.length : 1;
        evictOldest(cache);
      },
      () => cache.delete(key),
    );
    return entry;
  };
  return {
    asOf,
    read<T>(request: ApiRequest) {
      const key = JSON.stringify(request);
      const entry = cache.get(key) ?? fetchEntry(key, request);
      // A map keeps insertion order: the least recently used entry comes first.
      cache.delete(key);
      cache.set(key, entry);
      return entry.response as Promise<TenorResponse<T>>;
    },
    readUncached: <T>(request: ApiRequest) => fetchData(request) as Promise<TenorResponse<T>>,
    download: ({ path, parameters }, mediaType) =>
      connection.open(buildUrl(BASE_URL, path, parameters), mediaType, {}),
    clearCache: () => cache.clear(),
  };
}

function evictOldest(cache: Map<string, CacheEntry>): void {
  let total = 0;
  for (const { recordCount } of cache.values()) total += recordCount;
  for (const [key, { recordCount }] of cache) {
    if (total <= MAX_CACHED_RECORDS || cache.size === 1) return;
    total -= recordCount;
    cache.delete(key);
  }
}

async function readAllPages(first: URL, connection: Connection): Promise<TenorResponse<unknown>> {
  const data: unknown[] = [];
  let last: TenorResponse<unknown> | undefined;
  const read = (url: URL) => connection.read(url, {}) as Promise<TenorResponse<readonly unknown[]>>;
  for await (const page of fetchPages(first, read)) {
    for (const record of page.data) data.push(record);
    last = page;
  }
  if (!last) throw new TypeError('a paginated response has at least one page');
  return { data, meta: last.meta };
}
