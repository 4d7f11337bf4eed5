import type { FollowStatus } from '../../follow/follow-status.ts';
import type {
  ReadinessWarning,
  UnavailableReason,
} from '../../operations/health/health-operations.ts';
import type { Readiness } from '../../operations/health/health-routes.ts';
import type { ServerStatus, Store } from '../../store/open-store.ts';
import type { StoreHealth } from '../freshness/store-health.ts';
import type { Database } from '../pipeline/database.ts';
import type { KeepAlive } from '../pipeline/server.ts';
import type { ScrubView } from '../scrub/scrub-status.ts';

export const STARTING_READINESS: Readiness = { reasons: ['starting'], revision: -1 };

export interface ReadinessSources {
  readonly storeHealth: Pick<StoreHealth, 'unconfirmedSince' | 'isMigrated'>;
  readonly keepAlive: KeepAlive;
  readonly database: Pick<Database, 'responseCache' | 'scheduler'> & {
    readonly reader: Pick<Database['reader'], 'servers'>;
  };
  readonly scrub: ScrubView;
  readonly follow?: FollowStatus | undefined;
  readonly store?: Pick<Store, 'lacksReserve'>;
}

/** Readiness by what polling found: nothing is read, and one file looked for. */
export function findReadiness(sources: ReadinessSources): Readiness {
  const { storeHealth, keepAlive, database, scrub, follow } = sources;
  const reasons: UnavailableReason[] = [];
  if (keepAlive.isDraining) reasons.push('stopping');
  if (storeHealth.isMigrated) reasons.push('store_migrated');
  else if (storeHealth.unconfirmedSince !== undefined) reasons.push('store_unreachable');
  const { faults, damaged } = scrub.status();
  if (faults > 0 || damaged.length > 0) reasons.push('data_damaged');
  if (database.scheduler.background?.isStuck) reasons.push('threads_hung');
  const { revision } = database.responseCache;
  if (follow && revision === 0) reasons.push('catching_up');
  const warnings = listWarnings(sources);
  // What was applied is served once polling has found it.
  const isEarly = follow?.state === 'following' && revision < follow.revision;
  return {
    reasons,
    revision,
    ...(warnings.length > 0 && { warnings }),
    ...(damaged.length > 0 && { damaged }),
    ...(follow && { follow: isEarly ? { ...follow, state: 'behind' } : follow }),
  };
}

function listWarnings({ store, database: { reader } }: ReadinessSources): ReadinessWarning[] {
  const isLost = ({ role, health }: ServerStatus) => role === 'worker' && health !== 'healthy';
  return [
    ...(store?.lacksReserve?.() ? (['reserve_missing'] as const) : []),
    ...(reader.servers().some(isLost) ? (['worker_lost'] as const) : []),
  ];
}
