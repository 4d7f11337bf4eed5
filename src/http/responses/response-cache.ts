import { countBytes, type HttpResponse } from './response.ts';

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

/** Evicts by the clock algorithm: the oldest entry that was not read since it was last spared. */
export function createResponseCache(maxBytes: number): ResponseCache {
  const entries = new Map<string, CacheEntry>();
  let bytes = 0;
  let newest = -1;
  const advance = (revision: number) => {
    if (revision <= newest) return false;
    entries.clear();
    bytes = 0;
    newest = revision;
    return true;
  };
  const evict = (size: number) => {
    for (const [oldest, entry] of entries) {
      if (bytes + size <= maxBytes) break;
      const { isReferenced } = entry;
      entries.delete(oldest);
      entry.isReferenced = false;
      if (isReferenced) entries.set(oldest, entry);
      else bytes -= entry.bytes;
    }
  };
  const keys = new WeakMap<HttpResponse, string>();
  const put = (key: string, response: HttpResponse) => {
    const size =
      ENTRY_OVERHEAD_BYTES + key.length + (response.body ? countBytes(response.body) : 0);
    if (size > maxBytes / 4) return;
    bytes -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
    evict(size);
    entries.set(key, { response, bytes: size, isReferenced: false });
    keys.set(response, key);
    bytes += size;
  };
  return {
    advanceTo: advance,
    get(key) {
      const entry = entries.get(key);
      if (!entry) return undefined;
      entry.isReferenced = true;
      const { response } = entry;
      // What was requested twice may be requested often.
      if (typeof response.body === 'string') response.body = new Blob([response.body]);
      return response;
    },
    set(key, response) {
      if (response.revision === null) return;
      advance(response.revision);
      if (response.revision === newest) put(key, response);
    },
    setHistorical: put,
    addBytes(response, added) {
      const entry = entries.get(keys.get(response) ?? '');
      if (entry?.response !== response) return;
      entry.bytes += added;
      bytes += added;
      evict(0);
    },
  };
}

interface CacheEntry {
  readonly response: HttpResponse;
  bytes: number;
  /** Whether it was read since it was stored or last spared. */
  isReferenced: boolean;
}

/** Roughly what an entry takes besides its key and body. */
const ENTRY_OVERHEAD_BYTES = 4_000;
