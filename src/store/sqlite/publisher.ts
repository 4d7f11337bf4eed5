import type { Database } from 'bun:sqlite';
import type { Table } from '../../derive/table.ts';
import { tableOf } from '../../derive/table.ts';
import { patiently } from '../patience.ts';
import type { Key, Patience, Publisher, Within } from '../store.ts';
import { atOnce, outOfReach, reaching, writable } from './connection.ts';
import { readsOn } from './reader.ts';
import { revise } from './revise.ts';
import { termsIn } from './terms.ts';
import { undoing } from './undo.ts';

/** A publisher for the database at that path. */
export function sqlitePublisher(path: string, patience: Patience = {}): Publisher {
  const database = writable(path);
  const within: Within = {
    ...readsOn(database),
    publish: (change) => savepoint(database, () => revise(database, change)),
    holds: async (dataset, key) => reaching(() => holds(database, tableOf(dataset), key)),
    undoing: async (dataset, revision) => reaching(() => undoing(database, dataset, revision)),
    terms: async (dataset) => reaching(() => termsIn(database, dataset)),
  };
  let queue: Promise<unknown> = Promise.resolve();
  // One at a time: what is under way on the connection is never joined by somebody else's work.
  const atomically: Publisher['atomically'] = (work) => {
    const turn = queue.then(() => transaction(database, patience, () => work(within)));
    queue = turn.catch(() => {});
    return turn;
  };
  return {
    publish: (change) => atomically(({ publish }) => publish(change)),
    atomically,
    revisions: within.revisions,
    close: () => database.close(),
  };
}

async function transaction<T>(
  database: Database,
  patience: Patience,
  work: () => Promise<T>,
): Promise<T> {
  await patiently(patience, () => atOnce(database, () => database.run('BEGIN IMMEDIATE')));
  try {
    const result = await work();
    reaching(() => database.run('COMMIT'));
    return result;
  } finally {
    if (database.inTransaction) database.run('ROLLBACK');
  }
}

/** Runs a piece of work that, when it fails, leaves the transaction as it was. */
async function savepoint<T>(database: Database, work: () => Promise<T>): Promise<T> {
  reaching(() => database.run('SAVEPOINT change'));
  try {
    const result = await work();
    reaching(() => database.run('RELEASE change'));
    return result;
  } catch (cause) {
    // Some failures have ended the transaction already.
    if (database.inTransaction) {
      database.run('ROLLBACK TO change');
      database.run('RELEASE change');
    }
    throw outOfReach(cause);
  }
}

function holds(database: Database, { now, key }: Table, values: Key): boolean {
  const matches = key.map(({ column }) => `${column} = ?`).join(' AND ');
  const sql = `SELECT 1 FROM ${now} WHERE ${matches}`;
  return database.query<unknown, (string | number)[]>(sql).get(...values) !== null;
}
