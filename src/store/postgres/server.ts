import type { SQL } from 'bun';
import { StoreUnavailable } from '../store.ts';
import { readingPool } from './connection.ts';

/** One PostgreSQL server: how it is doing, and a way to ask it while it does well. */
export interface Server {
  readonly url: string;
  /** What it told last; undefined while it does not answer. */
  readonly pulse: Pulse | undefined;
  /** Asks it how it does, now. */
  ask(): Promise<void>;
  /** Its connections, which are given up with all that is under way when it stops answering. */
  readonly pool: SQL;
  /** One more connection, for long work; given up in the same way. */
  connect(): SQL;
  close(): void;
}

export interface Pulse {
  /** The newest revision that it has, and what tells it from another of the same number. */
  readonly revision: number;
  readonly checksum: string;
  /** Whether it only follows another server. */
  readonly isStandby: boolean;
}

const EVERY_MS = 250;
const WITHIN_MS = 500;
/** What has arrived while the thread was busy is heard before it counts as late. */
const GRACE_MS = 50;

const PULSE = `SELECT coalesce(max(revision), 0) AS revision,
  (SELECT checksum FROM revisions ORDER BY revision DESC LIMIT 1) AS checksum,
  pg_is_in_recovery() AS "isStandby" FROM revisions`;

/**
 * Keeps in touch with a server. It is asked for its newest revision several times a second, on a
 * connection of its own, so that a server which hangs is told from one that has much to do: what
 * is asked of it fails at the latest when that answer is overdue.
 */
export function serverAt(url: string, poolSize: number, onPulse: (server: Server) => void): Server {
  let pulse: Pulse | undefined;
  let [heart, pool] = [readingPool(url, 1), readingPool(url, poolSize)];
  const others = new Set<SQL>();
  let isClosed = false;
  let asking: Promise<void> | undefined;

  const letGo = () => {
    for (const each of [heart, pool, ...others]) each.close({ timeout: 0 }).catch(() => {});
    others.clear();
  };
  const beat = async () => {
    try {
      const [row] = await soon(heart.unsafe(PULSE));
      pulse = { ...row, checksum: row.checksum ?? '' };
    } catch {
      pulse = undefined;
      letGo();
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
    connect() {
      const own = readingPool(url, 1);
      others.add(own);
      return own;
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

/** What comes in time; an answer that is overdue counts as none. */
async function soon<T>(answer: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  let timer = setTimeout(() => {
    timer = setTimeout(() => late.reject(new StoreUnavailable('it does not answer')), GRACE_MS);
  }, WITHIN_MS);
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
