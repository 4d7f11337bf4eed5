import { createBoundedMap } from '../../../shared/memoize.ts';
import { StoreUnavailableError } from '../../errors.ts';
import {
  NO_REVISION,
  NOTHING_SEEN,
  type RevisionIdentity,
  type SeenRevision,
} from '../../reader.ts';
import type { ServerHealth } from '../../server-status.ts';
import type { AcceptedLoss } from '../accepted-losses.ts';
import type { Heartbeat, HeartbeatQuery } from './heartbeat.ts';
import type { PostgresServer } from './server.ts';

const MAX_CHECKSUMS = 100;

/** The newest revision of a store and its primary, by the heartbeats of its servers. */
export class ReplicationState {
  newestRevision = 0;
  /** The newest that any server of the store had; 0 before the first heartbeat. */
  schemaVersion = 0;
  /** Identifies the store and its history; undefined before the first heartbeat. */
  storeId: string | undefined;
  /** The newest that other readers of the store have seen. */
  #observed = NOTHING_SEEN;
  #identity = NO_REVISION;
  /** The checksums of the last revisions that were known. */
  checksums = createChecksums();
  #acceptedLosses: readonly AcceptedLoss[] = [];
  #timeline = 0;
  readonly #primaries = new Set<PostgresServer>();
  /** The last known timeline of each server since it was last unreachable. */
  readonly #timelines = new Map<PostgresServer, number>();

  /** Whether more than one server accepted writes, at any time. */
  get hasSeveralPrimaries(): boolean {
    return this.#primaries.size > 1;
  }

  /** The newest revision of histories that were given up; 0 if there were none. */
  get lostRevision(): number {
    return Math.max(0, ...this.#acceptedLosses.map(({ revision }) => revision));
  }

  getHeartbeatQuery(): HeartbeatQuery {
    return { revisionIdentity: this.#identity, includeTimeline: this.hasSeveralPrimaries };
  }

  getHealth({ heartbeat }: PostgresServer): ServerHealth {
    if (!heartbeat) return 'unreachable';
    if (this.#isDiverged(heartbeat)) return 'diverged';
    if (this.isUnrelated(heartbeat)) return 'lagging';
    // It is unknown whether one that is ahead of the right primary follows it, or is the old one.
    const isAhead = heartbeat.revision > this.#identity.revision;
    if (this.hasSeveralPrimaries && isAhead) return 'lagging';
    return heartbeat.revision < this.newestRevision ? 'lagging' : 'healthy';
  }

  #isDiverged({ storeId, hasDifferentHistory, revisionIdentity, timeline }: Heartbeat): boolean {
    return (
      storeId !== this.storeId ||
      hasDifferentHistory ||
      this.#isOther(revisionIdentity) ||
      // Of several primaries the one that was promoted last is right, whatever their revisions.
      (timeline > 0 && timeline < this.#timeline)
    );
  }

  /**
   * Whether it has a later revision than the one that is known, and was sent before that was: it does
   * not tell whether one follows the other.
   */
  isUnrelated({ revision, queriedRevision }: Heartbeat): boolean {
    return revision > this.#identity.revision && queriedRevision < this.#identity.revision;
  }

  /** Whether it is a revision of another history, with the number of one that is known. */
  #isOther({ revision, checksum }: RevisionIdentity): boolean {
    return (this.checksums.get(revision) ?? checksum) !== checksum;
  }

  /** Whether a server that is behind has got no other revisions than those that are known. */
  isKnown({ revisionIdentity: { revision, checksum } }: Heartbeat): boolean {
    return this.checksums.get(revision) === checksum;
  }

  #setIdentity(identity: RevisionIdentity): void {
    this.#identity = identity;
    this.checksums.set(identity.revision, identity.checksum);
  }

  recordHeartbeat(server: PostgresServer, isFirst: boolean): void {
    const { heartbeat } = server;
    if (!heartbeat) return void this.#timelines.delete(server);
    if (heartbeat.storeId !== this.storeId && this.#shouldFollow(heartbeat, isFirst)) {
      // Before the first heartbeat, another reader may have seen a revision.
      if (this.storeId !== undefined) {
        this.#observed = NOTHING_SEEN;
        this.reset();
      }
      this.#primaries.clear();
      this.#timelines.clear();
      this.#timeline = 0;
      this.storeId = heartbeat.storeId;
    }
    if (heartbeat.storeId !== this.storeId) return;
    this.#acceptedLosses = heartbeat.acceptedLosses;
    this.schemaVersion = Math.max(this.schemaVersion, heartbeat.schemaVersion);
    if (!heartbeat.isStandby) this.#primaries.add(server);
    this.#timeline = Math.max(this.#timeline, heartbeat.timeline);
    if (heartbeat.timeline > 0) this.#timelines.set(server, heartbeat.timeline);
    const timeline = this.#timelines.get(server) ?? 0;
    const isLatestPrimary = !heartbeat.isStandby && timeline === this.#timeline;
    if (this.#isDiverged(heartbeat) || this.isUnrelated(heartbeat)) return;
    if (this.hasSeveralPrimaries && !isLatestPrimary) return;
    this.recordRevision(heartbeat.revision);
    if (heartbeat.revisionIdentity.revision > this.#identity.revision)
      this.#setIdentity(heartbeat.revisionIdentity);
  }

  /** Whether the store of a heartbeat takes the place of the one that is known. */
  #shouldFollow({ storeId, acceptedLosses, ...heartbeat }: Heartbeat, isFirst: boolean): boolean {
    if (this.storeId === undefined) return true;
    const isGivenUp = this.#acceptedLosses.some((loss) => loss.storeId === storeId);
    if (isGivenUp) return false;
    const accepted = acceptedLosses.find((loss) => loss.storeId === this.storeId);
    // The heartbeat of the first server says which store it is.
    if (!accepted) return isFirst;
    const isNothingLost =
      heartbeat.revision >= this.newestRevision && !heartbeat.hasDifferentHistory;
    return !heartbeat.isStandby && (isNothingLost || this.newestRevision <= accepted.revision);
  }

  recordRevision(revision: number): void {
    this.newestRevision = Math.max(this.newestRevision, revision);
  }

  get newestSeen(): SeenRevision {
    return { revision: this.newestRevision, identity: this.#identity };
  }

  /** Whether no server has to tell if a revision is of the history that is known. */
  canCompare({ revision }: RevisionIdentity): boolean {
    return this.#identity.revision === 0 || revision === 0 || this.checksums.has(revision);
  }

  observeRevision(
    revision: number,
    identity = NO_REVISION,
    checksum = this.checksums.get(identity.revision) ?? identity.checksum,
  ): void {
    if (checksum !== identity.checksum)
      throw new StoreUnavailableError(`another history has another revision ${identity.revision}`);
    const { revision: observed, identity: known } = this.#observed;
    this.#observed = {
      revision: Math.max(observed, revision),
      identity: identity.revision > known.revision ? identity : known,
    };
    this.checksums.set(identity.revision, checksum);
    if (identity.revision > this.#identity.revision) this.#identity = identity;
    this.recordRevision(revision);
  }

  /** Forgets revisions of heartbeats, but not which servers accepted writes. */
  reset(): void {
    this.newestRevision = this.#observed.revision;
    this.checksums = createChecksums();
    this.#setIdentity(this.#observed.identity);
  }
}

/** Before the first revision, all histories are the same. */
function createChecksums() {
  const checksums = createBoundedMap<number, string>(MAX_CHECKSUMS);
  checksums.set(NO_REVISION.revision, NO_REVISION.checksum);
  return checksums;
}
