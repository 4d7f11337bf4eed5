import type { StorageTable } from '../../schema/storage-table.ts';

/** The columns that find a record: its key, and the distribution column, which names its node. */
export function getKeyColumns({ key, distributionColumn }: StorageTable): string[] {
  return [
    ...key.map(({ column }) => column),
    ...(distributionColumn === undefined ? [] : [distributionColumn]),
  ];
}

/** Whether the rows of two tables have the same key. */
export function keysEqualSql(table: StorageTable, a: string, b: string): string {
  return columnsEqualSql(getKeyColumns(table), a, b);
}

export function columnsEqualSql(columns: readonly string[], a: string, b: string): string {
  return columns.map((column) => `${a}.${column} = ${b}.${column}`).join(' AND ');
}
