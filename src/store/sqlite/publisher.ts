import type { Database } from 'bun:sqlite';
import type { Table } from '../../derive/table.ts';
import { tableOf } from '../../derive/table.ts';
import { checksumOf } from '../checksum.ts';
import { definitionsOf } from '../schema.ts';
import type { Change, Key, Patience, Publisher, Revision, Row, Within } from '../store.ts';
import { DuplicateKey, StoreBusy } from '../store.ts';
import { isBusy, outOfReach, reaching, withoutWaiting, writable } from './connection.ts';
import { enter, revisionsIn } from './ledger.ts';
import { readsOn } from './reader.ts';
import { keepTerms, termsIn } from './terms.ts';
import { undoing } from './undo.ts';
import { writerOf } from './writer.ts';

/** A publisher for the database at that path. */
export function sqlitePublisher(path: string, patience: Patience = {}): Publisher {
  const database = writable(path);
  const within: Within = {
    ...readsOn(database),
    publish: (change) => savepoint(database, () => revise(database, change)),
    holds: async (dataset, key) => reaching(() => holds(database, tableOf(dataset), key)),
    undoing: async (dataset, revision) =>
      reaching(() => undoing(database, tableOf(dataset), revision)),
    terms: async () => reaching(() => termsIn(database)),
    keepTerms: async (terms) => reaching(() => keepTerms(database, terms)),
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
  await begin(database, patience);
  try {
    const result = await work();
    reaching(() => database.run('COMMIT'));
    return result;
  } finally {
    if (database.inTransaction) database.run('ROLLBACK');
  }
}

const PATIENCE_MS = 10_000;
const LOOK_EVERY_MS = 20;

/** Takes the store for writing, or waits until whoever has it is done. */
async function begin(database: Database, { waitMs = PATIENCE_MS, onWait }: Patience) {
  const deadline = performance.now() + waitMs;
  for (let tries = 0; ; tries++) {
    try {
      return withoutWaiting(database, () => database.run('BEGIN IMMEDIATE'));
    } catch (cause) {
      if (!isBusy(cause)) throw outOfReach(cause);
      if (performance.now() >= deadline) {
        throw new StoreBusy('another publisher holds the database', { cause });
      }
      if (tries === 0) onWait?.();
      await Bun.sleep(LOOK_EVERY_MS);
    }
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

async function revise(database: Database, change: Change): Promise<Revision | undefined> {
  const { dataset, source, author, sample = false, files = [], repeated = refuseRepeated } = change;
  const table = tableOf(dataset);
  const [last] = revisionsIn(database, { limit: 1 });
  const revision = (last?.revision ?? 0) + 1;
  const write = writerOf(database, table, revision);
  const counts = { added: 0, corrected: 0, retired: 0, unchanged: 0 };
  const retire = (key: Key) => {
    const done = write.retire(key);
    if (done === 'repeated') throw new DuplicateKey(`${named(table, key)} is given twice`);
    counts[done]++;
  };

  const finishIndexes = indexesLater(database, change);
  for await (const batch of change.rows ?? []) {
    for (const row of batch) {
      const done = write.put(row);
      if (done === 'repeated') repeated(row, table);
      else counts[done]++;
    }
  }
  for (const key of change.retired ?? []) retire(key);
  if (change.replace) for (const key of write.absent()) retire(key);
  finishIndexes();

  const report = (await change.conclude?.({ ...counts })) ?? {};
  if (counts.added + counts.corrected + counts.retired === 0) return undefined;
  const at = (change.at ?? new Date()).toISOString();
  // Instants of revisions never run backwards, even where a clock does.
  const publishedAt = last && last.publishedAt > at ? last.publishedAt : at;
  const about = { revision, dataset: dataset.name, publishedAt, source, files, author, sample };
  const entry = { ...about, ...counts, report, newest: newestIn(database, table) };
  enter(database, { ...entry, checksum: checksumOf(entry, write.sum) });
  return { ...about, ...counts };
}

/**
 * Into an empty table, rows go faster without indexes, and an index of all rows at once is made
 * faster than row by row. The schema is part of the transaction: nobody sees it without.
 */
function indexesLater(database: Database, { dataset }: Change): () => void {
  const { now } = tableOf(dataset);
  if (database.query(`SELECT 1 FROM ${now} LIMIT 1`).get()) return () => {};
  const indexes = definitionsOf(dataset).filter(
    ({ kind, name }) => kind === 'index' && name.startsWith(`${now}_`),
  );
  for (const { name } of indexes) database.run(`DROP INDEX ${name}`);
  return () => {
    for (const { sql } of indexes) database.run(sql);
  };
}

function holds(database: Database, { now, key }: Table, values: Key): boolean {
  const matches = key.map(({ column }) => `${column} = ?`).join(' AND ');
  const sql = `SELECT 1 FROM ${now} WHERE ${matches}`;
  return database.query<unknown, (string | number)[]>(sql).get(...values) !== null;
}

/** The newest day that the table holds, where its records have days. */
function newestIn(database: Database, { now, key: [first] }: Table): string | null {
  if (first?.column !== 'date') return null;
  const sql = `SELECT date FROM ${now} ORDER BY date DESC LIMIT 1`;
  return database.query<{ date: string }, []>(sql).get()?.date ?? null;
}

function refuseRepeated({ columns }: Row, table: Table): never {
  const key = table.key.map(
    ({ column }) => columns[table.columns.findIndex(({ name }) => name === column)] ?? '',
  );
  throw new DuplicateKey(`${named(table, key)} is given twice`);
}

function named({ key }: Table, values: Key): string {
  return `${key.map(({ column }) => column).join(', ')} = ${values.join(', ')}`;
}
