import type { SQL } from 'bun';
import { StoreUnavailableError } from '../../errors.ts';
import type { PoolOptions } from '../connection.ts';
import { createReadPool, createWriteConnection, toStoreError } from '../connection.ts';

/** One PostgreSQL server: how it is doing, and a way to ask it while it does well. */
export interface PostgresServer {
  readonly url: string;
  /** What it told last; undefined while it does not answer. */
  readonly heartbeat: Heartbeat | undefined;
  /** Why it did not answer, where it did not. */
  readonly lastError: string | undefined;
  /** Asks it how it does, now. */
  sendHeartbeat(): Promise<void>;
  /** An answer of it was from this revision, so that it has it, whatever it told before. */
  recordRevision(revision: number): void;
  /** Its connections, which are given up with all that is under way when it stops answering. */
  readonly pool: SQL;
  /** When something that was asked through them was last answered. */
  lastResponseMs: number;
  /** Gives these connections up with all that is under way on them, and makes others. */
  recreatePool(): void;
  /** One more connection, for long work or for writing; given up in the same way. */
  connect(use: 'reading' | 'writing'): DedicatedConnection;
  close(): void;
}

export interface Heartbeat {
  /** What tells the store that it holds from any other. */
  readonly storeId: string;
  /** The newest revision that it has. */
  readonly revision: number;
  /** The same as it told it, with what tells it from that of another history. */
  readonly revisionIdentity: RevisionIdentity;
  /** Whether its history is another one than that of the mark which it was asked about. */
  readonly hasDifferentHistory: boolean;
  /** Whether it only follows another server. */
  readonly isStandby: boolean;
  /** How often a standby was promoted before it took writes; 0 where it is not known. */
  readonly timeline: number;
}

/** What is to be found out about a server beside its newest revision. */
export interface HeartbeatQuery {
  /** The newest revision that is known: whether the server's history has it. */
  readonly revisionIdentity: RevisionIdentity;
  /** Whether there were others that took writes: which of them was promoted last. */
  readonly includeTimeline: boolean;
}

/** A revision, and what tells it from another one of the same number. */
export interface RevisionIdentity {
  readonly revision: number;
  readonly checksum: string;
}

export interface DedicatedConnection {
  readonly connection: SQL;
  close(): void;
}

const HEARTBEAT_INTERVAL_MS = 250;
const HEARTBEAT_TIMEOUT_MS = 500;
/** A connection that must be made first, perhaps to another continent, takes longer. */
const FIRST_HEARTBEAT_TIMEOUT_MS = 1_000;
/** What has arrived while the thread was busy is heard before it counts as late. */
const EVENT_LOOP_GRACE_MS = 50;

const HEARTBEAT_SQL = `SELECT coalesce(max(revision), 0) AS revision,
  (SELECT checksum FROM revisions ORDER BY revision DESC LIMIT 1) AS checksum,
  (SELECT checksum FROM revisions WHERE revision = $1) AS marked,
  (SELECT encode(sha256(value), 'hex') FROM secrets WHERE name = 'cursor') AS store,
  pg_is_in_recovery() AS "isStandby" FROM revisions`;

/** Not every server that speaks like PostgreSQL has these: it is asked only where it matters. */
const TIMELINE_SQL = 'SELECT pg_walfile_name(pg_current_wal_lsn()) AS file';

/**
 * Keeps in touch with a server. It is asked for its newest revision several times a second, on a
 * connection of its own, so that a server which hangs is told from one that has much to do: what
 * is asked of it fails at the latest when that answer is overdue.
 */
