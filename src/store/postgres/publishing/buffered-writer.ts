import type { EncodedRow } from '../../publisher.ts';
import type { RowWriter } from '../../sql/session.ts';

/** In a cluster, a statement costs the same for a thousand rows as for one. */
const BUFFERED_ROWS = 10_000;

/** Writes as another writer does, but many rows at a time, however few it is given. */
export function createBufferedWriter(writer: RowWriter): RowWriter {
  let rows: EncodedRow[] = [];
  let repeated: EncodedRow[] = [];
  const flush = async () => {
    const full = rows;
    rows = [];
    if (full.length > 0) repeated.push(...(await writer.write(full)));
  };
  const told = () => {
    const known = repeated;
    repeated = [];
    return known;
  };
  return {
    counts: writer.counts,
    async write(some) {
      // Copied, because the very same row may come again, and both would be taken for the second.
      for (const row of some) rows.push({ ...row });
      if (rows.length >= BUFFERED_ROWS) await flush();
      return told();
    },
    async retire(keys) {
      await flush();
      return writer.retire(keys);
    },
    async retireUnseen() {
      await flush();
      await writer.retireUnseen();
    },
    async flush() {
      await flush();
      const last = await writer.flush();
      return [...told(), ...last];
    },
    waitForPending: writer.waitForPending,
  };
}
