import type { StorageTable } from '../../../schema/storage-table.ts';
import { getKeyColumns } from '../../sql/revision-changes.ts';
import type { EncodedRow, RecordKey } from '../../store.ts';

/** The columns that find rows of a table, and how to get their values. */
export interface RowKeys {
  /** Their names: those of the key first, then where the row is kept. */
  readonly names: readonly string[];
  ofRow(row: EncodedRow): RecordKey;
  /** The same from a key alone. */
  ofKey(key: RecordKey): RecordKey;
  /** What tells one from another. */
  textOf(key: RecordKey): string;
}

/** The keys of a table. */
export function createRowKeys(table: StorageTable): RowKeys {
  const names = getKeyColumns(table);
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
