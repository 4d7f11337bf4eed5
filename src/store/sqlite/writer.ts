import type { Database } from 'bun:sqlite';
import type { StorageTable } from '../../schema/storage-table.ts';
import { toBatches } from '../batches.ts';
import type { RowChecksum } from '../checksum.ts';
import type { RowWriter } from '../sql/session.ts';
import { withStoreErrors } from './connection.ts';
import { createRowOperations, type RowOutcome } from './row-operations.ts';

/** Writes and retires the records of one table, one by one. */
export function createSqliteWriter(
  database: Database,
  table: StorageTable,
  revision: number,
  checksum: RowChecksum,
): RowWriter {
  const counts = { added: 0, corrected: 0, retired: 0, unchanged: 0 };
  const operations = createRowOperations(database, table, revision, checksum);
  const restoreIndexes = deferIndexes(database, table);
  /** Applies an operation to each item; returns those whose key came earlier. */
  const applyAll = <T>(items: Iterable<T>, apply: (item: T) => RowOutcome): readonly T[] =>
    withStoreErrors(() => {
      const duplicates: T[] = [];
      for (const item of items) {
        const outcome = apply(item);
        if (outcome === 'duplicate') duplicates.push(item);
        else counts[outcome]++;
      }
      return duplicates;
    });
  return {
    counts,
    write: async (rows) => applyAll(rows, operations.write),
    retire: async (keys) => applyAll(keys, operations.retire),
    retireAbsent: async () => {
      for (const keys of toBatches(operations.findAbsentKeys())) applyAll(keys, operations.retire);
    },
    flush: async () => {
      withStoreErrors(restoreIndexes);
      return [];
    },
    waitForPending: async () => undefined,
  };
}

/**
 * Drops the indexes of an empty table until all rows are inserted, which is faster; returns a
 * function that creates them again. DDL is part of the transaction: no reader is without indexes.
 */
function deferIndexes(database: Database, { currentTable }: StorageTable): () => void {
  if (database.query(`SELECT 1 FROM ${currentTable} LIMIT 1`).get()) return () => {};
  const indexes = database
    .query<{ name: string; sql: string }, [string]>(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql <> ''",
    )
    .all(currentTable);
  for (const { name } of indexes) database.run(`DROP INDEX ${name}`);
  return () => {
    for (const { sql } of indexes) database.run(sql);
  };
}
