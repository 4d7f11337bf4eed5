import type { StorageTable } from '../../../schema/storage-table.ts';
import type { EncodedRow, RecordKey } from '../../rows.ts';
import { columnsEqualSql, getKeyColumns } from '../../sql/sql-fragments.ts';
import { execute, type SqlExecutor } from '../query.ts';

interface CurrentRow extends EncodedRow {
  readonly key: RecordKey;
  readonly since: number;
}

export async function createTableOperations(
  connection: SqlExecutor,
  table: StorageTable,
  revision: number,
) {
  const { names, fromRow } = createRowKeys(table);
  const sql = buildStatements(table, names);
  const { executeForKeys, executeForRows } = createBatchExecutors(connection, table, revision);
  let unmarkedCount = 0;
  for (const statement of sql.createUnmarked) await execute(connection, statement);
  return {
    /** Inserts the rows whose keys do not exist; returns those keys. */
    insertNew: async (rows: readonly EncodedRow[]) =>
      toKeys(await executeForRows(sql.insert, rows)),
    findCurrent: async (keys: readonly RecordKey[]): Promise<CurrentRow[]> => {
      const rows = await executeForKeys<StoredColumns>(sql.findCurrent, keys);
      return rows.map(({ record: json, since, ...values }) => {
        const row = { columns: Object.values(values) as EncodedRow['columns'], json };
        return { ...row, key: fromRow(row), since };
      });
    },
    /** Copies the records with the rows' keys to the history, and replaces them by the rows. */
    async replaceCurrent(rows: readonly EncodedRow[]): Promise<void> {
      await executeForKeys(sql.copyToHistory, rows.map(fromRow), revision);
      await executeForRows(sql.update, rows);
    },
    async retireCurrent(keys: readonly RecordKey[]): Promise<void> {
      await executeForKeys(sql.copyToHistory, keys, revision);
      await executeForKeys(sql.remove, keys);
    },
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

interface StoredColumns {
  readonly record: string;
  readonly since: number;
}

function createBatchExecutors(connection: SqlExecutor, table: StorageTable, revision: number) {
  const keyArrays = createColumnArrays(table, createRowKeys(table).names);
  const rowArrays = createColumnArrays(table, getRowColumns(table));
  return {
    executeForKeys: async <Row extends object>(
      statement: string,
      keys: readonly RecordKey[],
      ...after: number[]
    ) => {
      if (keys.length === 0) return [];
      const values = [...keyArrays.toValues(connection, keys), ...after];
      return execute<Row>(connection, statement, values);
    },
    executeForRows: async (statement: string, rows: readonly EncodedRow[]) => {
      if (rows.length === 0) return [];
      const cells = rows.map(({ columns, json }) => [...columns, json]);
      return execute(connection, statement, [...rowArrays.toValues(connection, cells), revision]);
    },
  };
}

function toKeys(rows: readonly object[]): RecordKey[] {
  return rows.map((row) => Object.values(row));
}

function getRowColumns({ columns }: StorageTable): string[] {
  return [...columns.map(({ name }) => name), 'record'];
}

/** The placeholders are one array for each column of the keys or rows; then the revision. */
function buildStatements(table: StorageTable, keyNames: readonly string[]) {
  const { currentTable, historyTable } = table;
  const columns = getRowColumns(table);
  const stored = [...columns, 'since'];
  const keys = createColumnArrays(table, keyNames).toUnnestSql('k');
  const rows = createColumnArrays(table, columns).toUnnestSql('r');
  const keyList = keyNames.join(', ');
  const same = (a: string, b: string) => columnsEqualSql(keyNames, a, b);
  const qualify = (alias: string, names: readonly string[]) =>
    names.map((name) => `${alias}.${name}`).join(', ');
  const assignments = columns
    .filter((name) => !keyNames.includes(name))
    .map((name) => `${name} = r.${name}`);
  const rowRevision = `$${columns.length + 1}::integer`;
  return {
    insert: `INSERT INTO ${currentTable} (${stored.join(', ')}) SELECT r.*, ${rowRevision} FROM ${rows}
      ON CONFLICT DO NOTHING RETURNING ${keyList}`,
    findCurrent: `SELECT ${qualify('n', stored)} FROM ${currentTable} AS n
      JOIN ${keys} ON ${same('n', 'k')}`,
    copyToHistory: `INSERT INTO ${historyTable} (${stored.join(', ')}, until)
      SELECT ${qualify('n', stored)}, $${keyNames.length + 1}::integer
      FROM ${currentTable} AS n JOIN ${keys} ON ${same('n', 'k')}`,
    update: `UPDATE ${currentTable} AS n SET ${assignments.join(', ')}, since = ${rowRevision}
      FROM ${rows} WHERE ${same('n', 'r')}`,
    remove: `DELETE FROM ${currentTable} AS n USING ${keys} WHERE ${same('n', 'k')}`,
    createUnmarked: [
      'DROP TABLE IF EXISTS tenor_unmarked',
      `CREATE TEMP TABLE tenor_unmarked AS SELECT ${keyList} FROM ${currentTable} WITH NO DATA`,
      `CREATE UNIQUE INDEX tenor_unmarked_key ON tenor_unmarked (${keyList})`,
    ],
    addUnmarked: `INSERT INTO tenor_unmarked SELECT k.* FROM ${keys}`,
    filterUnmarked: `SELECT ${qualify('k', keyNames)} FROM ${keys}
      JOIN tenor_unmarked AS s ON ${same('s', 'k')}`,
    createAbsent: `CREATE TEMP TABLE tenor_absent AS SELECT ${keyList} FROM ${currentTable} WHERE since < $1`,
    removeUnmarkedFromAbsent: `DELETE FROM tenor_absent AS a USING tenor_unmarked AS s WHERE ${same('a', 's')}`,
  };
}

/** Keys of a table's rows with the distribution column, where it has one. */
export function createRowKeys(table: StorageTable) {
  const names = getKeyColumns(table);
  const indexes = names.map((name) => table.columns.findIndex((column) => column.name === name));
  const distributionColumn = table.columns.find(({ name }) => name === table.distributionColumn);
  return {
    names,
    fromRow: ({ columns }: EncodedRow): RecordKey =>
      indexes.map((index) => columns[index] as string | number),
    fromRecordKey: (key: RecordKey): RecordKey => {
      if (!distributionColumn) return key;
      const values = table.key.map(({ column }, index) => [column, key[index]]);
      return [...key, distributionColumn.getValue(Object.fromEntries(values))];
    },
    toText: (key: RecordKey) => key.join('\0'),
  };
}

/** Rows as one array for each column, which PostgreSQL unnests. */
function createColumnArrays({ columns }: StorageTable, names: readonly string[]) {
  const types = names.map((name) => columns.find((column) => column.name === name)?.type ?? 'text');
  return {
    /** `unnest($1::text[], …) AS alias (…)`, which can be read from like a table. */
    toUnnestSql(alias: string): string {
      const arrays = types.map((type, index) => `$${index + 1}::${type}[]`);
      return `unnest(${arrays.join(', ')}) AS ${alias} (${names.join(', ')})`;
    },
    toValues: (executor: SqlExecutor, rows: readonly (readonly (string | number)[])[]) =>
      types.map((type, index) =>
        executor.array(
          rows.map((row) => row[index]),
          type === 'integer' ? 'INTEGER' : 'TEXT',
        ),
      ),
  };
}
