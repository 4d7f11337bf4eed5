import type { StorageColumn, StorageTable } from '../../../schema/storage-table.ts';
import type { SqlExecutor } from '../connection.ts';

type ColumnValue = string | number;

/** Rows as one array for each column, which PostgreSQL takes apart again. */
export interface ColumnArrays {
  /** `unnest($1::text[], …) AS name (…)`, to be read from as from a table. */
  toUnnestSql(name: string, firstPlaceholder: number): string;
  values(executor: SqlExecutor, rows: readonly (readonly ColumnValue[])[]): unknown[];
}

/** Arrays of the columns with these names; `record` is a text as well. */
export function createColumnArrays(table: StorageTable, names: readonly string[]): ColumnArrays {
  const types = names.map((name) => getColumnType(table.columns, name));
  return {
    toUnnestSql: (name, firstPlaceholder) => {
      const arrays = types.map((type, index) => `$${firstPlaceholder + index}::${type}[]`);
      return `unnest(${arrays.join(', ')}) AS ${name} (${names.join(', ')})`;
    },
    values: (executor, rows) =>
      types.map((type, index) =>
        executor.array(
          rows.map((row) => row[index]),
          type === 'integer' ? 'INTEGER' : 'TEXT',
        ),
      ),
  };
}

function getColumnType(columns: readonly StorageColumn[], name: string): StorageColumn['type'] {
  return columns.find((column) => column.name === name)?.type ?? 'text';
}
