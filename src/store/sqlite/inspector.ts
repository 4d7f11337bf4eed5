import { Database, SQLiteError } from 'bun:sqlite';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import { listTablePairs, type StorageTable, type TablePair } from '../../schema/storage-table.ts';
import { StoreDamagedError } from '../errors.ts';
import type { KeyRange, StoreInspector } from '../inspector.ts';
import { createInspectorQueries } from '../sql/inspector-queries.ts';
import { compareSchemas, type SchemaObjects } from '../sql/schema.ts';
import { columnsEqualSql, ownRows, rangeConditions, selectWhere } from '../sql/sql-fragments.ts';
import { listDatasetTables } from '../sql/stored-tables.ts';
import {
  openReadOnly,
  queryValue,
  runIntegrityCheck,
  toSqliteStoreError,
  withErrors,
} from './connection.ts';
import { migrateSchema } from './migrate-schema.ts';
import { createReadSession } from './session.ts';
import { findTokenFaults } from './token-store.ts';

/** The rows of a slice are found on the same pages of an index as those of the slice before. */
const CACHE_KIB = 8_192;

export function createSqliteInspector(path: string, catalogue: readonly Dataset[]): StoreInspector {
  const database = withDamageErrors(() => openReadOnly(path, CACHE_KIB));
  const { dialect, run } = createReadSession(database);
  return {
    ...createInspectorQueries({
      dialect,
      run: (steps, options) => withDamageErrors(() => run(steps, options)),
    }),
    indexFaults: (table, range) =>
      [table.currentTable, table.historyTable].flatMap((name) =>
        withDamageErrors(() => findUnindexedRows(database, name, table, range)),
      ),
    async *structureFaults() {
      yield { faults: withDamageErrors(() => findSchemaFaults(database, catalogue)) };
      // Data can be read without tokens, and whatever pages are free.
      yield { faults: findTokenFaults(path), datasets: [] };
      yield { faults: findTableFaults(database, 'sqlite_schema'), datasets: [] };
      const records = new Set(listTablePairs(catalogue).flatMap(listNames));
      const tables = listDatasetTables(catalogue);
      for (const table of withDamageErrors(() => listTables(database))) {
        const { datasets } = tables.find(({ name }) => name === table) ?? {};
        yield { faults: findTableFaults(database, table, records.has(table)), datasets };
      }
    },
    close: () => database.close(),
  };
}

const listNames = ({ currentTable, historyTable }: TablePair) => [currentTable, historyTable];

/**
 * Checks the pages of a table and its indexes; the rows of records are searched slice by slice. What
 * cannot be read is a fault of this table, and the others are checked.
 */
function findTableFaults(database: Database, table: string, hasRecords = false): string[] {
  try {
    // Quick, it takes a second for two million quotes, but compares no index with its table.
    const check = hasRecords ? 'quick_check' : 'integrity_check';
    return withDamageErrors(() => [
      ...runIntegrityCheck(database, `${check}(${table})`),
      ...(hasRecords ? compareCounts(database, table) : []),
    ]);
  } catch (cause) {
    if (!(cause instanceof StoreDamagedError)) throw cause;
    return [`table ${table} cannot be read: ${cause.message}`];
  }
}

/** An error that no machine causes is one of what the file holds. */
export function withDamageErrors<T>(operation: () => T): T {
  return withErrors(operation, (cause) => {
    const error = toSqliteStoreError(cause);
    return error instanceof SQLiteError ? new StoreDamagedError(error.message, { cause }) : error;
  });
}

function listTables(database: Database): string[] {
  const sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'";
  return database.query<unknown, []>(sql).values().flat().map(String);
}

/** The indexes of a table, and what a statement reads that is to read its rows, not their entries. */
function describeIndexes(database: Database, table: string) {
  const list = database
    .query<{ name: string; origin: string }, []>(`PRAGMA index_list(${table})`)
    .all();
  const primaryKey = list.find(({ origin }) => origin === 'pk');
  const indexes = list
    .filter(({ origin }) => origin === 'c')
    .map(({ name }) => {
      const rows = database.query<{ name: string }, []>(`PRAGMA index_xinfo(${name})`).all();
      // The key of the row, which the index leads to, is among them.
      return { name, columns: rows.map((row) => row.name).filter((column) => column !== null) };
    });
  // If a table has no rowid, SQLite reads an index instead of one that is NOT INDEXED.
  const hint = primaryKey ? `INDEXED BY ${primaryKey.name}` : 'NOT INDEXED';
  return { source: `${table} AS stored ${hint}`, indexes };
}

/** An index that has more entries than its table has rows would repeat records. */
function compareCounts(database: Database, table: string): string[] {
  const { source, indexes } = describeIndexes(database, table);
  let rows: number | undefined;
  // Of a column, because SQLite counts rows by whatever index is the smallest.
  const count = (column: string, from: string) =>
    Number(queryValue(database, `SELECT count(${column}) FROM ${from}`));
  return database.transaction(() =>
    indexes.flatMap(({ name, columns: [first = ''] }) => {
      rows ??= count(first, source);
      const entries = count(first, `${table} INDEXED BY ${name}`);
      return entries === rows ? [] : [`index ${name} has ${entries} entries for ${rows} rows`];
    }),
  )();
}

/** Searches each row in each index as a request does: an entry may be gone, changed or misplaced. */
function findUnindexedRows(
  database: Database,
  name: string,
  table: StorageTable,
  range: KeyRange,
): string[] {
  const { source, indexes } = describeIndexes(database, name);
  const inRange = rangeConditions(table.key[0]?.column ?? '', range);
  const start = range.from === undefined ? 'its first rows' : `rows from ${range.from} on`;
  const rows = [start, ...table.fixed.map(({ value }) => value)].join(' of ');
  return indexes.flatMap(({ name: index, columns }) => {
    const isMissing = [notInIndexSql(name, index, columns)] as const;
    const conditions = [...ownRows(table), ...inRange, isMissing];
    const { sql, values } = selectWhere(['count(*)'], source, conditions);
    const count = queryValue(database, sql, ...values);
    return count === 0 ? [] : [`index ${index} lacks ${count} of ${rows}`];
  });
}

function notInIndexSql(table: string, index: string, columns: readonly string[]): string {
  return `NOT EXISTS (SELECT 1 FROM ${table} AS entry INDEXED BY ${index}
    WHERE ${columnsEqualSql(columns, 'entry', 'stored')})`;
}

/** Tables, indexes and views that are missing or differ from those of a new database. */
function findSchemaFaults(database: Database, catalogue: readonly Dataset[]): string[] {
  return compareSchemas(readSchema(database), buildExpectedSchema(catalogue));
}

function buildExpectedSchema(catalogue: readonly Dataset[]): SchemaObjects {
  using database = new Database(':memory:');
  migrateSchema(database, catalogue);
  return readSchema(database);
}

function readSchema(database: Database): SchemaObjects {
  const sql = "SELECT type || ' ' || name, tbl_name || ': ' || ifnull(sql, '') FROM sqlite_schema";
  const entries = database.query<unknown, []>(sql).values() as [string, string][];
  return new Map(
    entries.map(([name, text]) => [name, text.replace(/\s+/g, ' ').replace(/ ?([(),]) ?/g, '$1')]),
  );
}
