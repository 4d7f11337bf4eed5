import type { Condition, OnCondition } from '../store.ts';
import { StoreUnavailable } from '../store.ts';
import { addressOf } from './address.ts';
import type { Server } from './server.ts';
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
  /** The server that takes what is published. */
  writable(): Promise<Server>;
  close(): void;
}

/** A replica is behind for a moment whenever something is published: that is not worth a word. */
const BEHIND_AFTER_PULSES = 8;

/** Keeps in touch with the servers at those addresses; the first is the one that they follow. */
export function serversAt(
  urls: readonly string[],
  poolSize: number,
  onCondition: OnCondition = () => {},
): Servers {
  let newest = { revision: 0, checksum: '' };
  let turn = 0;
  const conditionOf = ({ pulse }: Server): Condition => {
    if (!pulse) return 'gone';
    if (pulse.revision < newest.revision) return 'behind';
    return pulse.revision > newest.revision || pulse.checksum === newest.checksum
      ? 'fit'
      : 'diverged';
  };
  const tell = teller(onCondition);
  const servers = urls.map((url) =>
    serverAt(url, poolSize, (server) => {
      const { pulse } = server;
      if (pulse && pulse.revision > newest.revision) newest = pulse;
      tell(server, conditionOf(server));
    }),
  );
  const ready = Promise.all(servers.map((server) => server.ask()));

  /** Replicas in turn, then the first server. */
  const inOrder = (): Server[] => {
    const [first, ...replicas] = servers;
    const at = replicas.length === 0 ? 0 : turn++ % replicas.length;
    return [...replicas.slice(at), ...replicas.slice(0, at), ...(first ? [first] : [])];
  };
  return {
    async newest() {
      await ready;
      await servers[0]?.ask();
      if (servers.every((server) => conditionOf(server) !== 'fit')) throw silent(servers);
      return newest.revision;
    },
    async reading(read) {
      await ready;
      const { revision } = newest;
      let failure: unknown;
      for (const server of inOrder()) {
        if (conditionOf(server) !== 'fit') continue;
        try {
          return await read(server, revision);
        } catch (cause) {
          if (!(cause instanceof StoreUnavailable)) throw cause;
          failure = cause;
        }
      }
      throw failure ?? silent(servers);
    },
    async writable() {
      await ready;
      const found = servers.find(({ pulse }) => pulse && !pulse.isStandby);
      if (!found) throw silent(servers);
      return found;
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
