import type { SQL } from 'bun';
import { StoreUnavailable } from '../store.ts';
import { readingPool, writingConnection } from './connection.ts';

/** One PostgreSQL server: how it is doing, and a way to ask it while it does well. */
export interface Server {
  readonly url: string;
  /** What it told last; undefined while it does not answer. */
  readonly pulse: Pulse | undefined;
  /** Asks it how it does, now. */
  ask(): Promise<void>;
  /** An answer of it was from this revision, so that it has it, whatever it told before. */
  showed(revision: number): void;
  /** Its connections, which are given up with all that is under way when it stops answering. */
  readonly pool: SQL;
  /** One more connection, for long work or for writing; given up in the same way. */
  connect(use: 'reading' | 'writing'): OwnConnection;
  close(): void;
}

export interface Pulse {
  /** The newest revision that it has. */
  readonly revision: number;
  /** The one before which nothing is known of it, and what tells that from another history's. */
  readonly mark: Mark;
  /** Whether its history is another one than that of the mark which it was asked about. */
  readonly isOther: boolean;
  /** Whether it only follows another server. */
  readonly isStandby: boolean;
}

/** A revision, and what tells it from another one of the same number. */
export interface Mark {
  readonly revision: number;
  readonly checksum: string;
}

export interface OwnConnection {
  readonly connection: SQL;
  close(): void;
}

const EVERY_MS = 250;
const WITHIN_MS = 500;
/** A connection that must be made first, perhaps to another continent, takes longer. */
const NEW_WITHIN_MS = 1_000;
/** What has arrived while the thread was busy is heard before it counts as late. */
const GRACE_MS = 50;

const PULSE = `SELECT coalesce(max(revision), 0) AS revision,
  (SELECT checksum FROM revisions ORDER BY revision DESC LIMIT 1) AS checksum,
  (SELECT checksum FROM revisions WHERE revision = $1) AS marked,
  pg_is_in_recovery() AS "isStandby" FROM revisions`;

/**
 * Keeps in touch with a server. It is asked for its newest revision several times a second, on a
 * connection of its own, so that a server which hangs is told from one that has much to do: what
 * is asked of it fails at the latest when that answer is overdue.
 */
export function serverAt(
  url: string,
  poolSize: number,
  markOf: () => Mark,
  onPulse: (server: Server) => void,
): Server {
  let pulse: Pulse | undefined;
  let [heart, pool] = [readingPool(url, 1), readingPool(url, poolSize)];
  let isNew = true;
  let shown = 0;
  const others = new Set<SQL>();
  let isClosed = false;
  let asking: Promise<void> | undefined;

  const letGo = () => {
    for (const each of [heart, pool, ...others]) giveUp(each);
    others.clear();
  };
  const beat = async () => {
    const mark = markOf();
    shown = 0;
    try {
      const [row] = await soon(
        heart.unsafe(PULSE, [mark.revision]),
        isNew ? NEW_WITHIN_MS : WITHIN_MS,
      );
      isNew = false;
      // It may have answered from a newer revision while it was asked.
      pulse = pulseOf(row, mark, shown);
    } catch {
      pulse = undefined;
      letGo();
      isNew = true;
      if (!isClosed) [heart, pool] = [readingPool(url, 1), readingPool(url, poolSize)];
    }
    asking = undefined;
    if (!isClosed) onPulse(server);
  };
  const server: Server = {
    url,
    get pulse() {
      return pulse;
    },
    get pool() {
      return pool;
    },
    showed(revision) {
      shown = Math.max(shown, revision);
      if (pulse && pulse.revision < revision) pulse = { ...pulse, revision };
    },
    connect(use) {
      const connection = use === 'reading' ? readingPool(url, 1) : writingConnection(url);
      others.add(connection);
      const close = () => {
        others.delete(connection);
        giveUp(connection);
      };
      return { connection, close };
    },
    ask() {
      asking ??= beat();
      return asking;
    },
    close() {
      isClosed = true;
      clearInterval(timer);
      letGo();
    },
  };
  const timer = setInterval(server.ask, EVERY_MS);
  return server;
}

interface PulseRow extends Pick<Pulse, 'revision' | 'isStandby'> {
  readonly checksum: string | null;
  readonly marked: string | null;
}

function pulseOf(row: PulseRow, asked: Mark, shown: number): Pulse {
  const { revision, checksum, marked, isStandby } = row;
  const mark = { revision, checksum: checksum ?? '' };
  const isOther = revision >= asked.revision && (marked ?? '') !== asked.checksum;
  return { revision: Math.max(revision, shown), mark, isOther, isStandby };
}

/** Closes connections with all that is under way on them. */
export function giveUp(connections: SQL): void {
  connections.close({ timeout: 0 }).catch(() => {});
}

/** What comes in time; an answer that is overdue counts as none. */
async function soon<T>(answer: Promise<T>, withinMs: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  let timer = setTimeout(() => {
    timer = setTimeout(() => late.reject(new StoreUnavailable('it does not answer')), GRACE_MS);
  }, withinMs);
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
