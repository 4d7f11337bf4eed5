import type { StorageTable } from '../../../schema/storage-table.ts';
import type { EncodedRow, RecordKey } from '../../publisher.ts';
import { getKeyColumns } from '../../sql/revision-changes.ts';

/** The columns that find rows of a table, and how to get their values. */
export interface RowKeys {
  /** Their names: those of the key first, then where the row is kept. */
  readonly names: readonly string[];
  fromRow(row: EncodedRow): RecordKey;
  /** The same from a key alone. */
  fromRecordKey(key: RecordKey): RecordKey;
  /** What tells one from another. */
  toText(key: RecordKey): string;
}

/** The keys of a table. */
export function createRowKeys(table: StorageTable): RowKeys {
  const names = getKeyColumns(table);
  const at = names.map((name) => table.columns.findIndex((column) => column.name === name));
  const home = table.columns.find(({ name }) => name === table.distributionColumn);
  return {
    names,
    fromRow: ({ columns }) => at.map((index) => columns[index] as string | number),
    fromRecordKey: (key) => {
      if (!home) return key;
      const known = table.key.map(({ column }, index) => [column, key[index]]);
      return [...key, home.getValue(Object.fromEntries(known))];
    },
    toText: (key) => key.join('\0'),
  };
}
