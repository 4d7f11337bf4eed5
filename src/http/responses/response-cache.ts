import { createBoundedMap } from '../../shared/memoize.ts';
import { countBodyBytes, type HttpResponse } from './response.ts';

/** Roughly what an entry takes besides its key and body. */
const ENTRY_OVERHEAD_BYTES = 4_000;
const MAX_REQUESTED_KEYS = 20_000;

interface CacheEntry {
  readonly key: string;
  readonly response: HttpResponse;
  bytes: number;
  /** Whether it was read since it was stored or last spared. */
  isReferenced: boolean;
}

/**
 * Responses of the newest revision, and of requests as of earlier ones. A text, which is quickly
 * made, is stored as a blob when it is requested for the second time: most are requested once, and
 * storing them would cost more time and memory than it saves.
 */
export class ResponseCache {
  readonly #entries = new Map<string, CacheEntry>();
  /** The entries of stored responses, and of those that are derived from them. */
  readonly #entriesByResponse = new WeakMap<HttpResponse, CacheEntry>();
  /** Keys may be long, so their hashes are kept. */
  readonly #requestedHashes = createBoundedMap<number, true>(MAX_REQUESTED_KEYS);
  #bytes = 0;
  #revision = -1;

  constructor(private readonly maxBytes: number) {}

  /** The newest revision that is known; -1 before the first. */
  get revision(): number {
    return this.#revision;
  }

  get(key: string): HttpResponse | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    entry.isReferenced = true;
    return entry.response;
  }

  /** Stores a response of the newest revision; others are left out. Returns what is to be sent. */
  set(key: string, response: HttpResponse): HttpResponse {
    return response.revision === this.#revision ? this.setHistorical(key, response) : response;
  }

  /** The same for a response that stays valid for its revision. */
  setHistorical(key: string, response: HttpResponse): HttpResponse {
    const { body } = response;
    if (typeof body === 'string' && !this.#isRepeated(key)) return response;
    const bytes = countEntryBytes(response) + key.length;
    if (bytes > this.maxBytes / 4) return response;
    const stored = typeof body === 'string' ? { ...response, body: new Blob([body]) } : response;
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
    this.#evict(bytes);
    const entry = { key, response: stored, bytes, isReferenced: false };
    this.#entries.set(key, entry);
    this.#entriesByResponse.set(stored, entry);
    this.#bytes += bytes;
    return stored;
  }

  /** Counts memory that a stored response holds besides its body. */
  addBytes(response: HttpResponse, bytes: number): void {
    const entry = this.#entriesByResponse.get(response);
    // It may have been evicted or replaced.
    if (!entry || this.#entries.get(entry.key) !== entry) return;
    entry.bytes += bytes;
    this.#bytes += bytes;
    this.#evict(0);
  }

  /** Counts a response that is derived from a stored one, and held as long as that is, with it. */
  attach(derived: HttpResponse, source: HttpResponse): void {
    const entry = this.#entriesByResponse.get(source);
    if (entry) this.#entriesByResponse.set(derived, entry);
    this.addBytes(derived, countEntryBytes(derived.body === source.body ? NO_BODY : derived));
  }

  /** Empties the cache for a newer revision; false if it is not newer. */
  advanceTo(revision: number): boolean {
    if (revision <= this.#revision) return false;
    this.clear();
    this.#revision = revision;
    return true;
  }

  clear(): void {
    this.#entries.clear();
    this.#bytes = 0;
  }

  #isRepeated(key: string): boolean {
    const hash = Bun.hash.xxHash32(key);
    if (this.#requestedHashes.has(hash)) return true;
    this.#requestedHashes.set(hash, true);
    return false;
  }

  /** The clock algorithm: evicts the oldest entry that was not read since it was last spared. */
  #evict(neededBytes: number): void {
    for (const [key, entry] of this.#entries) {
      if (this.#bytes + neededBytes <= this.maxBytes) break;
      this.#entries.delete(key);
      if (entry.isReferenced) this.#entries.set(key, entry);
      else this.#bytes -= entry.bytes;
      entry.isReferenced = false;
    }
  }
}

const NO_BODY = { body: null };

function countEntryBytes({ body }: Pick<HttpResponse, 'body'>): number {
  return ENTRY_OVERHEAD_BYTES + (body ? countBodyBytes(body) : 0);
}
