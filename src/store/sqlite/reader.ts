import type { Database } from 'bun:sqlite';
import { tableOf } from '../../derive/table.ts';
import type { Quotes, Selection } from '../selection.ts';
import type { Statement } from '../statements.ts';
import { oneFund, someQuotes, symbolExists, wholeSeries } from '../statements.ts';
import type { Reader, Reading } from '../store.ts';
import { reaching, readOnly } from './connection.ts';

/** A reader of the database at that path. */
export function sqliteReader(path: string): Reader {
  const database = readOnly(path);
  // Two statements see one revision only inside a transaction.
  const snapshot = database.transaction((selection: Quotes) => securityQuotes(database, selection));
  return {
    revision: async () => reaching(() => newestRevision(database)),
    read: async (selection) => reaching(() => read(database, snapshot, selection)),
    close: () => database.close(),
  };
}

function read(
  database: Database,
  snapshot: (selection: Quotes) => Reading,
  selection: Selection,
): Reading {
  const table = tableOf(selection.dataset);
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

function securityQuotes(database: Database, selection: Quotes): Reading {
  const table = tableOf(selection.dataset);
  const reading = ask(database, someQuotes(table, selection, 'symbol_key'));
  if (reading.count > 0) return reading;
  const { sql, values } = symbolExists(table, selection.security ?? '');
  if (database.query(sql).get(...values)) return reading;
  return ask(database, someQuotes(table, selection, 'isin_key'));
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

function newestRevision(database: Database): number {
  const row = database
    .query<{ newest: number | null }, []>('SELECT max(revision) AS newest FROM revisions')
    .get();
  return row?.newest ?? 0;
}
