import type { UnavailableReason } from '../../catalogue/operations/health.ts';
import type { ServerContext } from '../server-context.ts';

/** Whether a server can answer requests with data. */
export interface Readiness {
  /** Why not; empty where it is ready. */
  readonly reasons: readonly UnavailableReason[];
  /** The newest revision that is known; -1 where none is. */
  readonly revision: number;
}

export const STARTING_READINESS: Readiness = { reasons: ['starting'], revision: -1 };

/** What is known from polling: nothing is read. */
export function getReadiness({
  storeHealth,
  keepAlive,
  responseCache,
  scrub,
}: Pick<ServerContext, 'storeHealth' | 'keepAlive' | 'responseCache' | 'scrub'>): Readiness {
  const reasons: UnavailableReason[] = [];
  if (keepAlive.isEnding) reasons.push('stopping');
  if (storeHealth.unconfirmedSince !== undefined) reasons.push('store_unreachable');
  if (scrub.status().faults > 0) reasons.push('data_damaged');
  return { reasons, revision: responseCache.revision };
}
