const GC_INTERVAL_BYTES = 16 * 1024 * 1024;

/**
 * Runs the garbage collector after so many bytes of new answers. It does not see what blobs and
 * SQLite's texts weigh, and by itself would let a server that reads a lot grow to several times
 * what it holds.
 */
export function createGarbageCollectionTrigger(): (bytes: number) => void {
  let made = 0;
  return (bytes) => {
    made += bytes;
    if (made < GC_INTERVAL_BYTES) return;
    made = 0;
    Bun.gc(true);
  };
}
