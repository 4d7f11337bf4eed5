import type { SQL } from 'bun';
import type { Dialect } from '../sql/dialect.ts';
import type { PublishingSession } from '../sql/publisher.ts';
import { publisherOn } from '../sql/publisher.ts';
import type { Patience, Publisher } from '../store.ts';
import { StoreBusy, StoreUnavailable } from '../store.ts';
import { ask, outOfReach, writingConnection } from './connection.ts';
import type { Servers } from './servers.ts';
import { sessionOn } from './session.ts';
import { writerOf } from './writer.ts';

/** A publisher for the store that the servers hold. */
export function postgresPublisher(
  servers: Servers,
  dialect: Dialect,
  patience?: Patience,
): Publisher {
  return publisherOn(publishing(servers, dialect), patience);
}

/** How long a server may be silent before what is under way on it is given up. */
const SILENT_MS = 10_000;

function publishing(servers: Servers, dialect: Dialect): PublishingSession {
  let pool: SQL | undefined;
  let held: Held | undefined;
  /** Whatever happens between transactions happens on any connection; within one, on its own. */
  const connection = async () => {
    if (held) return held.connection;
    pool ??= writingConnection((await servers.writable()).url);
    return pool;
  };
  const end = async (command: 'COMMIT' | 'ROLLBACK') => {
    const { connection, letGo } = held as Held;
    held = undefined;
    try {
      await ask(connection, { sql: command, values: [] });
    } finally {
      letGo();
    }
  };
  const session = async () => sessionOn(await connection(), dialect);
  return {
    dialect,
    run: async (work) => (await session()).run(work),
    walk: async function* (statement) {
      yield* (await session()).walk(statement);
    },
    writer: async (...asked) => writerOf(await connection(), ...asked),
    begin: async () => {
      held = await hold(servers);
    },
    isOpen: () => held !== undefined,
    commit: () =>
      end('COMMIT').catch((cause) => {
        throw cause instanceof StoreUnavailable ? inDoubt(cause) : cause;
      }),
    rollback: () => end('ROLLBACK'),
    close: () => {
      held?.letGo();
      pool?.close({ timeout: 0 }).catch(() => {});
      servers.close();
    },
  };
}

/** A connection with a transaction that holds the store. */
interface Held {
  readonly connection: SQL;
  letGo(): void;
}

/** The lock is the schema's: whoever publishes into it, from whatever machine, holds the same. */
const LOCK = `SELECT pg_try_advisory_xact_lock(hashtext('tenor'), hashtext(current_schema())) AS held`;

async function hold(servers: Servers): Promise<Held> {
  const server = await servers.writable();
  const pool = writingConnection(server.url);
  let heardMs = performance.now();
  const watch = setInterval(() => {
    if (server.pulse) heardMs = performance.now();
    else if (performance.now() - heardMs > SILENT_MS) pool.close({ timeout: 0 }).catch(() => {});
  }, 500);
  const letGo = () => {
    clearInterval(watch);
    pool.close({ timeout: 0 }).catch(() => {});
  };
  try {
    // Reserved, so that a lost connection is not silently replaced by one without a transaction.
    const connection = await pool.reserve().catch((cause) => {
      throw outOfReach(cause);
    });
    await ask(connection, { sql: 'BEGIN', values: [] });
    const [lock] = (await ask(connection, { sql: LOCK, values: [] })) as { held: boolean }[];
    if (!lock?.held) throw new StoreBusy('another publisher holds the database');
    return { connection, letGo };
  } catch (cause) {
    letGo();
    throw cause;
  }
}

function inDoubt(cause: StoreUnavailable): StoreUnavailable {
  const asked = 'the server was lost while it was asked to keep the revision';
  return new StoreUnavailable(`${asked}: tenor revisions tells whether it did`, { cause });
}
