import type { UnavailableReason } from '../../catalogue/operations/health.ts';
import type { StoreHealth } from '../freshness/store-health.ts';
import type { DataContext, KeepAlive } from '../pipeline/request-context.ts';
import type { ScrubView } from '../scrub/scrub-status.ts';

/** Whether a server can answer requests with data. */
export interface Readiness {
  /** Why not; empty where it is ready. */
  readonly reasons: readonly UnavailableReason[];
  /** The newest revision that is known; -1 where none is. */
  readonly revision: number;
}

export const STARTING_READINESS: Readiness = { reasons: ['starting'], revision: -1 };

export interface ReadinessSources {
  readonly storeHealth: Pick<StoreHealth, 'unconfirmedSince'>;
  readonly keepAlive: KeepAlive;
  readonly data: Pick<DataContext, 'responseCache'>;
  readonly scrub: ScrubView;
}

/** Readiness by what polling found: nothing is read. */
export function findReadiness({
  storeHealth,
  keepAlive,
  data,
  scrub,
}: ReadinessSources): Readiness {
  const reasons: UnavailableReason[] = [];
  if (keepAlive.isEnding) reasons.push('stopping');
  if (storeHealth.unconfirmedSince !== undefined) reasons.push('store_unreachable');
  if (scrub.status().faults > 0) reasons.push('data_damaged');
  return { reasons, revision: data.responseCache.revision };
}
