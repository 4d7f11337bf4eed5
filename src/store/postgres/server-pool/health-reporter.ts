import { formatPublicAddress } from '../../../shared/postgres-url.ts';
import type { OnServerHealthChange, ServerHealth } from '../../server-status.ts';
import type { ReplicationState } from './replication-state.ts';
import type { PostgresServer } from './server.ts';

/** A replica lags for a moment after each publication: that is not reported. */
const LAGGING_AFTER_HEARTBEATS = 8;
/** A cause of being unreachable that is new is reported when it stays, as two may alternate. */
const NEW_CAUSE_AFTER_HEARTBEATS = 3;

interface ReportedHealth {
  readonly health: ServerHealth;
  readonly cause: string | undefined;
}

/** Returns what is called after each heartbeat, and reports the changes that matter. */
export function createHealthReporter(
  state: ReplicationState,
  onHealthChange: OnServerHealthChange,
): (server: PostgresServer) => void {
  const reported = new Map<PostgresServer, ReportedHealth>();
  const unreported = new Map<PostgresServer, ReportedHealth & { count: number }>();
  return (server) => {
    const health = state.getHealth(server);
    const cause = explainHealth(server, health, state);
    const last = reported.get(server) ?? { health: 'healthy', cause: undefined };
    const hasNewCause = health === 'unreachable' && cause !== last.cause;
    if (health === last.health && !hasNewCause) {
      unreported.delete(server);
      return;
    }
    const pending = unreported.get(server);
    const isSame =
      pending?.health === health && (health !== 'unreachable' || pending.cause === cause);
    const count = isSame ? pending.count + 1 : 1;
    unreported.set(server, { health, cause, count });
    if (count < countHeartbeatsToReport(health, last.health)) return;
    unreported.delete(server);
    reported.set(server, { health, cause });
    onHealthChange(formatPublicAddress(server.url), health, cause);
  };
}

function countHeartbeatsToReport(health: ServerHealth, lastHealth: ServerHealth): number {
  if (health === 'lagging') return LAGGING_AFTER_HEARTBEATS;
  return health === lastHealth ? NEW_CAUSE_AFTER_HEARTBEATS : 1;
}

function explainHealth(
  { heartbeat, lastError }: PostgresServer,
  health: ServerHealth,
  { newestRevision }: ReplicationState,
): string | undefined {
  if (health === 'unreachable') return lastError;
  return health === 'lagging' && heartbeat
    ? `it has revision ${heartbeat.revision}, and ${newestRevision} was seen`
    : undefined;
}
