import type { Database } from 'bun:sqlite';
import type { StorageTable } from '../../schema/storage-table.ts';

/**
 * Into an empty table, rows go faster without indexes, and an index of all rows at once is made
 * faster than row by row. The schema is part of the transaction: nobody sees it without.
 */
export function deferIndexes(database: Database, { currentTable }: StorageTable): () => void {
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
