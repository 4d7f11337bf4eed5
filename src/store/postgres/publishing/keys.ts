import type { Table } from '../../../derive/table.ts';
import { keyColumns } from '../../sql/changes.ts';
import type { Key, Row } from '../../store.ts';

/** The columns that find rows of a table, and how to get their values. */
export interface Keys {
  /** Their names: those of the key first, then where the row is kept. */
  readonly names: readonly string[];
  ofRow(row: Row): Key;
  /** The same from a key alone. */
  ofKey(key: Key): Key;
  /** What tells one from another. */
  textOf(key: Key): string;
}

/** The keys of a table. */
export function keysOf(table: Table): Keys {
  const names = keyColumns(table);
  const at = names.map((name) => table.columns.findIndex((column) => column.name === name));
  const home = table.columns.find(({ name }) => name === table.home);
  return {
    names,
    ofRow: ({ columns }) => at.map((index) => columns[index] as string | number),
    ofKey: (key) => {
      if (!home) return key;
      const known = table.key.map(({ column }, index) => [column, key[index]]);
      return [...key, home.of(Object.fromEntries(known))];
    },
    textOf: (key) => key.join('\0'),
  };
}
