import type { SQLQueryBindings } from 'bun:sqlite';
import { system } from '../../src/shared/system.ts';
import { COMMIT_STATE_SQL } from '../../src/store/postgres/commit-lock.ts';
import { HEARTBEAT_SQL, TIMELINE_SQL } from '../../src/store/postgres/server-pool/heartbeat.ts';
import { getSchemaVersion } from '../../src/store/sql/migrations.ts';
import type { Snapshot } from './database.ts';
import {
  createConnectionError,
  createServerError,
  type Outcome,
  type Session,
  type Statement,
  type StatementReceiver,
} from './postgres-session.ts';
import { readTokens, type TokenRows, type TokenStatement, writeTokens } from './postgres-tokens.ts';
import { createProcess, type Process, type Scheduler } from './scheduler.ts';

/** What a server has after a transaction; a replica gets the same ones in the same order. */
export interface Commit {
  readonly previous: Commit | undefined;
  readonly snapshot: Snapshot;
  readonly tokens: TokenRows;
  /** The secret that signs cursors; another one makes it another store. */
  readonly secret: Uint8Array;
  readonly storeId: string;
  /** Losses that were accepted, as they are stored. */
  readonly losses: string | null;
}

/** A transaction, as its server keeps it. */
interface Transaction {
  /** Whether all statements see what the first one saw. */
  readonly isSnapshot: boolean;
  pinned?: Commit;
  /** What it writes when it is committed. */
  readonly writes: TokenStatement[];
}

/** An error that a server gives to the next statements, once each. */
const TRANSIENT_ERRORS = [
  ['40001', 'canceling statement due to conflict with recovery'],
  ['57014', 'canceling statement due to statement timeout'],
  ['53300', 'sorry, too many clients already'],
] as const;

export const MAX_MESSAGE_MS = 6;

/** A simulated PostgreSQL server: a position in a history, and the faults that it has now. */
export class DatabaseServer implements StatementReceiver {
  readonly process: Process;
  /** The server that it replicates; undefined for a primary. */
  upstream: DatabaseServer | undefined;
  /** How often a standby was promoted on the way to this server. */
  timeline = 1;
  /** Whether a publisher holds the commit lock. */
  isCommitting = false;
  /** How long a commit takes to get here from the primary, at most. */
  lagMs = 20;
  /** How long a message takes, at most. */
  messageMs = MAX_MESSAGE_MS;
  isDown = false;
  isHung = false;
  /** How many of the next statements fail. */
  failures = 0;
  /** Counts starts: what a server did before its last one is gone. */
  start = 1;
  /** The address that leads to it. */
  url: string;
  readonly #sessions = new Set<Session>();
  /** What comes in while it hangs. */
  readonly #unanswered: (() => void)[] = [];

  constructor(
    readonly name: string,
    private readonly scheduler: Scheduler,
    /** What it has. */
    public head: Commit,
    private readonly onCommit: (server: DatabaseServer) => void,
  ) {
    this.url = `postgres://${name}/tenor`;
    this.process = createProcess(name);
  }

  get isStandby(): boolean {
    return this.upstream !== undefined;
  }

  get revision(): number {
    return this.head.snapshot.revision;
  }

  drawDelay(): number {
    return this.scheduler.drawDelay(0.1, this.messageMs);
  }

