import type { StorageTable } from '../../../schema/storage-table.ts';
import type { SqlExecutor } from '../query.ts';

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
