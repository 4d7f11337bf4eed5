import { Database, SQLiteError } from 'bun:sqlite';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { DatasetRows } from '../../schema/storage-table.ts';
import { StoreDamagedError } from '../errors.ts';
import type { KeyRange, StoreInspector } from '../inspector.ts';
import { compareSchemas, type SchemaObjects } from '../sql/schema.ts';
import { createScrubQueries, listKeyRanges } from '../sql/scrub-queries.ts';
import type { QuerySession } from '../sql/session.ts';
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
import { createReadSession, createSession } from './session.ts';
import { findTokenFaults } from './token-store.ts';

/** Each page is read once by slices: a cache has no use. */
const SLICED_CACHE_KIB = 1_024;

/** Reads everything in one transaction, or slice by slice, so that others may write in between. */
export function createSqliteInspector(
  path: string,
  catalogue: readonly Dataset[],
  { isSliced = false } = {},
): StoreInspector {
  const database = withDamageErrors(() =>
    openReadOnly(path, isSliced ? SLICED_CACHE_KIB : undefined),
  );
  if (!isSliced) database.run('BEGIN');
  const { run, ...others } = isSliced ? createReadSession(database) : createSession(database);
  const session: QuerySession = {
    ...others,
    run: (steps, options) => withDamageErrors(() => run(steps, options)),
  };
  const queries = createScrubQueries(session);
  return {
    ...queries,
    revision: isSliced ? queries.revision : async () => undefined,
    async *structureFaults() {
      if (!isSliced) yield { faults: withDamageErrors(() => runIntegrityCheck(database)) };
      yield { faults: withDamageErrors(() => findSchemaFaults(database, catalogue)) };
      // Data can be read without tokens.
      yield { faults: findTokenFaults(path), datasets: [] };
      if (!isSliced) return;
      // These are cut, and their rows are searched for in their indexes.
      const sliced = listDatasetTables(catalogue);
      for (const table of withDamageErrors(() => listTables(database))) {
        const { rows, datasets } = sliced.find(({ name }) => name === table) ?? {};
        for await (const { faults, dataset } of checkTable(session, database, table, rows))
          yield { faults, datasets: dataset === undefined ? datasets : [dataset] };
      }
    },
    indexFaults: async (table, range) =>
      [table.currentTable, table.historyTable].flatMap((name) =>
        [...findUnindexedRows(database, name, table, range)].flat(),
      ),
    close: () => {
      // Statements that are not collected yet would keep the connection, and with it its lock.
      if (database.inTransaction) database.run('ROLLBACK');
      database.close();
    },
  };
}

/**
 * Checks the pages of a table and its indexes; a large one, whose rows are of datasets, in slices. What
 * cannot be read is a fault of this table, and the others are checked.
 */
async function* checkTable(
  session: QuerySession,
  database: Database,
  table: string,
  datasetRows: readonly DatasetRows[] | undefined,
): AsyncGenerator<{ readonly faults: readonly string[]; readonly dataset?: string | undefined }> {
  try {
    // Quick, it takes a second for two million quotes, but compares no index with its table.
    const check = datasetRows ? 'quick_check' : 'integrity_check';
    yield { faults: withDamageErrors(() => runIntegrityCheck(database, `${check}(${table})`)) };
    if (!datasetRows) return;
    yield { faults: withDamageErrors(() => compareCounts(database, table)) };
    for (const rows of datasetRows)
      for await (const range of listKeyRanges(session, rows, [table]))
        for (const faults of findUnindexedRows(database, table, rows, range))
          yield { faults, dataset: rows.fixed[0]?.value };
  } catch (cause) {
    if (!(cause instanceof StoreDamagedError)) throw cause;
    yield { faults: [`table ${table} cannot be read: ${cause.message}`] };
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
  // Where a table has no rowid, SQLite reads an index instead of one that is NOT INDEXED.
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
function* findUnindexedRows(
  database: Database,
  table: string,
  datasetRows: DatasetRows,
  range: KeyRange,
): Generator<string[]> {
  const { source, indexes } = withDamageErrors(() => describeIndexes(database, table));
  const start = range.from === undefined ? 'its first rows' : `rows from ${range.from} on`;
  const rows = [start, ...datasetRows.fixed.map(({ value }) => value)].join(' of ');
  for (const { name, columns } of indexes) {
    const isMissing = [notInIndexSql(table, name, columns)] as const;
    const inRange = rangeConditions(datasetRows.key[0]?.column ?? '', range);
    const conditions = [...ownRows(datasetRows), ...inRange, isMissing];
    const { sql, values } = selectWhere(['count(*)'], source, conditions);
    const count = Number(withDamageErrors(() => queryValue(database, sql, ...values)));
    yield count === 0 ? [] : [`index ${name} lacks ${count} of ${rows}`];
  }
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
