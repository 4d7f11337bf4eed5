import { createBoundedMap } from '../../shared/memoize.ts';
import { countBodyBytes, type HttpResponse } from './response.ts';

/** Responses of the newest revision, and of requests as of earlier ones. */
export type ResponseCache = ReturnType<typeof createResponseCache>;

/** Roughly what an entry takes besides its key and body. */
const ENTRY_OVERHEAD_BYTES = 4_000;
const MAX_REQUESTED_KEYS = 20_000;

/**
 * A text, which is quickly made, is stored as a blob when it is requested for the second time: most
 * are requested once, and storing them would cost more time and memory than it saves.
 */
export function createResponseCache(maxBytes: number) {
  const entries = new ClockQueue<HttpResponse>(maxBytes);
  const keys = new WeakMap<HttpResponse, string>();
  const sources = new WeakMap<HttpResponse, HttpResponse>();
  const isRepeated = createRepetitionCheck();
  let newest = -1;
  /** Empties the cache for a newer revision; false where it is not newer. */
  const advanceTo = (revision: number): boolean => {
    if (revision <= newest) return false;
    entries.clear();
    newest = revision;
    return true;
  };
  /** Stores a response that stays valid for its revision. Returns what is to be sent. */
  const put = (key: string, response: HttpResponse): HttpResponse => {
    const { body } = response;
    if (typeof body === 'string' && !isRepeated(key)) return response;
    const bytes = ENTRY_OVERHEAD_BYTES + key.length + (body ? countBodyBytes(body) : 0);
    if (bytes > maxBytes / 4) return response;
    const stored = typeof body === 'string' ? { ...response, body: new Blob([body]) } : response;
    keys.set(stored, key);
    entries.set(key, stored, bytes);
    return stored;
  };
  /** Counts memory that a stored response holds besides its body. */
  const addBytes = (response: HttpResponse, bytes: number) => {
    const stored = sources.get(response) ?? response;
    const key = keys.get(stored);
    if (key !== undefined) entries.grow(key, stored, bytes);
  };
  return {
    /** The newest revision that is known; -1 before the first. */
    get revision(): number {
      return newest;
    },
    advanceTo,
    get: (key: string) => entries.get(key),
    /** Stores a response of the newest revision; others are left out. */
    set(key: string, response: HttpResponse): HttpResponse {
      if (response.revision === null) return response;
      advanceTo(response.revision);
      return response.revision === newest ? put(key, response) : response;
    },
    setHistorical: put,
    addBytes,
    /** Counts a response that is derived from a stored one, and held as long as that is, with it. */
    attach(derived: HttpResponse, source: HttpResponse) {
      sources.set(derived, source);
      addBytes(derived, ENTRY_OVERHEAD_BYTES + (derived.body ? countBodyBytes(derived.body) : 0));
    },
  };
}

/** Whether a key came before; keys may be long, so their hashes are kept. */
function createRepetitionCheck(): (key: string) => boolean {
  const hashes = createBoundedMap<number, true>(MAX_REQUESTED_KEYS);
  return (key) => {
    const hash = Bun.hash.xxHash32(key);
    if (hashes.has(hash)) return true;
    hashes.set(hash, true);
    return false;
  };
}

/** Evicts by the clock algorithm: the oldest entry that was not read since it was last spared. */
class ClockQueue<T> {
  readonly #entries = new Map<string, ClockEntry<T>>();
  #bytes = 0;

  constructor(readonly maxBytes: number) {}

  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    entry.isReferenced = true;
    return entry.value;
  }

  set(key: string, value: T, bytes: number): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
    this.#evict(bytes);
    this.#entries.set(key, { value, bytes, isReferenced: false });
    this.#bytes += bytes;
  }

  /** Counts more bytes for a value, unless it was evicted or replaced. */
  grow(key: string, value: T, bytes: number): void {
    const entry = this.#entries.get(key);
    if (entry?.value !== value) return;
    entry.bytes += bytes;
    this.#bytes += bytes;
    this.#evict(0);
  }

  clear(): void {
    this.#entries.clear();
    this.#bytes = 0;
  }

  #evict(bytes: number): void {
    for (const [oldest, entry] of this.#entries) {
      if (this.#bytes + bytes <= this.maxBytes) break;
      const { isReferenced } = entry;
      this.#entries.delete(oldest);
      entry.isReferenced = false;
      if (isReferenced) this.#entries.set(oldest, entry);
      else this.#bytes -= entry.bytes;
    }
  }
}

interface ClockEntry<T> {
  readonly value: T;
  bytes: number;
  /** Whether it was read since it was stored or last spared. */
  isReferenced: boolean;
}
