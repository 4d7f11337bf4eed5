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

/** The size of the short queue, as a part of that of the long one. */
const PROBATION_SHARE = 1 / 16;
const MAX_DROPPED_KEYS = 10_000;

/**
 * Two queues, as in S3-FIFO: a response starts in a short one, and moves to the long one if it is
 * requested again while it is there or soon after. So responses that are requested once displace
 * none that are requested often, and the memory that they take is soon used again.
 */
export function createResponseCache(maxBytes: number): ResponseCache {
  const probation = new EntryQueue(maxBytes * PROBATION_SHARE);
  const main = new EntryQueue(maxBytes);
  const dropped = new Set<number>();
  const keys = new WeakMap<HttpResponse, string>();
  let newest = -1;
  const advance = (revision: number) => {
    if (revision <= newest) return false;
    probation.clear();
    main.clear();
    newest = revision;
    return true;
  };
  const evict = () => {
    probation.removeExcess((key, entry) => {
      if (entry.isReferenced) main.add(key, entry);
      else rememberDropped(dropped, key);
    });
    main.removeExcess((key, entry) => {
      if (entry.isReferenced) main.add(key, entry);
    });
  };
  const put = (key: string, response: HttpResponse) => {
    const bytes =
      ENTRY_OVERHEAD_BYTES + key.length + (response.body ? countBytes(response.body) : 0);
    if (bytes > maxBytes / 4) return;
    const isKnown = probation.delete(key) || main.delete(key) || dropped.has(hashKey(key));
    const queue = isKnown || bytes > probation.maxBytes ? main : probation;
    queue.add(key, { response, bytes, isReferenced: false });
    keys.set(response, key);
    evict();
  };
  return {
    advanceTo: advance,
    get(key) {
      const entry = main.get(key) ?? probation.get(key);
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
      const key = keys.get(response) ?? '';
      for (const queue of [probation, main]) {
        if (queue.get(key)?.response === response) queue.grow(key, added);
      }
      evict();
    },
  };
}

interface CacheEntry {
  readonly response: HttpResponse;
  bytes: number;
  /** Whether it was read since it was stored or last spared. */
  isReferenced: boolean;
}

/** Entries in the order in which they were added, with their size. */
class EntryQueue {
  private readonly entries = new Map<string, CacheEntry>();
  private bytes = 0;

  constructor(readonly maxBytes: number) {}

  get(key: string): CacheEntry | undefined {
    return this.entries.get(key);
  }

  add(key: string, entry: CacheEntry): void {
    this.entries.set(key, entry);
    this.bytes += entry.bytes;
  }

  delete(key: string): boolean {
    this.bytes -= this.entries.get(key)?.bytes ?? 0;
    return this.entries.delete(key);
  }

  grow(key: string, added: number): void {
    const entry = this.entries.get(key);
    if (!entry) return;
    entry.bytes += added;
    this.bytes += added;
  }

  /** Removes the oldest entries until the others fit; `onRemoved` may add those to be spared. */
  removeExcess(onRemoved: (key: string, entry: CacheEntry) => void): void {
    if (this.bytes <= this.maxBytes) return;
    for (const [key, entry] of this.entries) {
      if (this.bytes <= this.maxBytes) return;
      this.delete(key);
      onRemoved(key, entry);
      entry.isReferenced = false;
    }
  }

  clear(): void {
    this.entries.clear();
    this.bytes = 0;
  }
}

/** Keys may be long, so their hashes are kept. */
function hashKey(key: string): number {
  return Bun.hash.xxHash32(key);
}

function rememberDropped(dropped: Set<number>, key: string): void {
  if (dropped.size >= MAX_DROPPED_KEYS) dropped.clear();
  dropped.add(hashKey(key));
}

/** Roughly what an entry takes besides its key and body. */
const ENTRY_OVERHEAD_BYTES = 4_000;
