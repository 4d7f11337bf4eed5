import type { ServerHealth } from '../../store.ts';
import type { Heartbeat, HeartbeatQuery, PostgresServer, RevisionIdentity } from './server.ts';

/** What is known of the store's history, by all that its servers have told. */
export interface ReplicationState {
  /** The newest revision that any of them has shown. */
  readonly newest: number;
  /** What each of them is asked. */
  question(): HeartbeatQuery;
  /** A server has told how it does, or has not answered; the first says which store it is. */
  heard(server: PostgresServer, isFirst: boolean): void;
  /** An answer was from this revision. */
  showed(revision: number): void;
  conditionOf(server: PostgresServer): ServerHealth;
  /** Whether more than one of them took writes, at one time or another. */
  readonly isContested: boolean;
  /** Begins anew, but for who took writes. */
  forget(): void;
}

const NO_REVISION: RevisionIdentity = { revision: 0, checksum: '' };

/** Knows nothing yet. */
export function createReplicationState(): ReplicationState {
  let newest = 0;
  let mark = NO_REVISION;
  let store: string | undefined;
  const primaries = new Set<PostgresServer>();
  let timeline = 0;
  const isContested = () => primaries.size > 1;
  const isOther = (pulse: Heartbeat) =>
    pulse.store !== store ||
    pulse.isOther ||
    (pulse.mark.revision === mark.revision && pulse.mark.checksum !== mark.checksum);
  // Of several that take writes the one that was promoted last is right, whatever they hold.
  const isReplaced = (pulse: Heartbeat) => pulse.timeline > 0 && pulse.timeline < timeline;
  const conditionOf = ({ pulse }: PostgresServer): ServerHealth => {
    if (!pulse) return 'gone';
    if (isOther(pulse) || isReplaced(pulse)) return 'diverged';
    // Nobody knows yet whom a standby follows that is ahead of the server which is right.
    if (isContested() && pulse.isStandby && pulse.revision > newest) return 'behind';
    return pulse.revision < newest ? 'behind' : 'fit';
  };
  return {
    get newest() {
      return newest;
    },
    get isContested() {
      return isContested();
    },
    question: () => ({ mark, isContested: isContested() }),
    heard(server, isFirst) {
      const { pulse } = server;
      if (!pulse) return;
      if (isFirst && store !== pulse.store) {
        // What was known is of another store, to which an address led by mistake.
        [newest, mark] = [0, NO_REVISION];
        primaries.clear();
        store = pulse.store;
      }
      store ??= pulse.store;
      if (pulse.store !== store) return;
      if (!pulse.isStandby) primaries.add(server);
      timeline = Math.max(timeline, pulse.timeline);
      const isRight = !pulse.isStandby && pulse.timeline === timeline;
      if (conditionOf(server) === 'diverged' || (isContested() && !isRight)) return;
      newest = Math.max(newest, pulse.revision);
      if (pulse.mark.revision > mark.revision) mark = pulse.mark;
    },
    showed(revision) {
      newest = Math.max(newest, revision);
    },
    conditionOf,
    forget() {
      [newest, mark] = [0, NO_REVISION];
    },
  };
}
