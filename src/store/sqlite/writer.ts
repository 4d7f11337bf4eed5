import type { Database } from 'bun:sqlite';
import type { StorageTable } from '../../schema/storage-table.ts';
import { type EncodedRow, type RecordKey, toBatches } from '../rows.ts';
import { getSealedText } from '../sealed-text.ts';
import type { OnRowChange, RowWriter, SupersededRow } from '../sql/session.ts';
import { andOwnRows, columnsEqualSql, getStoredColumns, hasKeySql } from '../sql/sql-fragments.ts';
import { WRITE_CACHE_KIB, withStoreErrors } from './connection.ts';

/** Writes and retires the records of one table, one by one. */
export class SqliteWriter implements RowWriter {
  readonly minBatchRows = 0;
  readonly counts = { added: 0, corrected: 0, retired: 0, unchanged: 0 };
  readonly #columnCount: number;
  readonly #keyIndexes: readonly number[];
  readonly #valueIndexes: readonly number[];
  readonly #statements: ReturnType<typeof prepareStatements>;
  readonly #isFirst: (key: RecordKey) => boolean;
  /** Whether the indexes are dropped if many rows come: the tables of series have some before. */
  #canDeferIndexes: boolean;
  #rowCount = 0;
  #restoreIndexes = () => {};

  constructor(
    private readonly database: Database,
    private readonly table: StorageTable,
    private readonly revision: number,
    private readonly onRowChange: OnRowChange,
  ) {
    const names = table.columns.map(({ name }) => name);
    const keyNames = table.key.map(({ column }) => column);
    this.#columnCount = names.length;
    this.#keyIndexes = keyNames.map((name) => names.indexOf(name));
    this.#valueIndexes = names.flatMap((name, index) => (keyNames.includes(name) ? [] : [index]));
    this.#statements = prepareStatements(database, table);
    this.#isFirst = createKeyRecorder(database, table);
    const hasRows = hasMoreRows(database, table, 0);
    this.#canDeferIndexes = hasRows && !hasMoreRows(database, table, SMALL_TABLE_ROWS);
    if (!hasRows) this.#restoreIndexes = deferIndexes(database, table);
  }

  async write(rows: readonly EncodedRow[]): Promise<readonly EncodedRow[]> {
    this.#rowCount += rows.length;
    if (this.#canDeferIndexes && this.#rowCount > SMALL_TABLE_ROWS) {
      this.#canDeferIndexes = false;
      this.#restoreIndexes = withStoreErrors(() => deferIndexes(this.database, this.table));
    }
    return this.#applyAll(rows, this.#writeRow);
  }

  async retire(keys: readonly RecordKey[]): Promise<readonly RecordKey[]> {
    return this.#applyAll(keys, this.#retireKey);
  }

  async retireAbsent(): Promise<void> {
    for (const keys of toBatches(findAbsentKeys(this.database, this.table, this.revision)))
      this.#applyAll(keys, this.#retireKey);
  }

  async flush(): Promise<readonly EncodedRow[]> {
    withStoreErrors(this.#restoreIndexes);
    return [];
  }

  async waitForPending(): Promise<undefined> {}

  /** Applies an operation to each item; returns those whose key came earlier. */
  #applyAll<T>(items: readonly T[], apply: (item: T) => RowOutcome): readonly T[] {
    return withStoreErrors(() =>
      items.filter((item) => {
        const outcome = apply(item);
        if (outcome !== 'duplicate') this.counts[outcome]++;
        return outcome === 'duplicate';
      }),
    );
  }

