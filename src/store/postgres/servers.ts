import type { Condition, OnCondition } from '../store.ts';
import { StoreUnavailable } from '../store.ts';
import { addressOf } from './address.ts';
import { ask } from './connection.ts';
import type { Mark, Server } from './server.ts';
import { serverAt } from './server.ts';

/** The servers that hold one store: the first of them, and those that follow it. */
export interface Servers {
  /** The newest revision that any of them has shown. */
  newest(): Promise<number>;
  /**
   * Reads from a server that has the newest revision that was seen, and from another one where it
   * fails: from a replica where one is fit, or from the first server.
   */
  reading<T>(read: (server: Server, newest: number) => Promise<T>): Promise<T>;
  /** An answer of a server was from this revision: no later answer is from an older one. */
  showed(server: Server, revision: number): void;
  /** The server that takes what is published. */
  writable(): Promise<Server>;
  close(): void;
}

/** A replica is behind for a moment whenever something is published: that is not worth a word. */
const BEHIND_AFTER_PULSES = 8;
/** What has failed after this long is not tried anew: whoever asked has waited enough. */
const TRIED_WITHIN_MS = 2_000;

/** Keeps in touch with the servers at those addresses; the first is the one that they follow. */
export function serversAt(
  urls: readonly string[],
  poolSize: number,
  onCondition: OnCondition = () => {},
): Servers {
  let newest = 0;
  let mark: Mark = { revision: 0, checksum: '' };
  let turn = 0;
  const conditionOf = ({ pulse }: Server): Condition => {
    if (!pulse) return 'gone';
    const isOther = pulse.mark.revision === mark.revision && pulse.mark.checksum !== mark.checksum;
    if (isOther || pulse.isOther) return 'diverged';
    return pulse.revision < newest ? 'behind' : 'fit';
  };
  const isFit = (server: Server) => conditionOf(server) === 'fit';
  const tell = teller(onCondition);
  const heard = (server: Server) => {
    const { pulse } = server;
    if (pulse && !pulse.isOther) {
      newest = Math.max(newest, pulse.revision);
      if (pulse.mark.revision > mark.revision) mark = pulse.mark;
    }
    tell(server, conditionOf(server));
  };
  const servers = urls.map((url) => serverAt(url, poolSize, () => mark, heard));
  const ready = Promise.all(servers.map((server) => server.ask()));

  /** Replicas in turn, then the first server: those that are fit. */
  const inOrder = (): Server[] => {
    const [first, ...replicas] = servers;
    const at = replicas.length === 0 ? 0 : turn++ % replicas.length;
    const all = [...replicas.slice(at), ...replicas.slice(0, at), ...(first ? [first] : [])];
    return all.filter(isFit);
  };
  /** The same. Where none is, they may have caught up since they were last asked. */
  const askable = async (): Promise<Server[]> => {
    await ready;
    const known = inOrder();
    const behind = servers.filter((server) => conditionOf(server) === 'behind');
    if (known.length > 0 || behind.length === 0) return known;
    await Promise.all(behind.map((server) => server.ask()));
    return inOrder();
  };
  return {
    async newest() {
      await ready;
      await servers[0]?.ask();
      if (!servers.some(isFit)) throw silent(servers);
      return newest;
    },
    async reading(read) {
      const startedMs = performance.now();
      let failure: unknown;
      for (const server of await askable()) {
        try {
          return await read(server, newest);
        } catch (cause) {
          if (!(cause instanceof StoreUnavailable)) throw cause;
          failure = cause;
          if (performance.now() - startedMs > TRIED_WITHIN_MS) break;
        }
      }
      throw failure ?? silent(servers);
    },
    showed(server, revision) {
      server.showed(revision);
      newest = Math.max(newest, revision);
    },
    async writable() {
      await ready;
      const found = servers.filter((server) => isFit(server) && !server.pulse?.isStandby);
      if (found.length === 0) throw servers.some(isFit) ? onlyFollowing() : silent(servers);
      return lastPromoted(found);
    },
    close() {
      for (const server of servers) server.close();
    },
  };
}

function silent(servers: readonly Server[]): StoreUnavailable {
  const isUp = servers.some(({ pulse }) => pulse);
  return new StoreUnavailable(
    isUp ? 'no server has the newest revision that was seen' : 'no server answers',
  );
}

function onlyFollowing(): StoreUnavailable {
  return new StoreUnavailable(
    'the server that takes what is published does not answer; those that do only follow it',
  );
}

/** After a standby was promoted the old primary may be back, and take writes that nobody sees. */
async function lastPromoted(found: readonly Server[]): Promise<Server> {
  const [first] = found;
  if (found.length === 1 && first) return first;
  const sql = 'SELECT pg_walfile_name(pg_current_wal_lsn()) AS file';
  const timelines = await Promise.all(
    found.map(async ({ pool }) => {
      const [row] = (await ask(pool, { sql, values: [] })) as { file: string }[];
      return Number.parseInt(row?.file.slice(0, 8) ?? '', 16);
    }),
  );
  return found[timelines.indexOf(Math.max(...timelines))] as Server;
}

/** Tells of changes only. */
function teller(onCondition: OnCondition): (server: Server, condition: Condition) => void {
  const told = new Map<Server, { condition: Condition; behind: number }>();
  return (server, condition) => {
    const last = told.get(server) ?? { condition: 'fit', behind: 0 };
    const behind = condition === 'behind' ? last.behind + 1 : 0;
    const isNew = condition !== last.condition && !(behind > 0 && behind < BEHIND_AFTER_PULSES);
    if (isNew) onCondition(addressOf(server.url), condition);
    told.set(server, { condition: isNew ? condition : last.condition, behind });
  };
}
