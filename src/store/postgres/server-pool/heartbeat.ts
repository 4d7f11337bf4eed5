import type { SQL } from 'bun';
import type { RevisionIdentity } from '../../reader.ts';
import { type AcceptedLoss, LOSSES_SQL, parseLosses } from '../accepted-losses.ts';
import { withResponseTimeout } from '../response-timeout.ts';

/** The result of a heartbeat: the periodic query that shows whether a server is alive. */
export interface Heartbeat {
  /** Identifies the store and its history, whatever server it is on. */
  readonly storeId: string;
  readonly acceptedLosses: readonly AcceptedLoss[];
  readonly revision: number;
  /** The newest revision as of the query, with its checksum. */
  readonly revisionIdentity: RevisionIdentity;
  /** The revision of the heartbeat query, and whether its history does not contain that. */
  readonly queriedRevision: number;
  readonly hasDifferentHistory: boolean;
  readonly isStandby: boolean;
  readonly schemaVersion: number;
  /** How often a standby was promoted before it became the primary; 0 if unknown. */
  readonly timeline: number;
}

/** The revision that is compared with the newest one of a server. */
export interface HeartbeatQuery {
  readonly revisionIdentity: RevisionIdentity;
  /** Whether several servers accept writes, so that the one promoted last must be found. */
  readonly includeTimeline: boolean;
}

export const HEARTBEAT_INTERVAL_MS = 250;
export const HEARTBEAT_TIMEOUT_MS = 500;

export const HEARTBEAT_SQL = `SELECT coalesce(max(revision), 0) AS revision,
  (SELECT checksum FROM revisions ORDER BY revision DESC LIMIT 1) AS checksum,
  (SELECT checksum FROM revisions WHERE revision = $1) AS "queriedChecksum",
  (SELECT encode(sha256(value), 'hex') FROM secrets WHERE name = 'cursor') AS "storeId",
  (${LOSSES_SQL}) AS losses,
  (SELECT version FROM tenor_schema) AS "schemaVersion",
  pg_is_in_recovery() AS "isStandby" FROM revisions`;

/** Not every server with the protocol of PostgreSQL has these functions. */
export const TIMELINE_SQL = 'SELECT pg_walfile_name(pg_current_wal_lsn()) AS file';

/** Sends a heartbeat query on a connection of its own; throws if the response is late. */
export function queryHeartbeat(
  heartbeatPool: SQL,
  heartbeatQuery: HeartbeatQuery,
  timeoutMs: number,
): Promise<Heartbeat> {
  return withResponseTimeout(readHeartbeat(heartbeatPool, heartbeatQuery), timeoutMs);
}

async function readHeartbeat(
  heartbeatPool: SQL,
  { revisionIdentity: known, includeTimeline }: HeartbeatQuery,
): Promise<Heartbeat> {
  const [row]: HeartbeatRow[] = await heartbeatPool.unsafe(HEARTBEAT_SQL, [known.revision]);
  const { losses, checksum, queriedChecksum, ...state } = row as HeartbeatRow;
  const { revision, isStandby } = state;
  return {
    ...state,
    acceptedLosses: parseLosses(losses),
    revisionIdentity: { revision, checksum: checksum ?? '' },
    queriedRevision: known.revision,
    hasDifferentHistory: revision >= known.revision && (queriedChecksum ?? '') !== known.checksum,
    timeline: includeTimeline && !isStandby ? await readTimeline(heartbeatPool) : 0,
  };
}

interface HeartbeatRow
  extends Pick<Heartbeat, 'storeId' | 'revision' | 'isStandby' | 'schemaVersion'> {
  readonly losses: string | null;
  readonly checksum: string | null;
  readonly queriedChecksum: string | null;
}

/** The name of a WAL file starts with the timeline. */
async function readTimeline(heartbeatPool: SQL): Promise<number> {
  const [row] = await heartbeatPool.unsafe(TIMELINE_SQL).catch(() => []);
  return Number.parseInt(row?.file.slice(0, 8) ?? '0', 16);
}