  receive(statement: Statement): void {
    if (this.isDown) {
      statement.reply({ error: createConnectionError('REFUSED') });
      return;
    }
    if (!statement.session.isBroken) this.#sessions.add(statement.session);
    this.whenAnswering(() => statement.reply(this.#answer(statement)));
  }

  forget(session: Session): void {
    this.#sessions.delete(session);
  }

  /** Runs something on the server: at once, or when it does not hang any more. */
  whenAnswering(run: () => void): void {
    if (this.isHung) this.#unanswered.push(run);
    else run();
  }

  /** Answers all that came in meanwhile. */
  release(): void {
    this.isHung = false;
    for (const run of this.#unanswered.splice(0)) run();
  }

  stop(): void {
    this.isDown = true;
    this.start++;
    this.isCommitting = false;
    this.isHung = false;
    this.#unanswered.length = 0;
    for (const session of this.#sessions) session.break();
    this.#sessions.clear();
  }

  commit(change: Partial<Omit<Commit, 'previous'>>): void {
    this.head = { ...this.head, ...change, previous: this.head };
    this.onCommit(this);
  }

  #answer({ session, sql, values }: Statement): Outcome {
    // The end of a transaction ends it, whatever fails.
    if (this.failures > 0 && sql !== 'ROLLBACK') {
      this.failures--;
      if (sql === 'COMMIT') this.#endTransaction(session, false);
      return { error: createTransientError(this.scheduler) };
    }
    try {
      return { rows: this.#run(session, sql, values) };
    } catch (cause) {
      return { error: cause as Error };
    }
  }

  #run(session: Session, sql: string, values: readonly unknown[]): readonly object[] {
    switch (sql) {
      case HEARTBEAT_SQL:
        return [this.#describe(values[0] as number)];
      case TIMELINE_SQL:
        return [{ file: this.timeline.toString(16).padStart(8, '0').padEnd(24, '0') }];
      case COMMIT_STATE_SQL:
        return [{ nowMs: String(system.now()), isFree: !this.isCommitting }];
      case 'COMMIT':
        return this.#endTransaction(session, true);
      case 'ROLLBACK':
        return this.#endTransaction(session, false);
    }
    if (sql.startsWith('BEGIN')) {
      const transaction: Transaction = {
        isSnapshot: sql.includes('REPEATABLE READ'),
        writes: [],
      };
      session.transaction = transaction;
      return [];
    }
    return runCursorStatement(session, sql, (query) =>
      this.#query(session.transaction as Transaction | undefined, query, values),
    );
  }

  /** The reply to a heartbeat, with the checksum of the revision that it is about. */
  #describe(queried: number): object {
    const { snapshot, storeId, losses } = this.head;
    return {
      revision: snapshot.revision,
      storeId,
      losses,
      isStandby: this.isStandby,
      checksum: readChecksum(snapshot, snapshot.revision),
      queriedChecksum: readChecksum(snapshot, queried),
      schemaVersion: getSchemaVersion(),
    };
  }

  #query(
    transaction: Transaction | undefined,
    sql: string,
    values: readonly unknown[],
  ): readonly object[] {
    // A snapshot is taken by the first statement, not by the start of the transaction.
    if (transaction?.isSnapshot) transaction.pinned ??= this.head;
    const { snapshot, secret, tokens } = transaction?.pinned ?? this.head;
    if (sql.startsWith('SELECT has_')) return [{ granted: true }];
    if (sql.includes(' FROM secrets ')) return [{ value: secret }];
    if (sql.includes(' FROM tokens')) return readTokens(tokens, { sql, values });
    if (/ tokens\b/.test(sql)) return this.#write(transaction, { sql, values });
    return snapshot.database
      .query<object, SQLQueryBindings[]>(sql)
      .all(...(values as SQLQueryBindings[]));
  }

  #write(transaction: Transaction | undefined, statement: TokenStatement): readonly object[] {
    if (this.isStandby)
      throw createServerError('25006', 'cannot execute UPDATE in a read-only transaction');
    if (!transaction) throw new Error('tokens are written in a transaction');
    transaction.writes.push(statement);
    return [];
  }

  #endTransaction(session: Session, isCommitted: boolean): readonly object[] {
    const { writes = [] } = (session.transaction ?? {}) as Partial<Transaction>;
    session.transaction = undefined;
    if (isCommitted && writes.length > 0)
      this.commit({ tokens: writes.reduce(writeTokens, this.head.tokens) });
    return [];
  }
}

function createTransientError({ random }: Scheduler): Error {
  const [sqlState, message] = random.pick(TRANSIENT_ERRORS);
  return createServerError(sqlState, message);
}

/** By revision: every heartbeat asks for some. */
const checksums = new WeakMap<Snapshot, ReadonlyMap<number, string>>();

function readChecksum(snapshot: Snapshot, revision: number): string | null {
  const known = checksums.getOrInsertComputed(snapshot, ({ database }) => {
    const rows = database.query<{ revision: number; checksum: string }, []>(
      'SELECT revision, checksum FROM revisions',
    );
    return new Map(rows.all().map((row) => [row.revision, row.checksum]));
  });
  return known.get(revision) ?? null;
}

const DECLARE_PATTERN = /^DECLARE (\w+) NO SCROLL CURSOR FOR /;

/** Keeps the rows of a cursor until they are fetched; runs any other statement. */
function runCursorStatement(
  { cursors }: Session,
  sql: string,
  query: (sql: string) => readonly object[],
): readonly object[] {
  const [declare, name = ''] = DECLARE_PATTERN.exec(sql) ?? [];
  if (declare) {
    cursors.set(name, query(sql.slice(declare.length)));
    return [];
  }
  const [fetch, count, cursor = ''] = /^FETCH (\d+) FROM (\w+)$/.exec(sql) ?? [];
  if (!fetch) return sql.startsWith('CLOSE ') ? [] : query(sql);
  const rows = cursors.get(cursor) ?? [];
  cursors.set(cursor, rows.slice(Number(count)));
  return rows.slice(0, Number(count));
}
