import type { StorageTable } from '../../../schema/storage-table.ts';
import type { RecordKey } from '../../rows.ts';
import { columnsEqualSql } from '../../sql/sql-fragments.ts';
import { createStagedOperations } from '../citus/staged-operations.ts';
import { execute, type SqlExecutor } from '../query.ts';
import {
  createBatchExecutors,
  createColumnArrays,
  createRowKeys,
  toKeys,
} from './batch-executors.ts';
import { createRecordOperations } from './record-operations.ts';

export async function createTableOperations(
  connection: SqlExecutor,
  table: StorageTable,
  revision: number,
  isDistributed: boolean,
) {
  const sql = buildStatements(table, createRowKeys(table).names);
  const executors = createBatchExecutors(connection, table, revision);
  const { executeForKeys } = executors;
  let unmarkedCount = 0;
  for (const statement of sql.createUnmarked) await execute(connection, statement);
  return {
    ...(isDistributed && table.distributionColumn !== undefined
      ? createStagedOperations(connection, table, revision, executors)
      : createRecordOperations(table, revision, executors)),
    /** Records keys that `since` does not mark; in a table, as they may not fit into memory. */
    async addUnmarked(keys: readonly RecordKey[]): Promise<void> {
      await executeForKeys(sql.addUnmarked, keys);
      unmarkedCount += keys.length;
    },
    filterUnmarked: async (keys: readonly RecordKey[]): Promise<RecordKey[]> =>
      unmarkedCount === 0 ? [] : toKeys(await executeForKeys(sql.filterUnmarked, keys)),
    /** Collects the keys that did not come in this revision, in `tenor_absent`. */
    async collectAbsentKeys(): Promise<void> {
      await execute(connection, 'DROP TABLE IF EXISTS tenor_absent');
      await execute(connection, sql.createAbsent, [revision]);
      await execute(connection, sql.removeUnmarkedFromAbsent);
    },
  };
}

/** The placeholders are one array for each column of the keys; then the revision. */
function buildStatements(table: StorageTable, keyNames: readonly string[]) {
  const { currentTable } = table;
  const keys = createColumnArrays(table, keyNames).toUnnestSql('k');
  const keyList = keyNames.join(', ');
  const same = (a: string, b: string) => columnsEqualSql(keyNames, a, b);
  return {
    createUnmarked: [
      'DROP TABLE IF EXISTS tenor_unmarked',
      `CREATE TEMP TABLE tenor_unmarked AS SELECT ${keyList} FROM ${currentTable} WITH NO DATA`,
      `CREATE UNIQUE INDEX tenor_unmarked_key ON tenor_unmarked (${keyList})`,
    ],
    addUnmarked: `INSERT INTO tenor_unmarked SELECT k.* FROM ${keys}`,
    filterUnmarked: `SELECT ${keyNames.map((name) => `k.${name}`).join(', ')} FROM ${keys}
      JOIN tenor_unmarked AS s ON ${same('s', 'k')}`,
    createAbsent: `CREATE TEMP TABLE tenor_absent AS SELECT ${keyList} FROM ${currentTable} WHERE since < $1`,
    removeUnmarkedFromAbsent: `DELETE FROM tenor_absent AS a USING tenor_unmarked AS s WHERE ${same('a', 's')}`,
  };
}
