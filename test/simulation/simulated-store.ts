import { system } from '../../src/shared/system.ts';
import { StoreUnavailableError } from '../../src/store/errors.ts';
import { NOTHING_SEEN, type ReaderSource, type StoreReader } from '../../src/store/reader.ts';
import { findNewestRevision } from '../../src/store/sql/ledger.ts';
import type { QuerySteps } from '../../src/store/sql/query-steps.ts';
import { AsOfCache } from '../../src/store/sql/select-records.ts';
import type { QuerySession } from '../../src/store/sql/session.ts';
import { findSettledRevision, shareCommitState } from '../../src/store/sql/settled-revision.ts';
import {
  createStoreQueries,
  readSigningSecret,
  streamCountedRecords,
} from '../../src/store/sql/store-queries.ts';
import { sqliteDialect } from '../../src/store/sqlite/dialect.ts';
import { createSession, runSteps } from '../../src/store/sqlite/session.ts';
import type { Store } from '../../src/store/store.ts';
import type { History, Snapshot } from './database.ts';
import type { Scheduler } from './scheduler.ts';
import type { SimulatedTokens } from './simulated-tokens.ts';

/** How statements are run. */
export interface Disk {
  /** Statements take up to this long; 0 where their results are there at once, as those of a file. */
  maxDelayMs: number;
  /** The part of statements that fail. */
  failureRate: number;
  /** Whether every statement fails. */
  isUnreachable: boolean;
}

const PATH = 'simulated.db';

/** A database file: what it holds may be overwritten in place. */
export interface DatabaseFile {
  /** No other file has it. */
  readonly number: number;
  history: History;
  /** The newest revision that was committed. */
  revision: number;
}

/** A path, at which a file lies that can be replaced, restored and removed. */
export class FileSlot {
  file: DatabaseFile | undefined;
  /** Whether a publisher holds the commit lock. */
  isCommitting = false;
  #lastNumber = 0;
  readonly disk: Disk = { maxDelayMs: 0, failureRate: 0, isUnreachable: false };

  constructor(
    readonly scheduler: Scheduler,
    history: History,
  ) {
    this.place(history, history.newest.revision);
  }

  /** Puts another file at the path. */
  place(history: History, revision: number): void {
    this.file = { number: ++this.#lastNumber, history, revision };
  }

  open(): DatabaseFile {
    if (!this.file) throw new StoreUnavailableError('the database file is gone');
    return this.file;
  }
}

/** The store of a server over the file at a path. */
export function createSimulatedStore(slot: FileSlot, tokens: SimulatedTokens): Store {
  return {
    schema: { engine: 'SQLite', version: 0 },
    localTokenFile: 'simulated.token',
    readerSource: { path: PATH },
    reader: () => createSimulatedReader(slot),
    reopen: async () => {
      slot.open();
      return createSimulatedStore(slot, tokens);
    },
    publisher: fail,
    inspector: fail,
    candidates: fail,
    tokens: () => tokens.createStore(slot.disk),
  };
}

/** Reads the file that lies at the path now, as `createSqliteReader` does. */
export function createSimulatedReader(slot: FileSlot, source?: ReaderSource): StoreReader {
  const { disk } = slot;
  const file = slot.open();
  const expected = source && 'path' in source ? source.file?.ino : undefined;
  if (file.number !== (expected ?? file.number))
    throw new StoreUnavailableError('the database file was replaced');
  /** Since the last look whether the file is the same. */
  const read = new Set<Snapshot>();
  const getSnapshot = () => {
    const snapshot = file.history.snapshots[file.revision] as Snapshot;
    read.add(snapshot);
    return snapshot;
  };
  const session = createDelayedSession(slot, getSnapshot);
  const queries = createStoreQueries(session, new AsOfCache());
  const readCommitState = shareCommitState(() => ({
    nowMs: system.now(),
    isCommitting: slot.isCommitting,
  }));
  let seenSecret: Uint8Array | undefined;
  return {
    ...queries,
    source: () => ({ path: PATH, file: { dev: 0, ino: file.number } }),
    async revisionAt(instant) {
      const found = await queries.revisionAt(instant);
      if (found.isFinal) return found;
      return findSettledRevision(instant, () => queries.revisionAt(instant), readCommitState);
    },
    async *records(dataset, asOf) {
      assertReachable(disk);
      const snapshot = getSnapshot();
      const batches = streamCountedRecords(createSession(snapshot.database), dataset, asOf);
      for await (const batch of batches) {
        yield batch;
        await session.run(findNewestRevision);
      }
    },
    secret: async () => session.run(readSigningSecret, { isSingleStatement: true }),
    confirmRevision: () => {
      assertReachable(disk);
      return runSteps(getSnapshot().database, findNewestRevision());
    },
    newestSeen: () => NOTHING_SEEN,
    observeRevision: () => {},
    lostRevision: () => 0,
    servers: () => [],
    // What was shown since the last look must still be there, too.
    isCurrent() {
      if (slot.open() !== file) return false;
      assertReachable(disk);
      const { secret, snapshots } = file.history;
      const isSame = seenSecret === undefined || seenSecret === secret;
      const areKept = [...read].every(
        (each) => each.revision <= file.revision && snapshots[each.revision] === each,
      );
      if (!isSame || !areKept) return false;
      read.clear();
      seenSecret = secret;
      getSnapshot();
      return true;
    },
    close: () => {},
  };
}

/** Runs statements after a delay, all steps on one snapshot. */
function createDelayedSession(
  { disk, scheduler }: FileSlot,
  getSnapshot: () => Snapshot,
): QuerySession {
  const runNow = <T>(createSteps: () => QuerySteps<T>): T => {
    assertReachable(disk);
    if (disk.failureRate > 0 && scheduler.random.isLikely(disk.failureRate))
      throw new StoreUnavailableError('disk I/O error');
    return runSteps(getSnapshot().database, createSteps());
  };
  return {
    dialect: sqliteDialect,
    run(createSteps) {
      if (disk.maxDelayMs === 0) return runNow(createSteps);
      const delayMs = scheduler.drawDelay(0, disk.maxDelayMs);
      return scheduler.wait(delayMs, 'statement').then(() => runNow(createSteps));
    },
    stream: fail,
  };
}

export function assertReachable({ isUnreachable }: Disk): void {
  if (isUnreachable) throw new StoreUnavailableError('the disk does not respond');
}

function fail(): never {
  throw new Error('no server does this');
}
