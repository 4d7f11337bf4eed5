import { StoreUnavailableError } from '../../errors.ts';
import type { OnServerHealthChange, ServerHealth } from '../../server-health.ts';
import type { PoolOptions } from '../connection.ts';
import { formatPublicAddress } from '../url.ts';
import type { ReplicationState } from './replication-state.ts';
import { createReplicationState } from './replication-state.ts';
import type { PostgresServer } from './server.ts';
import { createPostgresServer } from './server.ts';

/** The servers that hold one store: the first of them, and those that follow it. */
export interface ServerPool {
  /** The newest revision that any of them has shown. */
  newestRevision(): Promise<number>;
  /**
   * Reads from a server that has the newest revision that was seen, and from another one where it
   * fails: from a replica where one is fit, or from the first server.
   */
  read<T>(read: (server: PostgresServer, newest: number) => Promise<T>): Promise<T>;
  /** An answer of a server was from this revision: no later answer is from an older one. */
  recordRevision(server: PostgresServer, revision: number): void;
  /** The server that takes what is published. */
  getPrimary(): Promise<PostgresServer>;
  close(): void;
}

/** A replica is behind for a moment whenever something is published: that is not worth a word. */
const LAGGING_AFTER_HEARTBEATS = 8;
/** How long a piece of work may take, of which no statement may take more than ten seconds. */
const READ_TIMEOUT_MS = 25_000;
/** What has failed after this long is not tried anew: whoever asked has waited enough. */
const RETRY_WINDOW_MS = 2_000;

/** Keeps in touch with the servers at those addresses; the first is the one that they follow. */
export function createServerPool(
  urls: readonly string[],
  how: PoolOptions,
  onCondition: OnServerHealthChange = () => {},
): ServerPool {
  const known = createReplicationState();
  const { getHealth } = known;
  let turn = 0;
  const isFit = (server: PostgresServer) => getHealth(server) === 'fit';
  const takesWrites = (server: PostgresServer) => isFit(server) && !server.heartbeat?.isStandby;
  const tell = createHealthReporter(onCondition);
  const servers = urls.map((url, index) =>
    createPostgresServer(url, how, known.heartbeatQuery, (server) => {
      known.recordHeartbeat(server, index === 0);
      tell(server, getHealth(server));
    }),
  );
  const askAll = () => Promise.all(servers.map((server) => server.sendHeartbeat()));
  const ready = resolvePrimary(known, askAll);

  /** Replicas in turn, then the first server: those that are fit. */
  const inOrder = (): PostgresServer[] => {
    const [first, ...replicas] = servers;
    const at = replicas.length === 0 ? 0 : turn++ % replicas.length;
    const all = [...replicas.slice(at), ...replicas.slice(0, at), ...(first ? [first] : [])];
    return all.filter(isFit);
  };
  /** The same. Where none is, they may have caught up since they were last asked. */
  const askable = async (): Promise<PostgresServer[]> => {
    await ready;
    const fit = inOrder();
    const behind = servers.filter((server) => getHealth(server) === 'behind');
    if (fit.length > 0 || behind.length === 0) return fit;
    await Promise.all(behind.map((server) => server.sendHeartbeat()));
    return inOrder();
  };
  return {
    async newestRevision() {
      await ready;
      // The others follow it. Where there is none, nobody waits for one to come.
      await servers.find(takesWrites)?.sendHeartbeat();
      if (!servers.some(isFit)) throw createNoServerError(servers);
      return known.newestRevision;
    },
    async read(read) {
      const startedMs = performance.now();
      let failure: unknown;
      for (const server of await askable()) {
        try {
          return await withReadTimeout(server, read(server, known.newestRevision));
        } catch (cause) {
          if (!(cause instanceof StoreUnavailableError)) throw cause;
          failure = cause;
          if (performance.now() - startedMs > RETRY_WINDOW_MS) break;
        }
      }
      throw failure ?? createNoServerError(servers);
    },
    recordRevision(server, revision) {
      server.recordRevision(revision);
      known.recordRevision(revision);
    },
    async getPrimary() {
      await ready;
      if (!servers.some(takesWrites)) await askAll();
      const found = servers.find(takesWrites);
      if (found) return found;
      throw servers.some(isFit) ? createNoPrimaryError() : createNoServerError(servers);
    },
    close() {
      for (const server of servers) server.close();
    },
  };
}

/** Hears all of them. Of several that take writes, it must be known which one is right. */
async function resolvePrimary(
  known: ReplicationState,
  askAll: () => Promise<unknown>,
): Promise<void> {
  await askAll();
  if (!known.hasSeveralPrimaries) return;
  // Which was promoted last; what its history is; who else has that.
  for (const isAnew of [true, true, false]) {
    if (isAnew) known.reset();
    await askAll();
  }
}

/**
 * What comes in time. A server may answer on one connection while another leads nowhere: where no
 * answer at all has come for long, all of them are made anew.
 */
async function withReadTimeout<T>(server: PostgresServer, answer: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    if (performance.now() - server.lastResponseMs > READ_TIMEOUT_MS / 2) server.recreatePool();
    late.reject(new StoreUnavailableError('it took too long'));
  }, READ_TIMEOUT_MS);
  try {
    const found = await Promise.race([answer, late.promise]);
    server.lastResponseMs = performance.now();
    return found;
  } finally {
    clearTimeout(timer);
  }
}

function createNoServerError(servers: readonly PostgresServer[]): StoreUnavailableError {
  const isUp = servers.some(({ heartbeat }) => heartbeat);
  return new StoreUnavailableError(
    isUp ? 'no server has the newest revision that was seen' : 'no server answers',
  );
}

function createNoPrimaryError(): StoreUnavailableError {
  return new StoreUnavailableError(
    'the server that takes what is published does not answer; those that do only follow it',
  );
}

/** Tells of changes only. */
function createHealthReporter(
  onCondition: OnServerHealthChange,
): (server: PostgresServer, condition: ServerHealth) => void {
  const told = new Map<PostgresServer, { condition: ServerHealth; behind: number }>();
  return (server, condition) => {
    const last = told.get(server) ?? { condition: 'fit', behind: 0 };
    const behind = condition === 'behind' ? last.behind + 1 : 0;
    const isNew =
      condition !== last.condition && !(behind > 0 && behind < LAGGING_AFTER_HEARTBEATS);
    if (isNew) onCondition(formatPublicAddress(server.url), condition, server.lastError);
    told.set(server, { condition: isNew ? condition : last.condition, behind });
  };
}
