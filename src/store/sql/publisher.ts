import type { Table } from '../../derive/table.ts';
import { tableOf } from '../../derive/table.ts';
import { patiently } from '../patience.ts';
import type { Key, Patience, Publisher, Within } from '../store.ts';
import { StoreUnavailable } from '../store.ts';
import { readsOf } from './reads.ts';
import { revise } from './revise.ts';
import type { WritingSession } from './session.ts';
import type { Steps } from './steps.ts';
import { termsIn } from './terms.ts';
import { undoing } from './undo.ts';

/** A session that can take the store for itself. */
export interface PublishingSession extends WritingSession {
  /** Begins a transaction that holds the store; busy where somebody else has it. */
  begin(): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  /** Whether there is a transaction still: some failures end it. */
  isOpen(): boolean;
  close(): void;
}

/** A publisher through a session. */
export function publisherOn(session: PublishingSession, patience: Patience = {}): Publisher {
  const within: Within = {
    ...readsOf(session),
    publish: (change) => savepoint(session, () => revise(session, change)),
    holds: (dataset, key) => session.run(() => holds(tableOf(dataset), key)),
    undoing: (dataset, revision) => undoing(session, dataset, revision),
    terms: (dataset) => session.run(() => termsIn(dataset)),
  };
  let queue: Promise<unknown> = Promise.resolve();
  // One at a time: what is under way on the connection is never joined by somebody else's work.
  const atomically: Publisher['atomically'] = (work) => {
    const turn = queue.then(() => transaction(session, patience, () => work(within)));
    queue = turn.catch(() => {});
    return turn;
  };
  return {
    publish: (change) => atomically(({ publish }) => publish(change)),
    atomically,
    revisions: within.revisions,
    close: session.close,
  };
}

async function transaction<T>(
  session: PublishingSession,
  patience: Patience,
  work: () => Promise<T>,
): Promise<T> {
  await patiently(patience, session.begin);
  try {
    const result = await work();
    await session.commit();
    return result;
  } finally {
    if (session.isOpen()) await givingUp(session.rollback);
  }
}

/** Runs a piece of work that, when it fails, leaves the transaction as it was. */
async function savepoint<T>(session: PublishingSession, work: () => Promise<T>): Promise<T> {
  await session.run(() => command('SAVEPOINT change'));
  try {
    const result = await work();
    await session.run(() => command('RELEASE SAVEPOINT change'));
    return result;
  } catch (cause) {
    if (session.isOpen()) {
      await givingUp(async () => {
        await session.run(() => command('ROLLBACK TO SAVEPOINT change'));
        await session.run(() => command('RELEASE SAVEPOINT change'));
      });
    }
    throw cause;
  }
}

/** Undoes what was done. A store that is gone has undone it already: that hides no other failure. */
async function givingUp(undo: () => Promise<void>): Promise<void> {
  try {
    await undo();
  } catch (cause) {
    if (!(cause instanceof StoreUnavailable)) throw cause;
  }
}

function* command(sql: string): Steps<void> {
  yield { sql, values: [] };
}

function* holds({ now, key }: Table, values: Key): Steps<boolean> {
  const matches = key.map(({ column }) => `${column} = ?`).join(' AND ');
  const rows = yield { sql: `SELECT 1 AS one FROM ${now} WHERE ${matches}`, values };
  return rows.length > 0;
}
