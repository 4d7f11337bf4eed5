import type { StorageTable } from '../../../schema/storage-table.ts';
import type { EncodedRow, RecordKey } from '../../publisher.ts';
import type { SqlExecutor } from '../connection.ts';
import { queryRaw } from '../connection.ts';
import type { ColumnArrays } from './column-arrays.ts';
import { createColumnArrays } from './column-arrays.ts';
import { createRowKeys } from './row-keys.ts';

/** What a revision does to one table, for many rows at a time. */
export interface TableOperations {
  /** Adds the rows whose keys are not there; gives those keys. */
  insertNew(rows: readonly EncodedRow[]): Promise<RecordKey[]>;
  /** The records that stand under these keys. */
  findCurrent(keys: readonly RecordKey[]): Promise<CurrentRow[]>;
  /** Moves the records with the rows' keys into the past, and puts the rows in their place. */
  replaceCurrent(rows: readonly EncodedRow[]): Promise<void>;
  /** Moves the records under these keys into the past. */
  retireCurrent(keys: readonly RecordKey[]): Promise<void>;
  /** Remembers keys that leave no mark in the table; there may be more than memory holds. */
  markSeen(keys: readonly RecordKey[]): Promise<void>;
  /** Which of the keys were remembered. */
  filterSeen(keys: readonly RecordKey[]): Promise<RecordKey[]>;
  /** Lists the keys that this revision has not been given, in `tenor_absent`. */
  collectAbsentKeys(): Promise<void>;
}

export interface CurrentRow {
  readonly key: RecordKey;
  readonly record: string;
  readonly since: number;
}

/** The statements for a table, within a revision; its transaction gets a list of its own. */
export async function createTableOperations(
  connection: SqlExecutor,
  table: StorageTable,
  revision: number,
): Promise<TableOperations> {
  const { currentTable, historyTable } = table;
  const columns = table.columns.map(({ name }) => name);
  const { names, fromRow } = createRowKeys(table);
  const keyArrays = createColumnArrays(table, names);
  const rowArrays = createColumnArrays(table, [...columns, 'record']);
  const stored = [...columns, 'record', 'since'].join(', ');
  const replaced = [...columns, 'record'].filter((name) => !names.includes(name));
  const list = (from: string) => names.map((name) => `${from}.${name}`).join(', ');
  const same = (a: string, b: string) =>
    names.map((name) => `${a}.${name} = ${b}.${name}`).join(' AND ');
  let seenCount = 0;

  const ask = (sql: string, values?: unknown[]) => queryRaw(connection, sql, values);
  const askFor = async (
    sql: string,
    arrays: ColumnArrays,
    rows: readonly RecordKey[],
    after: RecordKey = [],
  ) => (rows.length === 0 ? [] : ask(sql, [...arrays.values(connection, rows), ...after]));
  const keysIn = (rows: object[]): RecordKey[] => rows.map((row) => Object.values(row));
  const cells = ({ columns, json }: EncodedRow) => [...columns, json];

  await ask('DROP TABLE IF EXISTS tenor_seen');
  await ask(
    `CREATE TEMP TABLE tenor_seen AS SELECT ${names.join(', ')} FROM ${currentTable} WITH NO DATA`,
  );
  await ask(`CREATE UNIQUE INDEX tenor_seen_key ON tenor_seen (${names.join(', ')})`);

  const until = `$${names.length + 1}::integer`;
  const keep = `INSERT INTO ${historyTable} (${stored}, until)
    SELECT ${stored.replace(/\w+/g, 'n.$&')}, ${until}
    FROM ${currentTable} AS n JOIN ${keyArrays.toUnnestSql('k', 1)} ON ${same('n', 'k')}`;
  const since = `$${columns.length + 2}::integer`;
  return {
    insertNew: async (rows) =>
      keysIn(
        await askFor(
          `INSERT INTO ${currentTable} (${stored}) SELECT r.*, ${since} FROM ${rowArrays.toUnnestSql('r', 1)}
            ON CONFLICT DO NOTHING RETURNING ${names.join(', ')}`,
          rowArrays,
          rows.map(cells),
          [revision],
        ),
      ),
    findCurrent: async (keys) => {
      const found = await askFor(
        `SELECT n.record, n.since, ${list('n')} FROM ${currentTable} AS n
          JOIN ${keyArrays.toUnnestSql('k', 1)} ON ${same('n', 'k')}`,
        keyArrays,
        keys,
      );
      return found.map((row) => {
        const { record, since, ...key } = row as Omit<CurrentRow, 'key'>;
        return { key: Object.values(key), record, since };
      });
    },
    async replaceCurrent(rows) {
      await askFor(keep, keyArrays, rows.map(fromRow), [revision]);
      const setting = replaced.map((name) => `${name} = r.${name}`).join(', ');
      await askFor(
        `UPDATE ${currentTable} AS n SET ${setting}, since = ${since}
          FROM ${rowArrays.toUnnestSql('r', 1)} WHERE ${same('n', 'r')}`,
        rowArrays,
        rows.map(cells),
        [revision],
      );
    },
    async retireCurrent(keys) {
      await askFor(keep, keyArrays, keys, [revision]);
      const gone = `DELETE FROM ${currentTable} AS n USING ${keyArrays.toUnnestSql('k', 1)} WHERE ${same('n', 'k')}`;
      await askFor(gone, keyArrays, keys);
    },
    async markSeen(keys) {
      const sql = `INSERT INTO tenor_seen SELECT k.* FROM ${keyArrays.toUnnestSql('k', 1)}`;
      await askFor(sql, keyArrays, keys);
      seenCount += keys.length;
    },
    filterSeen: async (keys) => {
      if (seenCount === 0) return [];
      const sql = `SELECT ${list('k')} FROM ${keyArrays.toUnnestSql('k', 1)}
        JOIN tenor_seen AS s ON ${same('s', 'k')}`;
      return keysIn(await askFor(sql, keyArrays, keys));
    },
    async collectAbsentKeys() {
      await ask('DROP TABLE IF EXISTS tenor_absent');
      await ask(
        `CREATE TEMP TABLE tenor_absent AS SELECT ${names.join(', ')} FROM ${currentTable} WHERE since < $1`,
        [revision],
      );
      await ask(`DELETE FROM tenor_absent AS a USING tenor_seen AS s WHERE ${same('a', 's')}`);
    },
  };
}
