import { countBytes, type HttpResponse } from './response.ts';
import { TwoQueueCache } from './two-queue-cache.ts';

/** Responses of the newest revision, and of requests as of earlier ones. */
export interface ResponseCache {
  get(key: string): HttpResponse | undefined;
  /** Stores a response of the newest revision; others are left out. */
  set(key: string, response: HttpResponse): void;
  /** Stores a response that stays valid for its revision. */
  setHistorical(key: string, response: HttpResponse): void;
  /** Counts memory that a stored response holds besides its body. */
  addBytes(response: HttpResponse, bytes: number): void;
  /** Empties the cache for a newer revision; false where it is not newer. */
  advanceTo(revision: number): boolean;
}

/** Roughly what an entry takes besides its key and body. */
const ENTRY_OVERHEAD_BYTES = 4_000;

export function createResponseCache(maxBytes: number): ResponseCache {
  const cache = new TwoQueueCache<HttpResponse>(maxBytes);
  const keys = new WeakMap<HttpResponse, string>();
  let newest = -1;
  const advanceTo = (revision: number) => {
    if (revision <= newest) return false;
    cache.clear();
    newest = revision;
    return true;
  };
  const put = (key: string, response: HttpResponse) => {
    const bodyBytes = response.body ? countBytes(response.body) : 0;
    const bytes = ENTRY_OVERHEAD_BYTES + key.length + bodyBytes;
    if (bytes > maxBytes / 4) return;
    keys.set(response, key);
    cache.set(key, response, bytes);
  };
  return {
    advanceTo,
    get(key) {
      const response = cache.get(key);
      // What was requested twice may be requested often.
      if (typeof response?.body === 'string') response.body = new Blob([response.body]);
      return response;
    },
    set(key, response) {
      if (response.revision === null) return;
      advanceTo(response.revision);
      if (response.revision === newest) put(key, response);
    },
    setHistorical: put,
    addBytes(response, bytes) {
      const key = keys.get(response);
      if (key !== undefined) cache.addBytes(key, response, bytes);
    },
  };
}
