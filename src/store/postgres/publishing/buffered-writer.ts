import type { EncodedRow } from '../../rows.ts';
import type { RowWriter } from '../../sql/session.ts';

/** In a cluster, a statement costs the same for a thousand rows as for one. */
const BUFFERED_ROWS = 10_000;

/** Collects rows, so that the other writer gets many at a time. */
export function createBufferedWriter(writer: RowWriter): RowWriter {
  let rows: EncodedRow[] = [];
  let duplicates: EncodedRow[] = [];
  const flush = async () => {
    const buffered = rows;
    rows = [];
    if (buffered.length > 0) duplicates.push(...(await writer.write(buffered)));
  };
  const takeDuplicates = () => {
    const taken = duplicates;
    duplicates = [];
    return taken;
  };
  return {
    counts: writer.counts,
    async write(newRows) {
      // Copied, because the same object may come again, and both would count as duplicates.
      for (const row of newRows) rows.push({ ...row });
      if (rows.length >= BUFFERED_ROWS) await flush();
      return takeDuplicates();
    },
    async retire(keys) {
      await flush();
      return writer.retire(keys);
    },
    async retireAbsent() {
      await flush();
      await writer.retireAbsent();
    },
    async flush() {
      await flush();
      const last = await writer.flush();
      return [...takeDuplicates(), ...last];
    },
    waitForPending: writer.waitForPending,
  };
}
