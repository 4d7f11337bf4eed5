import type { StorageTable } from '../../../schema/storage-table.ts';
import type { EncodedRow, RecordKey } from '../../rows.ts';
import { columnsEqualSql, getStoredColumns } from '../../sql/sql-fragments.ts';
import {
  type BatchExecutors,
  createColumnArrays,
  createRowKeys,
  getRowColumns,
  toKeys,
} from './batch-executors.ts';

/** Writes records in batches: `insertNew`, `findReplaced` and `replaceCurrent`, in this order. */
export interface RecordOperations {
  /** Inserts the rows whose keys do not exist; returns those keys. */
  insertNew(rows: readonly EncodedRow[]): Promise<RecordKey[]>;
  /** The current records with the keys of rows that were not inserted. */
  findReplaced(rows: readonly EncodedRow[]): Promise<CurrentRow[]>;
  /** Copies the records with the rows' keys to the history, and replaces them by the rows. */
  replaceCurrent(rows: readonly EncodedRow[]): Promise<void>;
  findCurrent(keys: readonly RecordKey[]): Promise<CurrentRow[]>;
  /** Moves the records that were found to the history. */
  retireCurrent(keys: readonly RecordKey[]): Promise<void>;
}

export interface CurrentRow extends EncodedRow {
  readonly key: RecordKey;
  readonly since: number;
}

/** Each statement has the keys or rows as arrays. */
export function createRecordOperations(
  table: StorageTable,
  revision: number,
  { executeForKeys, executeForRows }: BatchExecutors,
): RecordOperations {
  const { names, fromRow } = createRowKeys(table);
  const columns = getRowColumns(table);
  const rowRevision = `$${columns.length + 1}::integer`;
  const sql = buildRecordStatements(table, {
    keys: createColumnArrays(table, names).toUnnestSql('k'),
    rows: createColumnArrays(table, columns).toUnnestSql('k'),
    until: `$${names.length + 1}::integer`,
    since: rowRevision,
  });
  const findCurrent = async (keys: readonly RecordKey[]) =>
    (await executeForKeys<StoredColumns>(sql.findCurrent, keys)).map((row) =>
      toCurrentRow(row, fromRow),
    );
  return {
    insertNew: async (rows) => toKeys(await executeForRows(sql.insert, rows)),
    findReplaced: (rows) => findCurrent(rows.map(fromRow)),
    async replaceCurrent(rows) {
      await executeForKeys(sql.copyToHistory, rows.map(fromRow), revision);
      await executeForRows(sql.update, rows);
    },
    findCurrent,
    async retireCurrent(keys) {
      await executeForKeys(sql.copyToHistory, keys, revision);
      await executeForKeys(sql.remove, keys);
    },
  };
}

export interface StoredColumns {
  readonly record: string;
  readonly since: number;
}

export function toCurrentRow(
  { record: json, since, ...values }: StoredColumns,
  fromRow: (row: EncodedRow) => RecordKey,
): CurrentRow {
  const row = { columns: Object.values(values) as EncodedRow['columns'], json };
  return { ...row, key: fromRow(row), since };
}

interface RecordSource {
  /** The source of the keys, or of the rows, with the alias `k`. */
  readonly keys: string;
  readonly rows: string;
  /** Expressions of the revision. */
  readonly until: string;
  readonly since: string;
}

/** Statements that insert the rows of a source, or supersede the records with its keys. */
export function buildRecordStatements(
  table: StorageTable,
  { keys, rows, until, since }: RecordSource,
) {
  const { currentTable, historyTable } = table;
  const { names } = createRowKeys(table);
  const columns = getRowColumns(table);
  const stored = getStoredColumns(table).join(', ');
  const qualify = (alias: string, list: readonly string[]) =>
    list.map((name) => `${alias}.${name}`).join(', ');
  const currentColumns = qualify('n', getStoredColumns(table));
  const isSame = columnsEqualSql(names, 'n', 'k');
  const assignments = columns
    .filter((name) => !names.includes(name))
    .map((name) => `${name} = k.${name}`);
  return {
    insert: `INSERT INTO ${currentTable} (${stored}) SELECT ${qualify('k', columns)}, ${since} FROM ${rows}
      ON CONFLICT DO NOTHING RETURNING ${names.join(', ')}`,
    findCurrent: `SELECT ${currentColumns} FROM ${currentTable} AS n JOIN ${keys} ON ${isSame}`,
    copyToHistory: `INSERT INTO ${historyTable} (${stored}, until)
      SELECT ${currentColumns}, ${until} FROM ${currentTable} AS n JOIN ${keys} ON ${isSame}`,
    update: `UPDATE ${currentTable} AS n SET ${assignments.join(', ')}, since = ${since}
      FROM ${rows} WHERE ${isSame}`,
    remove: `DELETE FROM ${currentTable} AS n USING ${keys} WHERE ${isSame}`,
  };
}
