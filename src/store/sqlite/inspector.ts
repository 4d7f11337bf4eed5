import type { Database } from 'bun:sqlite';
import type { Dataset } from '../../catalogue/dataset.ts';
import { tableOf } from '../../derive/table.ts';
import { definitionsOf } from '../schema.ts';
import { orderedList } from '../statements.ts';
import type { Inspector, Row, StoredRow } from '../store.ts';
import { reaching, readOnly } from './connection.ts';
import { wholeLedger } from './ledger.ts';
import { termsIn } from './terms.ts';

/** Looks into the database at that path. All that it gives is from one revision. */
export function sqliteInspector(path: string, catalogue: readonly Dataset[]): Inspector {
  const database = readOnly(path);
  database.run('BEGIN');
  return {
    structure: async () => reaching(() => [...damage(database), ...strays(database, catalogue)]),
    rows: (dataset) => rows(database, dataset),
    ledger: async () => reaching(() => wholeLedger(database)),
    terms: async () => reaching(() => termsIn(database)),
    close: () => database.close(),
  };
}

/** What SQLite itself finds: pages that are lost or used twice, indexes that miss a row. */
function damage(database: Database): string[] {
  return database
    .query<{ integrity_check: string }, []>('PRAGMA integrity_check')
    .all()
    .map(({ integrity_check }) => integrity_check)
    .filter((line) => line !== 'ok');
}

/** Tables, indexes and views that are not as the catalogue makes them. */
function strays(database: Database, catalogue: readonly Dataset[]): string[] {
  const standing = database.query<{ sql: string }, [string]>(
    'SELECT sql FROM sqlite_schema WHERE name = ?',
  );
  return catalogue.flatMap(definitionsOf).flatMap(({ kind, name, sql }) => {
    const found = standing.get(name)?.sql;
    if (found === sql) return [];
    return [found === undefined ? `${kind} ${name} is missing` : `${kind} ${name} is not as made`];
  });
}

const BATCH = 1_000;

async function* rows(database: Database, dataset: Dataset): AsyncGenerator<readonly StoredRow[]> {
  const { now, past, columns, key } = tableOf(dataset);
  const stored = [...columns.map(({ name }) => name), 'record', 'since'].join(', ');
  const sql = `SELECT ${stored}, NULL AS until FROM ${now} UNION ALL
    SELECT ${stored}, until FROM ${past} ORDER BY ${orderedList([...key, { column: 'since' }])}`;
  let batch: StoredRow[] = [];
  for (const row of database.prepare<Stored, []>(sql).iterate()) {
    const { record, since, until, ...selecting } = row;
    batch.push({ columns: Object.values(selecting) as Row['columns'], text: record, since, until });
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** A row as SQLite gives it: the columns that select it, and what is stored with them. */
type Stored = {
  readonly record: string;
  readonly since: number;
  readonly until: number | null;
} & Readonly<Record<string, unknown>>;
