import { buildUrl } from '../../../clients/typescript/src/build-url.ts';
import { Connection } from '../../../clients/typescript/src/connection.ts';
import { fetchPages } from '../../../clients/typescript/src/fetch-pages.ts';
import { resolveOptions } from '../../../clients/typescript/src/options.ts';
import type { TenorResponse } from '../../../clients/typescript/src/response-meta.ts';
import type { ApiRequest } from './types.ts';

export type { TenorResponse } from '../../../clients/typescript/src/response-meta.ts';

export type ApiClient = ReturnType<typeof createApiClient>;

/** The URL of this page, which may be below a path of a reverse proxy. */
export const BASE_URL = new URL('.', location.href.replace(/[?#].*/, ''));

const MAX_CACHED_RESPONSES = 200;

/** Reads from the service with one token, as of one instant. */
export function createApiClient(token: string, asOf: string | undefined) {
  // No retries here: the page retries by itself, and says so.
  const options = resolveOptions({ baseUrl: BASE_URL, token, tries: 1, timeoutMs: 20_000 });
  const connection = new Connection(options).withInstant(asOf ?? '');
  const cache = new Map<string, Promise<TenorResponse<unknown>>>();
  let revision: number | undefined;
  const fetchData = ({ path, parameters, allPages }: ApiRequest) => {
    const url = buildUrl(BASE_URL, path, parameters);
    return allPages ? readAllPages(url, connection) : connection.read(url, {});
  };
  const readCached = (request: ApiRequest) => {
    const key = JSON.stringify(request);
    const response = cache.get(key) ?? fetchData(request);
    response.catch(() => cache.delete(key));
    // A map keeps insertion order: the least recently used response comes first.
    cache.delete(key);
    cache.set(key, response);
    const [oldest = key] = cache.keys();
    if (cache.size > MAX_CACHED_RESPONSES) cache.delete(oldest);
    return response;
  };
  return {
    asOf,
    async read<T>(request: ApiRequest) {
      const response = await readCached(request);
      if ((response.meta.revision ?? 0) >= (revision ?? 0)) return response as TenorResponse<T>;
      // It was requested together with the catalogue, which is of a later revision.
      cache.delete(JSON.stringify(request));
      return readCached(request) as Promise<TenorResponse<T>>;
    },
    readUncached: <T>(request: ApiRequest) => fetchData(request) as Promise<TenorResponse<T>>,
    /** Requests another format than JSON. */
    download: ({ path, parameters }: ApiRequest, mediaType: string) =>
      connection.open(buildUrl(BASE_URL, path, parameters), mediaType, {}),
    /** Opens the stream of revisions after the current one. */
    openEvents(signal: AbortSignal) {
      const lastRevision = asOf === undefined ? revision : undefined;
      return connection.openEvents(buildUrl(BASE_URL, '/events'), lastRevision, signal);
    },
    /** Forgets the responses of another revision, if there was one. */
    setRevision(newRevision: number) {
      if (revision !== undefined && revision !== newRevision) cache.clear();
      revision = newRevision;
    },
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
  if (!last) throw new TypeError('a paginated response has at least one page');
  return { data, meta: last.meta };
}
