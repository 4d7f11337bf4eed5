import type { StorageTable } from '../../../schema/storage-table.ts';
import type { EncodedRow, RecordKey } from '../../encoded-row.ts';
import { getKeyColumns } from '../../sql/key-columns.ts';

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
    /** A text that is different for each key. */
    toText: (key: RecordKey) => key.join('\0'),
  };
}
