import type { Rate } from '../shared/request-rate.ts';
import { system } from '../shared/system.ts';
import { createScopes, EVERY_SCOPE } from './scopes.ts';

/** The sender of a request, with what its token or access link allows. */
export interface Principal {
  readonly id: string;
  /** Contains every scope, or exactly the listed ones. */
  readonly scopes: ReadonlySet<string>;
  /** Its own rate; undefined for the default, null for no limit. */
  readonly rate: Rate | null | undefined;
  readonly expiresAtMs: number;
  /** Whether it may sign links to what it may read. */
  readonly mayShare?: boolean;
  /** Whether a follower gets all tokens with it. */
  readonly mayFollowTokens?: boolean;
  /** Whether it came from the source of this server. */
  readonly isOfSource?: boolean;
  /** Whether its expiry is that of its last confirmation there. */
  readonly isLeased?: boolean;
  /** Whether an OpenID provider vouches for it: nothing of it is stored. */
  readonly isOfProvider?: true;
  /** The last use that is not stored yet; 0 if none. */
  lastUsedAtMs: number;
  /** Whether the address of a request was recorded since tokens were last read. */
  isAddressRecorded?: boolean;
}

/** The sender of a request for an access link, which serves one target. */
export interface LinkPrincipal extends Principal {
  readonly target: string;
}

/** A principal that has not been used yet; by default it may read everything at any rate. */
export function createPrincipal(id: string, limits: Partial<Principal> = {}): Principal {
  const unlimited = { rate: null, expiresAtMs: Number.POSITIVE_INFINITY };
  return { id, scopes: createScopes(EVERY_SCOPE), ...unlimited, ...limits, lastUsedAtMs: 0 };
}

export function isExpired({ expiresAtMs }: Principal): boolean {
  return expiresAtMs <= system.now();
}

/** Whether the source of this server would have to say that it is still valid. */
export function isUnconfirmed(principal: Principal): boolean {
  return principal.isLeased === true && isExpired(principal);
}
