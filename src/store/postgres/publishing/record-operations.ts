import type { EncodedRow, RecordKey } from '../../rows.ts';
import { getStoredColumns, isSameRecordSql } from '../../sql/sql-fragments.ts';
import type { RowBatches } from './row-batches.ts';

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
export function createRecordOperations(batches: RowBatches): RecordOperations {
  const { keyNames, columns, getKey, revision } = batches;
  const sql = buildRecordStatements(batches, {
    keys: batches.toUnnestSql(keyNames, 'k'),
    rows: batches.toUnnestSql(columns, 'k'),
    until: `$${keyNames.length + 1}::integer`,
    since: `$${columns.length + 1}::integer`,
  });
  const findCurrent = async (keys: readonly RecordKey[]) => {
    const rows = await batches.executeForKeys<StoredColumns>(sql.findCurrent, keys);
    return rows.map((row) => toCurrentRow(row, getKey));
  };
  return {
    insertNew: async (rows) =>
      (await batches.executeForRows(sql.insert, rows)).map((row) => Object.values(row)),
    findReplaced: (rows) => findCurrent(rows.map(getKey)),
    async replaceCurrent(rows) {
      await batches.executeForKeys(sql.copyToHistory, rows.map(getKey), revision);
      await batches.executeForRows(sql.update, rows);
    },
    findCurrent,
    async retireCurrent(keys) {
      await batches.executeForKeys(sql.copyToHistory, keys, revision);
      await batches.executeForKeys(sql.remove, keys);
    },
  };
}

export interface StoredColumns {
  readonly record: string;
  readonly since: number;
}

export function toCurrentRow(
  { record: json, since, ...values }: StoredColumns,
  getKey: RowBatches['getKey'],
): CurrentRow {
  const row = { columns: Object.values(values) as EncodedRow['columns'], json };
  return { ...row, key: getKey(row), since };
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
  { table, columns, keyNames }: RowBatches,
  { keys, rows, until, since }: RecordSource,
) {
  const { currentTable, historyTable, fixed } = table;
  const fixedNames = fixed.map(({ name }) => `${name}, `).join('');
  const fixedValues = fixed.map(({ value }) => `'${value}', `).join('');
  const stored = `${fixedNames}${getStoredColumns(table).join(', ')}`;
  const qualify = (alias: string, list: readonly string[]) =>
    list.map((name) => `${alias}.${name}`).join(', ');
  const currentColumns = qualify('n', getStoredColumns(table));
  const isSame = isSameRecordSql(table, 'n', 'k');
  const assignments = columns
    .filter((name) => !keyNames.includes(name))
    .map((name) => `${name} = k.${name}`);
  return {
    insert: `INSERT INTO ${currentTable} (${stored}) SELECT ${fixedValues}${qualify('k', columns)}, ${since} FROM ${rows}
      ON CONFLICT DO NOTHING RETURNING ${keyNames.join(', ')}`,
    findCurrent: `SELECT ${currentColumns} FROM ${currentTable} AS n JOIN ${keys} ON ${isSame}`,
    copyToHistory: `INSERT INTO ${historyTable} (${stored}, until)
      SELECT ${fixedValues}${currentColumns}, ${until} FROM ${currentTable} AS n JOIN ${keys} ON ${isSame}`,
    update: `UPDATE ${currentTable} AS n SET ${assignments.join(', ')}, since = ${since}
      FROM ${rows} WHERE ${isSame}`,
    remove: `DELETE FROM ${currentTable} AS n USING ${keys} WHERE ${isSame}`,
  };
}
