import type { Condition, OnCondition } from '../store.ts';
import { StoreUnavailable } from '../store.ts';
import { addressOf } from './address.ts';
import type { Mark, Pulse, Server } from './server.ts';
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

const NOTHING: Mark = { revision: 0, checksum: '' };

/** Keeps in touch with the servers at those addresses; the first is the one that they follow. */
export function serversAt(
  urls: readonly string[],
  poolSize: number,
  onCondition: OnCondition = () => {},
): Servers {
  let newest = 0;
  let mark = NOTHING;
  let turn = 0;
  /** All that ever took writes. Of several the one that was promoted last is right. */
  const primaries = new Set<Server>();
  let timeline = 0;
  const isOther = ({ revision, checksum }: Mark) =>
    revision === mark.revision && checksum !== mark.checksum;
  const isReplaced = (pulse: Pulse) => pulse.timeline > 0 && pulse.timeline < timeline;
  const conditionOf = ({ pulse }: Server): Condition => {
    if (!pulse) return 'gone';
    if (pulse.isOther || isOther(pulse.mark) || isReplaced(pulse)) return 'diverged';
    return pulse.revision < newest ? 'behind' : 'fit';
  };
  const isFit = (server: Server) => conditionOf(server) === 'fit';
  const tell = teller(onCondition);
  const heard = (server: Server) => {
    const { pulse } = server;
    if (pulse && !pulse.isStandby) primaries.add(server);
    timeline = Math.max(timeline, pulse?.timeline ?? 0);
    if (pulse && conditionOf(server) !== 'diverged') {
      newest = Math.max(newest, pulse.revision);
      if (pulse.mark.revision > mark.revision) mark = pulse.mark;
    }
    tell(server, conditionOf(server));
  };
  const question = () => ({ mark, isContested: primaries.size > 1 });
  const servers = urls.map((url) => serverAt(url, poolSize, question, heard));
  const askAll = () => Promise.all(servers.map((server) => server.ask()));
  const begin = async () => {
    await askAll();
    // Of several that take writes, nothing counts before it is known which of them is right.
    for (let round = 0; round < 2 && primaries.size > 1; round++) {
      [newest, mark] = [0, NOTHING];
      await askAll();
    }
  };
  const ready = begin();

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
      const takesWrites = (server: Server) => isFit(server) && !server.pulse?.isStandby;
      if (!servers.some(takesWrites)) await askAll();
      const found = servers.find(takesWrites);
      if (found) return found;
      throw servers.some(isFit) ? onlyFollowing() : silent(servers);
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
