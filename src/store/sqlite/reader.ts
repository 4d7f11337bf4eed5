import type { Database } from 'bun:sqlite';
import { tableOf } from '../../derive/table.ts';
import type { Quotes, Selection } from '../selection.ts';
import type { Statement } from '../statements.ts';
import { everyRecord, oneFund, someQuotes, symbolExists, wholeSeries } from '../statements.ts';
import type { Reader, Reading, Reads } from '../store.ts';
import { changesOf } from './changes.ts';
import { outOfReach, reaching, readOnly } from './connection.ts';
import { entryOf, newestDay, revisionAt, revisionsIn } from './ledger.ts';

/** A reader of the database at that path. */
export function sqliteReader(path: string): Reader {
  const database = readOnly(path);
  return { ...readsOn(database, path), close: () => database.close() };
}

/** What can be asked through a connection; long walks over a path get one of their own. */
export function readsOn(database: Database, path?: string): Reads {
  // Two statements see one revision only inside a transaction.
  const snapshot = database.transaction((selection: Quotes) => quotesOf(database, selection));
  return {
    revision: async () => reaching(() => newestRevision(database)),
    revisionAt: async (instant) => reaching(() => revisionAt(database, instant)),
    read: async (selection) => reaching(() => read(database, snapshot, selection)),
    records: (dataset, asOf) => walk(everyRecord(tableOf(dataset), asOf), database, path),
    revisions: async (which) => reaching(() => revisionsIn(database, which)),
    entry: async (revision) => reaching(() => unsealed(entryOf(database, revision))),
    changes: async (dataset, revision, limit) =>
      reaching(() => changesOf(database, tableOf(dataset), revision, limit)),
  };
}

function read(
  database: Database,
  snapshot: (selection: Quotes) => Reading,
  selection: Selection,
): Reading {
  const { asOf } = selection;
  const table = tableOf(selection.dataset);
  switch (selection.find) {
    case 'series':
      return ask(database, wholeSeries(table, asOf), asOf);
    case 'fund':
      return ask(database, oneFund(table, selection.id, asOf), asOf);
    case 'quotes':
      if (selection.security !== undefined || asOf !== undefined) return snapshot(selection);
      return ask(database, someQuotes(table, selection));
  }
}

/** Quotes that take more than one statement: of a security, or of the past. */
function quotesOf(database: Database, asked: Quotes): Reading {
  const table = tableOf(asked.dataset);
  const { asOf, security } = asked;
  const selection = asOf === undefined ? asked : notNewer(database, asked, asOf);
  if (!selection) return { revision: asOf ?? 0, count: 0, records: '' };
  const reading = ask(database, someQuotes(table, selection, 'symbol_key'), asOf);
  if (reading.count > 0 || security === undefined) return reading;
  const { sql, values } = symbolExists(table, security, asOf);
  if (database.query(sql).get(...values)) return reading;
  return ask(database, someQuotes(table, selection, 'isin_key'), asOf);
}

/**
 * No record of the past is newer than the newest of its time. Saying so keeps a walk from the
 * newest day on from passing by everything that was published since. Undefined where there was
 * nothing.
 */
function notNewer(database: Database, selection: Quotes, asOf: number): Quotes | undefined {
  const newest = newestDay(database, selection.dataset.name, asOf);
  if (newest === undefined) return undefined;
  if (newest === null) return selection;
  const { between, security, type } = selection;
  // The newest day of all is known; of a security or a type it is still to be found.
  if (!between && security === undefined && type === undefined) {
    return { ...selection, between: [newest, newest] };
  }
  if (!between) return { ...selection, until: newest };
  const [from, to] = between;
  return { ...selection, between: [from, to < newest ? to : newest] };
}

function ask(database: Database, { sql, values }: Statement, asOf?: number): Reading {
  const row = database.query<Answered, (string | number)[]>(sql).get(...values);
  const revision = asOf ?? row?.revision ?? 0;
  return { revision, count: row?.count ?? 0, records: row?.records ?? '' };
}

interface Answered {
  readonly revision: number | null;
  readonly count: number;
  readonly records: string | null;
}

const BATCH = 1_000;

/** Texts in batches. One statement sees one revision, however long it takes. */
async function* walk(
  { sql, values }: Statement,
  shared: Database,
  path: string | undefined,
): AsyncGenerator<readonly string[]> {
  const database = path === undefined ? shared : readOnly(path);
  try {
    let batch: string[] = [];
    const rows = database.prepare<{ record: string }, (string | number)[]>(sql).iterate(...values);
    for (const { record } of rows) {
      batch.push(record);
      if (batch.length < BATCH) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  } catch (cause) {
    throw outOfReach(cause);
  } finally {
    if (database !== shared) database.close();
  }
}

function newestRevision(database: Database): number {
  const row = database
    .query<{ newest: number | null }, []>('SELECT max(revision) AS newest FROM revisions')
    .get();
  return row?.newest ?? 0;
}

function unsealed(entry: ReturnType<typeof entryOf>) {
  if (!entry) return undefined;
  const { newest: _, checksum: __, ...rest } = entry;
  return rest;
}