  readonly #writeRow = (row: EncodedRow): RowOutcome => {
    const { columns, json } = row;
    if (this.#statements.insert.run(...columns, json, this.revision).changes === 1) {
      this.onRowChange(undefined, row);
      return 'added';
    }
    const key = pickColumns(row, this.#keyIndexes);
    const current = this.#findCurrent(key) as SupersededRow;
    if (current.since === this.revision || !this.#isFirst(key)) return 'duplicate';
    if (getSealedText(this.table, current) === getSealedText(this.table, row)) return 'unchanged';
    this.#supersede(current);
    const values = pickColumns(row, this.#valueIndexes);
    this.#statements.update.run(...values, json, this.revision, ...key);
    this.onRowChange(current, row);
    return 'corrected';
  };

  readonly #retireKey = (key: RecordKey): RowOutcome => {
    const current = this.#findCurrent(key);
    if (current?.since === this.revision || !this.#isFirst(key)) return 'duplicate';
    if (!current) return 'unchanged';
    this.#supersede(current);
    this.#statements.remove.run(...key);
    this.onRowChange(current, undefined);
    return 'retired';
  };

  #findCurrent(key: RecordKey): SupersededRow | undefined {
    const [row] = this.#statements.find.values(...key) as ColumnValue[][];
    if (!row) return undefined;
    const [json, since] = row.splice(this.#columnCount) as [string, number];
    return { columns: row, json, since };
  }

  #supersede({ columns, json, since }: SupersededRow): void {
    this.#statements.insertHistory.run(...columns, json, since, this.revision);
  }
}

function hasMoreRows(database: Database, { currentTable }: StorageTable, count: number): boolean {
  return database.query(`SELECT 1 FROM ${currentTable} LIMIT 1 OFFSET ${count}`).get() !== null;
}

/**
 * Drops the indexes of a table until all rows are inserted, which is faster if it has few; returns a
 * function that creates them again. DDL is part of the transaction: no reader is without indexes.
 */
function deferIndexes(database: Database, { currentTable }: StorageTable): () => void {
  const indexes = database
    .query<{ name: string; sql: string }, [string]>(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql <> ''",
    )
    .all(currentTable);
  for (const { name } of indexes) database.run(`DROP INDEX ${name}`);
  return () => {
    // SQLite sorts an index in runs of the size of its cache: small ones stay in the processor's.
    database.run(`PRAGMA cache_size = -${SORT_CACHE_KIB}`);
    for (const { sql } of indexes) database.run(sql);
    database.run(`PRAGMA cache_size = -${WRITE_CACHE_KIB}`);
  };
}

const SMALL_TABLE_ROWS = 1_000;
const SORT_CACHE_KIB = 8_192;

type ColumnValue = string | number;
type RowOutcome = 'added' | 'corrected' | 'retired' | 'unchanged' | 'duplicate';

function pickColumns({ columns }: EncodedRow, indexes: readonly number[]): ColumnValue[] {
  return indexes.map((index) => columns[index] as ColumnValue);
}

function* findAbsentKeys(
  database: Database,
  table: StorageTable,
  revision: number,
): Generator<RecordKey> {
  const { currentTable, key } = table;
  const keyNames = key.map(({ column }) => column);
  database.run('DROP TABLE IF EXISTS temp.absent');
  database.run(
    `CREATE TEMP TABLE absent AS SELECT ${keyNames.join(', ')} FROM ${currentTable} AS stored WHERE since < ?${andOwnRows(table)}
      AND NOT EXISTS (SELECT 1 FROM temp.unmarked WHERE ${columnsEqualSql(keyNames, 'unmarked', 'stored')})`,
    [revision],
  );
  const rows = database.prepare<Record<string, ColumnValue>, []>('SELECT * FROM temp.absent');
  for (const row of rows.iterate()) yield Object.values(row);
}

function prepareStatements(database: Database, table: StorageTable) {
  const { currentTable, historyTable, key, fixed } = table;
  const columns = getStoredColumns(table);
  const keyNames = key.map(({ column }) => column);
  const stored = columns.join(', ');
  const inserted = [...fixed.map(({ name }) => name), ...columns].join(', ');
  const placeholders = [...fixed.map(({ value }) => `'${value}'`), ...columns.map(() => '?')].join(
    ', ',
  );
  const assignments = columns
    .filter((name) => !keyNames.includes(name))
    .map((name) => `${name} = ?`);
  const hasKey = hasKeySql(table, undefined, () => '?');
  const prepare = <Row>(sql: string) => database.prepare<Row, ColumnValue[]>(sql);
  return {
    insert: prepare(
      `INSERT INTO ${currentTable} (${inserted}) VALUES (${placeholders}) ON CONFLICT DO NOTHING`,
    ),
    find: prepare(`SELECT ${stored} FROM ${currentTable} WHERE ${hasKey}`),
    // With values: for a statement that selects, SQLite would copy every page before changing it.
    insertHistory: prepare(
      `INSERT INTO ${historyTable} (${inserted}, until) VALUES (${placeholders}, ?)`,
    ),
    update: prepare(`UPDATE ${currentTable} SET ${assignments.join(', ')} WHERE ${hasKey}`),
    remove: prepare(`DELETE FROM ${currentTable} WHERE ${hasKey}`),
  };
}

/** Records keys that `since` does not mark, in a table for memory; returns whether a key is new. */
function createKeyRecorder(database: Database, { key, columns }: StorageTable) {
  const keyNames = key.map(({ column }) => column);
  const types = new Map(columns.map(({ name, type }) => [name, type]));
  const list = keyNames.join(', ');
  database.run('DROP TABLE IF EXISTS temp.unmarked');
  // Without the types of the columns that they are compared with, SQLite would search for no key.
  const typed = keyNames.map((name) => `${name} ${types.get(name)?.toUpperCase()}`);
  database.run(
    `CREATE TEMP TABLE unmarked (${typed.join(', ')}, PRIMARY KEY (${list})) WITHOUT ROWID`,
  );
  const insert = database.prepare<unknown, ColumnValue[]>(
    `INSERT INTO temp.unmarked VALUES (${keyNames.map(() => '?').join(', ')}) ON CONFLICT DO NOTHING`,
  );
  return (key: RecordKey) => insert.run(...key).changes === 1;
}
