import type { SQL } from 'bun';
import type { Dataset } from '../../../catalogue/dataset.ts';
import type { Dialect } from '../../sql/dialect.ts';
import type { PublishingSession } from '../../sql/publisher.ts';
import { publisherOn } from '../../sql/publisher.ts';
import type { Patience, Publisher } from '../../store.ts';
import { StoreBusy } from '../../store.ts';
import { commitInCluster, takeUp } from '../cluster/settle.ts';
import { commit } from '../commit.ts';
import { ask, reserved, writingConnection } from '../connection.ts';
import { takeStore } from '../lock.ts';
import { giveUp } from '../servers/server.ts';
import type { Servers } from '../servers/servers.ts';
import { sessionOn } from '../session.ts';
import { gathering } from './gathering.ts';
import { writerOf } from './writer.ts';

/** A publisher for the store that the servers hold. */
export function postgresPublisher(
  servers: Servers,
  dialect: Dialect,
  catalogue: readonly Dataset[],
  patience?: Patience,
): Publisher {
  return publisherOn(publishing(servers, { ...dialect, isHeld: true }, catalogue), patience);
}

/** How long a server may be silent before what is under way on it is given up. */
const SILENT_MS = 10_000;

function publishing(
  servers: Servers,
  dialect: Dialect,
  catalogue: readonly Dataset[],
): PublishingSession {
  /** In a cluster, the newest revision when the transaction began. */
  let newest = 0;
  let held: Held | undefined;
  /** Kept while another publisher holds the store, to ask again. */
  let waiting: Held | undefined;
  /** What is asked between transactions has a connection for itself; within one, its own. */
  const withConnection = async <T>(work: (connection: SQL) => Promise<T>): Promise<T> => {
    if (held) return work(held.connection);
    const { connection, letGo } = await connected(servers);
    try {
      return await work(connection);
    } finally {
      letGo();
    }
  };
  const within = () => (held as Held).connection;
  const end = async (finish: (connection: SQL) => Promise<void>) => {
    const { connection, letGo } = held as Held;
    held = undefined;
    try {
      await finish(connection);
    } finally {
      letGo();
    }
  };
  return {
    dialect,
    run: (work) => withConnection((connection) => sessionOn(connection, dialect).run(work)),
    walk: (statement) => sessionOn(within(), dialect).walk(statement),
    writer: async (...asked) => {
      const writer = await writerOf(within(), ...asked);
      return dialect.isSpread ? gathering(writer) : writer;
    },
    begin: async () => {
      const next = waiting ?? (await connected(servers));
      waiting = undefined;
      if (await take(next)) {
        if (dialect.isSpread) newest = await leftOver(next, catalogue);
        held = next;
      } else {
        waiting = next;
        throw new StoreBusy('another publisher holds the database');
      }
    },
    isOpen: () => held !== undefined,
    commit: () =>
      end((connection) =>
        dialect.isSpread ? commitInCluster(connection, catalogue, newest) : commit(connection),
      ),
    rollback: () =>
      end(async (connection) => {
        await ask(connection, { sql: 'ROLLBACK', values: [] });
      }),
    close: () => {
      held?.letGo();
      waiting?.letGo();
      servers.close();
    },
  };
}

/** A connection that is given up when its server has been silent for long. */
interface Held {
  readonly connection: SQL;
  letGo(): void;
}

async function connected(servers: Servers): Promise<Held> {
  const server = await servers.writable();
  const pool = writingConnection(server.url);
  let heardMs = performance.now();
  const watch = setInterval(() => {
    if (server.pulse) heardMs = performance.now();
    else if (performance.now() - heardMs > SILENT_MS) giveUp(pool);
  }, 500);
  const letGo = () => {
    clearInterval(watch);
    giveUp(pool);
  };
  try {
    return { connection: await reserved(pool), letGo };
  } catch (cause) {
    letGo();
    throw cause;
  }
}

/** Begins a transaction that holds the store, unless somebody else has it. */
async function take({ connection, letGo }: Held): Promise<boolean> {
  try {
    await ask(connection, { sql: 'BEGIN', values: [] });
    if (await takeStore(connection)) return true;
    await ask(connection, { sql: 'ROLLBACK', values: [] });
    return false;
  } catch (cause) {
    letGo();
    throw cause;
  }
}

/** What another publisher may have left to do is done first; gives the newest revision then. */
async function leftOver({ connection, letGo }: Held, catalogue: readonly Dataset[]) {
  try {
    return await takeUp(connection, catalogue);
  } catch (cause) {
    letGo();
    throw cause;
  }
}
