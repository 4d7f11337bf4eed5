import type { ResponseBody } from '../responses/encode-page.ts';

const GC_INTERVAL_BYTES = 8 * 1024 * 1024;
/** Texts of JavaScript, unlike blobs, are counted by the collector, but late. */
const TEXT_WEIGHT = 1 / 4;

/**
 * The collector does not count blobs, nor what SQLite allocates, so it would run too late by itself.
 * Where nothing must wait for it, it collects while the program continues.
 */
export function createGarbageCollectionTrigger(
  mode: 'now' | 'concurrently',
): (bytes: number) => void {
  let allocated = 0;
  return (bytes) => {
    allocated += bytes;
    if (allocated < GC_INTERVAL_BYTES) return;
    allocated = 0;
    Bun.gc(mode === 'now');
  };
}

/** The weight of a body on the way to the next collection. */
export function weighBody(body: ResponseBody | null): number {
  return typeof body === 'string' ? body.length * TEXT_WEIGHT : (body?.size ?? 0);
}
