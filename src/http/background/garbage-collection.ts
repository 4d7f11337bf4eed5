const GC_INTERVAL_BYTES = 16 * 1024 * 1024;

/**
 * The collector does not count blobs and SQLite's texts, so it would run too late by itself. Where
 * nothing must wait for it, it collects while the program continues.
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
