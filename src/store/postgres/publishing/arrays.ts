import type { Column, Table } from '../../../derive/table.ts';
import type { Asked } from '../connection.ts';

type Cell = string | number;

/** Rows as one array for each column, which PostgreSQL takes apart again. */
export interface Arrays {
  /** `unnest($1::text[], …) AS name (…)`, to be read from as from a table. */
  as(name: string, firstPlaceholder: number): string;
  values(asked: Asked, rows: readonly (readonly Cell[])[]): unknown[];
}

/** Arrays of the columns with these names; `record` is a text as well. */
export function arraysOf(table: Table, names: readonly string[]): Arrays {
  const types = names.map((name) => typeOf(table.columns, name));
  return {
    as: (name, firstPlaceholder) => {
      const arrays = types.map((type, index) => `$${firstPlaceholder + index}::${type}[]`);
      return `unnest(${arrays.join(', ')}) AS ${name} (${names.join(', ')})`;
    },
    values: (asked, rows) =>
      types.map((type, index) =>
        asked.array(
          rows.map((row) => row[index]),
          type === 'integer' ? 'INTEGER' : 'TEXT',
        ),
      ),
  };
}

function typeOf(columns: readonly Column[], name: string): Column['type'] {
  return columns.find((column) => column.name === name)?.type ?? 'text';
}
