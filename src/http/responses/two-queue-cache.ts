/** The size of the short queue, as a part of that of the long one. */
const PROBATION_SHARE = 1 / 16;
const MAX_DROPPED_KEYS = 10_000;

/**
 * Two queues, as in S3-FIFO: a value starts in a short one, and moves to the long one if it is
 * requested again while it is there or soon after. So values that are requested once displace none
 * that are requested often, and the memory that they take is soon used again.
 */
export class TwoQueueCache<T> {
  readonly #probation: EntryQueue<T>;
  readonly #main: EntryQueue<T>;
  /** Keys may be long, so their hashes are kept. */
  readonly #dropped = new Set<number>();

  constructor(maxBytes: number) {
    this.#probation = new EntryQueue(maxBytes * PROBATION_SHARE);
    this.#main = new EntryQueue(maxBytes);
  }

  get(key: string): T | undefined {
    const entry = this.#main.get(key) ?? this.#probation.get(key);
    if (!entry) return undefined;
    entry.isReferenced = true;
    return entry.value;
  }

  set(key: string, value: T, bytes: number): void {
    const isKnown =
      this.#probation.delete(key) || this.#main.delete(key) || this.#dropped.has(hashKey(key));
    const queue = isKnown || bytes > this.#probation.maxBytes ? this.#main : this.#probation;
    queue.add(key, { value, bytes, isReferenced: false });
    this.#evict();
  }

  /** Counts more bytes for a value, unless it was evicted or replaced. */
  addBytes(key: string, value: T, added: number): void {
    for (const queue of [this.#probation, this.#main]) {
      if (queue.get(key)?.value === value) queue.grow(key, added);
    }
    this.#evict();
  }

  clear(): void {
    this.#probation.clear();
    this.#main.clear();
  }

  #evict(): void {
    this.#probation.removeExcess((key, entry) => {
      if (entry.isReferenced) this.#main.add(key, entry);
      else this.#rememberDropped(key);
    });
    this.#main.removeExcess((key, entry) => {
      if (entry.isReferenced) this.#main.add(key, entry);
    });
  }

  #rememberDropped(key: string): void {
    if (this.#dropped.size >= MAX_DROPPED_KEYS) this.#dropped.clear();
    this.#dropped.add(hashKey(key));
  }
}

function hashKey(key: string): number {
  return Bun.hash.xxHash32(key);
}

interface Entry<T> {
  readonly value: T;
  bytes: number;
  /** Whether it was read since it was stored or last spared. */
  isReferenced: boolean;
}

/** Entries in the order in which they were added, with their size. */
class EntryQueue<T> {
  readonly #entries = new Map<string, Entry<T>>();
  #bytes = 0;

  constructor(readonly maxBytes: number) {}

  get(key: string): Entry<T> | undefined {
    return this.#entries.get(key);
  }

  add(key: string, entry: Entry<T>): void {
    this.#entries.set(key, entry);
    this.#bytes += entry.bytes;
  }

  delete(key: string): boolean {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    return this.#entries.delete(key);
  }

  grow(key: string, added: number): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    entry.bytes += added;
    this.#bytes += added;
  }

  /** Removes the oldest entries until the others fit; `onRemoved` may add those to be spared. */
  removeExcess(onRemoved: (key: string, entry: Entry<T>) => void): void {
    if (this.#bytes <= this.maxBytes) return;
    for (const [key, entry] of this.#entries) {
      if (this.#bytes <= this.maxBytes) return;
      this.delete(key);
      onRemoved(key, entry);
      entry.isReferenced = false;
    }
  }

  clear(): void {
    this.#entries.clear();
    this.#bytes = 0;
  }
}
