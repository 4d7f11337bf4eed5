import type { Database } from 'bun:sqlite';
import type { Table } from '../../derive/table.ts';
import { batched } from '../batches.ts';
import type { RowSum } from '../checksum.ts';
import type { Writer } from '../sql/session.ts';
import type { Key, Row } from '../store.ts';
import { reaching } from './connection.ts';
import { indexesLater } from './indexes.ts';
import { singly } from './singly.ts';

/** Puts and retires the records of one table, one by one. */
export function writerOf(database: Database, table: Table, revision: number, sum: RowSum): Writer {
  const counts = { added: 0, corrected: 0, retired: 0, unchanged: 0 };
  const { put, retire, absent } = singly(database, table, revision, sum);
  const finishIndexes = indexesLater(database, table);
  const retireAll = (keys: Iterable<Key>) => {
    const repeated: Key[] = [];
    for (const key of keys) {
      const done = retire(key);
      if (done === 'repeated') repeated.push(key);
      else counts[done]++;
    }
    return repeated;
  };
  return {
    counts,
    put: async (rows) =>
      reaching(() => {
        const repeated: Row[] = [];
        for (const row of rows) {
          const done = put(row);
          if (done === 'repeated') repeated.push(row);
          else counts[done]++;
        }
        return repeated;
      }),
    retire: async (keys) => reaching(() => retireAll(keys)),
    retireRest: async () => {
      for (const keys of batched(absent())) reaching(() => retireAll(keys));
    },
    finish: async () => {
      reaching(finishIndexes);
      return [];
    },
    settled: async () => undefined,
  };
}
