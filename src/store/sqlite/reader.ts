import type { Database } from 'bun:sqlite';
import type { Table } from '../../derive/table.ts';
import { tableOf } from '../../derive/table.ts';
import type { Quotes, Selection } from '../selection.ts';
import type { SecurityColumn, Statement, Then } from '../statements.ts';
import {
  everyRecord,
  momentOf,
  oneFund,
  someQuotes,
  symbolExists,
  wholeSeries,
} from '../statements.ts';
import type { Reader, Reading, Reads } from '../store.ts';
import { batched } from './batches.ts';
import { changesOf } from './changes.ts';
import { outOfReach, reaching, readOnly } from './connection.ts';
import { entryOf, revisionAt, revisionsIn } from './ledger.ts';

/** A reader of the database at that path. */
export function sqliteReader(path: string): Reader {
  const database = readOnly(path);
  return { ...readsOn(database, path), close: () => database.close() };
}

/** A walk is one statement, which looks among all records there are. */
function wholly(revision: number | undefined): Then | undefined {
  return revision === undefined ? undefined : { revision, in: 'both', newestDay: null };
}

/** What can be asked through a connection; long walks over a path get one of their own. */
export function readsOn(database: Database, path?: string): Reads {
  // Two statements see one revision only inside a transaction.
  const snapshot = database.transaction((asked: Selection) => readInSteps(database, asked));
  return {
    revision: async () => reaching(() => newestRevision(database)),
    revisionAt: async (instant) => reaching(() => revisionAt(database, instant)),
    read: async (selection) => reaching(() => read(database, snapshot, selection)),
    records: (dataset, asOf) => walk(everyRecord(tableOf(dataset), wholly(asOf)), database, path),
    revisions: async (which) => reaching(() => revisionsIn(database, which)),
    entry: async (revision) => reaching(() => unsealed(entryOf(database, revision))),
    changes: async (dataset, revision, limit) =>
      reaching(() => changesOf(database, tableOf(dataset), revision, limit)),
  };
}

function read(
  database: Database,
  snapshot: (selection: Selection) => Reading,
  selection: Selection,
): Reading {
  const table = tableOf(selection.dataset);
  if (selection.asOf !== undefined) return snapshot(selection);
  switch (selection.find) {
    case 'series':
      return ask(database, wholeSeries(table));
    case 'fund':
      return ask(database, oneFund(table, selection.id));
    case 'quotes':
      if (selection.security !== undefined) return snapshot(selection);
      return ask(database, someQuotes(table, selection));
  }
}

/** What takes more than one statement: quotes of a security, and everything of the past. */
function readInSteps(database: Database, selection: Selection): Reading {
  const { asOf } = selection;
  const table = tableOf(selection.dataset);
  const then = thenOf(database, selection);
  if (then === 'nothing') return { revision: asOf ?? 0, count: 0, records: '' };
  const reading = readThen(database, table, selection, then);
  return asOf === undefined ? reading : { ...reading, revision: asOf };
}

function readThen(database: Database, table: Table, selection: Selection, then?: Then): Reading {
  switch (selection.find) {
    case 'series':
      return ask(database, wholeSeries(table, then));
    case 'fund':
      return ask(database, oneFund(table, selection.id, then));
    case 'quotes':
      return quotesOf(database, selection, then);
  }
}

/** Where the records of a revision are to be looked for; undefined where it is the present. */
function thenOf(database: Database, { dataset, asOf }: Selection): Then | 'nothing' | undefined {
  if (asOf === undefined) return undefined;
  const { sql, values } = momentOf(tableOf(dataset), dataset.name, asOf);
  const moment = database.query<Moment, (string | number)[]>(sql).get(...values);
  if (!moment || asOf >= (moment.newestRevision ?? 0)) return undefined;
  const { still, ended, newestDay } = moment;
  if (!still && !ended) return 'nothing';
  return { revision: asOf, in: still && ended ? 'both' : still ? 'now' : 'past', newestDay };
}

interface Moment extends Pick<Then, 'newestDay'> {
  readonly newestRevision: number | null;
  readonly still: 0 | 1;
  readonly ended: 0 | 1;
}

function quotesOf(database: Database, asked: Quotes, then?: Then): Reading {
  const table = tableOf(asked.dataset);
  const { security } = asked;
  const [first, ...others] = then ? notNewer(asked, then.newestDay) : [asked];
  const by = (column: SecurityColumn, selection: Quotes) =>
    ask(database, someQuotes(table, selection, column, then));
  let reading = by('symbol_key', first);
  for (const next of others) if (reading.count === 0) reading = by('symbol_key', next);
  if (reading.count > 0 || security === undefined) return reading;
  if (isAny(database, symbolExists(table, security, then))) return reading;
  return by('isin_key', others.at(-1) ?? first);
}

/**
 * No record of the past is newer than the newest of its time. Saying so keeps a walk from the
 * newest day on from passing by everything that was published since. What is the latest then is
 * asked for in two steps, because it is nearly always of that very day.
 */
function notNewer(selection: Quotes, newest: string | null): readonly [Quotes, ...Quotes[]] {
  if (newest === null) return [selection];
  const { between, security, type } = selection;
  if (between) {
    const [from, to] = between;
    return [{ ...selection, between: [from, to < newest ? to : newest] }];
  }
  const thatDay: Quotes = { ...selection, between: [newest, newest] };
  // The newest day of all is known; of a security or a type it may be an earlier one.
  if (security === undefined && type === undefined) return [thatDay];
  return [thatDay, { ...selection, until: newest }];
}

function isAny(database: Database, { sql, values }: Statement): boolean {
  return database.query<unknown, (string | number)[]>(sql).get(...values) !== null;
}

function ask(database: Database, { sql, values }: Statement): Reading {
  const row = database.query<Answered, (string | number)[]>(sql).get(...values);
  return { revision: row?.revision ?? 0, count: row?.count ?? 0, records: row?.records ?? '' };
}

interface Answered {
  readonly revision: number | null;
  readonly count: number;
  readonly records: string | null;
}

/** Texts in batches. One statement sees one revision, however long it takes. */
async function* walk(
  { sql, values }: Statement,
  shared: Database,
  path: string | undefined,
): AsyncGenerator<readonly string[]> {
  const database = path === undefined ? shared : readOnly(path);
  try {
    const rows = database.prepare<{ record: string }, (string | number)[]>(sql).iterate(...values);
    for (const batch of batched(rows)) yield batch.map(({ record }) => record);
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
