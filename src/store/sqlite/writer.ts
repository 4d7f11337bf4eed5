import type { Database } from 'bun:sqlite';
import type { StorageTable } from '../../schema/storage-table.ts';
import { toBatches } from '../batches.ts';
import type { RowChecksum } from '../checksum.ts';
import type { EncodedRow, RecordKey } from '../publisher.ts';
import type { RowWriter } from '../sql/session.ts';
import { withStoreErrors } from './connection.ts';
import { deferIndexes } from './defer-indexes.ts';
import { createRowOperations } from './row-operations.ts';

/** Puts and retires the records of one table, one by one. */
export function createSqliteWriter(
  database: Database,
  table: StorageTable,
  revision: number,
  sum: RowChecksum,
): RowWriter {
  const counts = { added: 0, corrected: 0, retired: 0, unchanged: 0 };
  const { put, retire, absent } = createRowOperations(database, table, revision, sum);
  const finishIndexes = deferIndexes(database, table);
  const retireAll = (keys: Iterable<RecordKey>) => {
    const repeated: RecordKey[] = [];
    for (const key of keys) {
      const done = retire(key);
      if (done === 'repeated') repeated.push(key);
      else counts[done]++;
    }
    return repeated;
  };
  return {
    counts,
    write: async (rows) =>
      withStoreErrors(() => {
        const repeated: EncodedRow[] = [];
        for (const row of rows) {
          const done = put(row);
          if (done === 'repeated') repeated.push(row);
          else counts[done]++;
        }
        return repeated;
      }),
    retire: async (keys) => withStoreErrors(() => retireAll(keys)),
    retireUnseen: async () => {
      for (const keys of toBatches(absent())) withStoreErrors(() => retireAll(keys));
    },
    flush: async () => {
      withStoreErrors(finishIndexes);
      return [];
    },
    waitForPending: async () => undefined,
  };
}
