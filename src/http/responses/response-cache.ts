import type { HttpResponse } from './response.ts';

/** Answers that were given before, as long as their revision stands. */
export interface ResponseCache {
  get(target: string): HttpResponse | undefined;
  set(target: string, response: HttpResponse): void;
  /** Keeps an answer of the past, which may be older than the newest revision. */
  setHistorical(key: string, response: HttpResponse): void;
  /** Counts what an answer holds on to beyond its body, where it is kept. */
  addBytes(response: HttpResponse, bytes: number): void;
  /** Forgets everything when a newer revision is there; true if it was. */
  advanceTo(revision: number): boolean;
}

/**
 * Keeps answers up to so many bytes. When it is full, the oldest that was not asked for since it
 * was last passed over goes. A revision changes what any target answers, so a new one empties it.
 */
export function createResponseCache(mostBytes: number): ResponseCache {
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
  const drop = (target: string) => {
    bytes -= entries.get(target)?.bytes ?? 0;
    entries.delete(target);
  };
  const makeRoom = (size: number) => {
    for (const [oldest, entry] of entries) {
      if (bytes + size <= mostBytes) break;
      const { isReferenced } = entry;
      entries.delete(oldest);
      entry.isReferenced = false;
      if (isReferenced) entries.set(oldest, entry);
      else bytes -= entry.bytes;
    }
  };
  const kept = new WeakMap<HttpResponse, string>();
  const put = (target: string, response: HttpResponse) => {
    const size = ENTRY_OVERHEAD_BYTES + target.length + (response.body?.size ?? 0);
    if (size > mostBytes / 4) return;
    drop(target);
    makeRoom(size);
    entries.set(target, { answer: response, bytes: size, isReferenced: false });
    kept.set(response, target);
    bytes += size;
  };
  return {
    advanceTo: advance,
    get(target) {
      const entry = entries.get(target);
      if (!entry) return undefined;
      entry.isReferenced = true;
      return entry.answer;
    },
    set(target, answer) {
      if (answer.revision === null) return;
      advance(answer.revision);
      // An answer from before the newest revision would bring the past back.
      if (answer.revision === newest) put(target, answer);
    },
    setHistorical: put,
    addBytes(answer, more) {
      const entry = entries.get(kept.get(answer) ?? '');
      if (entry?.answer !== answer) return;
      entry.bytes += more;
      bytes += more;
      makeRoom(0);
    },
  };
}

interface CacheEntry {
  readonly answer: HttpResponse;
  bytes: number;
  /** Whether it was asked for since it was kept or last passed over. */
  isReferenced: boolean;
}

/** Roughly what an entry holds on to beside its target and body. */
const ENTRY_OVERHEAD_BYTES = 4_000;