export function createPostgresServer(
  url: string,
  pooling: PoolOptions,
  question: () => HeartbeatQuery,
  onPulse: (server: PostgresServer) => void,
): PostgresServer {
  let pulse: Heartbeat | undefined;
  let failure: string | undefined;
  const connections = (max: number) => createReadPool(url, max, pooling);
  let [heartbeatPool, pool] = [connections(1), connections(pooling.poolSize)];
  let isNew = true;
  let shown = 0;
  const others = new Set<SQL>();
  let isClosed = false;
  let asking: Promise<void> | undefined;

  const release = () => {
    for (const each of [heartbeatPool, pool, ...others]) closeImmediately(each);
    others.clear();
  };
  const beat = async () => {
    shown = 0;
    try {
      const told = await withTimeout(
        readHeartbeat(heartbeatPool, question()),
        isNew ? FIRST_HEARTBEAT_TIMEOUT_MS : HEARTBEAT_TIMEOUT_MS,
      );
      isNew = false;
      // It may have answered from a newer revision while it was asked.
      pulse = { ...told, revision: Math.max(told.revision, shown) };
      failure = undefined;
    } catch (cause) {
      pulse = undefined;
      failure = (toStoreError(cause) as Error).message;
      release();
      isNew = true;
      if (!isClosed) [heartbeatPool, pool] = [connections(1), connections(pooling.poolSize)];
    }
    asking = undefined;
    if (!isClosed) onPulse(server);
  };
  const server: PostgresServer = {
    url,
    lastResponseMs: performance.now(),
    get heartbeat() {
      return pulse;
    },
    get lastError() {
      return failure;
    },
    get pool() {
      return pool;
    },
    recreatePool() {
      closeImmediately(pool);
      if (!isClosed) pool = connections(pooling.poolSize);
    },
    recordRevision(revision) {
      shown = Math.max(shown, revision);
      if (pulse && pulse.revision < revision) pulse = { ...pulse, revision };
    },
    connect(use) {
      const connection = use === 'reading' ? connections(1) : createWriteConnection(url);
      others.add(connection);
      const close = () => {
        others.delete(connection);
        closeImmediately(connection);
      };
      return { connection, close };
    },
    sendHeartbeat() {
      asking ??= beat();
      return asking;
    },
    close() {
      isClosed = true;
      clearInterval(timer);
      release();
    },
  };
  const timer = setInterval(server.sendHeartbeat, HEARTBEAT_INTERVAL_MS);
  return server;
}

async function readHeartbeat(
  heartbeatPool: SQL,
  { revisionIdentity: asked, includeTimeline }: HeartbeatQuery,
): Promise<Heartbeat> {
  const [row]: HeartbeatRow[] = await heartbeatPool.unsafe(HEARTBEAT_SQL, [asked.revision]);
  const { store, revision, checksum, marked, isStandby } = row as HeartbeatRow;
  const mark = { revision, checksum: checksum ?? '' };
  const isOther = revision >= asked.revision && (marked ?? '') !== asked.checksum;
  const timeline = includeTimeline && !isStandby ? await readTimeline(heartbeatPool) : 0;
  return {
    storeId: store,
    revision,
    revisionIdentity: mark,
    hasDifferentHistory: isOther,
    isStandby,
    timeline,
  };
}

interface HeartbeatRow extends Pick<Heartbeat, 'revision' | 'isStandby'> {
  readonly store: string;
  readonly checksum: string | null;
  readonly marked: string | null;
}

/** Names of files of the log begin with the timeline. */
async function readTimeline(heartbeatPool: SQL): Promise<number> {
  const [row] = await heartbeatPool.unsafe(TIMELINE_SQL).catch(() => []);
  return Number.parseInt(row?.file.slice(0, 8) ?? '0', 16);
}

/** Closes connections with all that is under way on them. */
export function closeImmediately(connections: SQL): void {
  connections.close({ timeout: 0 }).catch(() => {});
}

/** What comes in time; an answer that is overdue counts as none. */
async function withTimeout<T>(answer: Promise<T>, withinMs: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  let timer = setTimeout(() => {
    timer = setTimeout(
      () => late.reject(new StoreUnavailableError('it does not answer')),
      EVENT_LOOP_GRACE_MS,
    );
  }, withinMs);
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
