import type { ServerHealth } from '../../server-health.ts';
import type { Heartbeat, HeartbeatQuery, RevisionIdentity } from './heartbeat.ts';
import type { PostgresServer } from './server.ts';

const NO_REVISION: RevisionIdentity = { revision: 0, checksum: '' };

/** The newest revision of a store and its primary, by the heartbeats of its servers. */
export type ReplicationState = ReturnType<typeof createReplicationState>;

export function createReplicationState() {
  let newestRevision = 0;
  let identity = NO_REVISION;
  let storeId: string | undefined;
  let timeline = 0;
  const primaries = new Set<PostgresServer>();
  const hasSeveralPrimaries = () => primaries.size > 1;
  const isDiverged = ({ revisionIdentity, ...heartbeat }: Heartbeat) =>
    heartbeat.storeId !== storeId ||
    heartbeat.hasDifferentHistory ||
    (revisionIdentity.revision === identity.revision &&
      revisionIdentity.checksum !== identity.checksum) ||
    // Of several primaries the one that was promoted last is right, whatever their revisions.
    (heartbeat.timeline > 0 && heartbeat.timeline < timeline);
  const getHealth = ({ heartbeat }: PostgresServer): ServerHealth => {
    if (!heartbeat) return 'gone';
    if (isDiverged(heartbeat)) return 'diverged';
    // It is unknown which primary is followed by a standby that is ahead of the right one.
    const isAhead = heartbeat.isStandby && heartbeat.revision > newestRevision;
    if (hasSeveralPrimaries() && isAhead) return 'behind';
    return heartbeat.revision < newestRevision ? 'behind' : 'fit';
  };
  /** Forgets revisions, but not which servers accepted writes. */
  const reset = () => {
    [newestRevision, identity] = [0, NO_REVISION];
  };
  return {
    /** The newest revision that any server has shown. */
    get newestRevision() {
      return newestRevision;
    },
    /** Whether more than one server accepted writes, at any time. */
    get hasSeveralPrimaries() {
      return hasSeveralPrimaries();
    },
    getHeartbeatQuery: (): HeartbeatQuery => ({
      revisionIdentity: identity,
      includeTimeline: hasSeveralPrimaries(),
    }),
    /** The heartbeat of the first server says which store it is. */
    recordHeartbeat(server: PostgresServer, isFirst: boolean): void {
      const { heartbeat } = server;
      if (!heartbeat) return;
      if (isFirst && storeId !== heartbeat.storeId) {
        // The state is of another store, which a URL named by mistake.
        reset();
        primaries.clear();
        storeId = heartbeat.storeId;
      }
      storeId ??= heartbeat.storeId;
      if (heartbeat.storeId !== storeId) return;
      if (!heartbeat.isStandby) primaries.add(server);
      timeline = Math.max(timeline, heartbeat.timeline);
      const isLatestPrimary = !heartbeat.isStandby && heartbeat.timeline === timeline;
      if (isDiverged(heartbeat) || (hasSeveralPrimaries() && !isLatestPrimary)) return;
      newestRevision = Math.max(newestRevision, heartbeat.revision);
      if (heartbeat.revisionIdentity.revision > identity.revision)
        identity = heartbeat.revisionIdentity;
    },
    recordRevision(revision: number): void {
      newestRevision = Math.max(newestRevision, revision);
    },
    getHealth,
    reset,
  };
}
