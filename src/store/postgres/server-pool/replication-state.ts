import type { ServerHealth } from '../../server-health.ts';
import type { Heartbeat, HeartbeatQuery, PostgresServer, RevisionIdentity } from './server.ts';

/** What is known of the store's history, by all that its servers have told. */
export interface ReplicationState {
  /** The newest revision that any of them has shown. */
  readonly newestRevision: number;
  /** What each of them is asked. */
  heartbeatQuery(): HeartbeatQuery;
  /** A server has told how it does, or has not answered; the first says which store it is. */
  recordHeartbeat(server: PostgresServer, isFirst: boolean): void;
  /** An answer was from this revision. */
  recordRevision(revision: number): void;
  getHealth(server: PostgresServer): ServerHealth;
  /** Whether more than one of them took writes, at one time or another. */
  readonly hasSeveralPrimaries: boolean;
  /** Begins anew, but for who took writes. */
  reset(): void;
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
    pulse.storeId !== store ||
    pulse.hasDifferentHistory ||
    (pulse.revisionIdentity.revision === mark.revision &&
      pulse.revisionIdentity.checksum !== mark.checksum);
  // Of several that take writes the one that was promoted last is right, whatever they hold.
  const isReplaced = (pulse: Heartbeat) => pulse.timeline > 0 && pulse.timeline < timeline;
  const conditionOf = ({ heartbeat }: PostgresServer): ServerHealth => {
    if (!heartbeat) return 'gone';
    if (isOther(heartbeat) || isReplaced(heartbeat)) return 'diverged';
    // Nobody knows yet whom a standby follows that is ahead of the server which is right.
    if (isContested() && heartbeat.isStandby && heartbeat.revision > newest) return 'behind';
    return heartbeat.revision < newest ? 'behind' : 'fit';
  };
  return {
    get newestRevision() {
      return newest;
    },
    get hasSeveralPrimaries() {
      return isContested();
    },
    heartbeatQuery: () => ({ revisionIdentity: mark, includeTimeline: isContested() }),
    recordHeartbeat(server, isFirst) {
      const { heartbeat: pulse } = server;
      if (!pulse) return;
      if (isFirst && store !== pulse.storeId) {
        // What was known is of another store, to which an address led by mistake.
        [newest, mark] = [0, NO_REVISION];
        primaries.clear();
        store = pulse.storeId;
      }
      store ??= pulse.storeId;
      if (pulse.storeId !== store) return;
      if (!pulse.isStandby) primaries.add(server);
      timeline = Math.max(timeline, pulse.timeline);
      const isRight = !pulse.isStandby && pulse.timeline === timeline;
      if (conditionOf(server) === 'diverged' || (isContested() && !isRight)) return;
      newest = Math.max(newest, pulse.revision);
      if (pulse.revisionIdentity.revision > mark.revision) mark = pulse.revisionIdentity;
    },
    recordRevision(revision) {
      newest = Math.max(newest, revision);
    },
    getHealth: conditionOf,
    reset() {
      [newest, mark] = [0, NO_REVISION];
    },
  };
}
