import type { ServerHealth } from '../../store.ts';
import type { Heartbeat, HeartbeatQuery, RevisionIdentity } from './heartbeat.ts';
import type { PostgresServer } from './server.ts';

const NO_REVISION: RevisionIdentity = { revision: 0, checksum: '' };

/** The newest revision of a store and its primary, by the heartbeats of its servers. */
export class ReplicationState {
  newestRevision = 0;
  #identity = NO_REVISION;
  #storeId: string | undefined;
  #timeline = 0;
  readonly #primaries = new Set<PostgresServer>();

  /** Whether more than one server accepted writes, at any time. */
  get hasSeveralPrimaries(): boolean {
    return this.#primaries.size > 1;
  }

  getHeartbeatQuery(): HeartbeatQuery {
    return { revisionIdentity: this.#identity, includeTimeline: this.hasSeveralPrimaries };
  }

  getHealth({ heartbeat }: PostgresServer): ServerHealth {
    if (!heartbeat) return 'gone';
    if (this.#isDiverged(heartbeat)) return 'diverged';
    // It is unknown which primary is followed by a standby that is ahead of the right one.
    const isAhead = heartbeat.isStandby && heartbeat.revision > this.newestRevision;
    if (this.hasSeveralPrimaries && isAhead) return 'behind';
    return heartbeat.revision < this.newestRevision ? 'behind' : 'fit';
  }

  #isDiverged({ revisionIdentity, ...heartbeat }: Heartbeat): boolean {
    return (
      heartbeat.storeId !== this.#storeId ||
      heartbeat.hasDifferentHistory ||
      (revisionIdentity.revision === this.#identity.revision &&
        revisionIdentity.checksum !== this.#identity.checksum) ||
      // Of several primaries the one that was promoted last is right, whatever their revisions.
      (heartbeat.timeline > 0 && heartbeat.timeline < this.#timeline)
    );
  }

  /** The heartbeat of the first server says which store it is. */
  recordHeartbeat(server: PostgresServer, isFirst: boolean): void {
    const { heartbeat } = server;
    if (!heartbeat) return;
    const isOtherStore = this.#storeId !== undefined && this.#storeId !== heartbeat.storeId;
    if (isFirst && isOtherStore) {
      // The state is of another store, which a URL named by mistake.
      this.reset();
      this.#primaries.clear();
      this.#storeId = heartbeat.storeId;
    }
    this.#storeId ??= heartbeat.storeId;
    if (heartbeat.storeId !== this.#storeId) return;
    if (!heartbeat.isStandby) this.#primaries.add(server);
    this.#timeline = Math.max(this.#timeline, heartbeat.timeline);
    const isLatestPrimary = !heartbeat.isStandby && heartbeat.timeline === this.#timeline;
    if (this.#isDiverged(heartbeat) || (this.hasSeveralPrimaries && !isLatestPrimary)) return;
    this.recordRevision(heartbeat.revision);
    if (heartbeat.revisionIdentity.revision > this.#identity.revision)
      this.#identity = heartbeat.revisionIdentity;
  }

  recordRevision(revision: number): void {
    this.newestRevision = Math.max(this.newestRevision, revision);
  }

  /** Forgets revisions, but not which servers accepted writes. */
  reset(): void {
    this.newestRevision = 0;
    this.#identity = NO_REVISION;
  }
}
