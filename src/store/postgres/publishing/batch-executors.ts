import type { StorageTable } from '../../../schema/storage-table.ts';
import type { EncodedRow, RecordKey } from '../../rows.ts';
import { getKeyColumns } from '../../sql/sql-fragments.ts';
import { execute, type SqlExecutor } from '../query.ts';

export type BatchExecutors = ReturnType<typeof createBatchExecutors>;

/** Executes statements for many keys or rows at once, whose placeholders are arrays. */
export function createBatchExecutors(
  connection: SqlExecutor,
  table: StorageTable,
  revision: number,
) {
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

export function getRowColumns({ columns }: StorageTable): string[] {
  return [...columns.map(({ name }) => name), 'record'];
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
export function createColumnArrays({ columns }: StorageTable, names: readonly string[]) {
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

export function toKeys(rows: readonly object[]): RecordKey[] {
  return rows.map((row) => Object.values(row));
}
