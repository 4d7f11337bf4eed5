import type { Rate } from '../shared/request-rate.ts';

/** The sender of a request, with what the token or the link allows. */
export interface Principal {
  readonly id: string;
  readonly scopes: ReadonlySet<string>;
  /** Its own rate; undefined for the default, null for no limit. */
  readonly rate: Rate | null | undefined;
  readonly expiresAtMs: number;
  /** The last use that is not stored yet; 0 if there is none. */
  lastUsedAtMs: number;
  /** Whether the address of a request with it was recorded since tokens were last read. */
  isAddressRecorded?: boolean;
}

/** Principals by the digests of their secrets. */
export interface PrincipalTable<P extends Principal> {
  /** The principal of a secret that is valid now. */
  authenticate(secret: string): P | undefined;
  replaceAll(principals: ReadonlyMap<string, P>): void;
  values(): Iterable<P>;
}

export function createPrincipalTable<P extends Principal>(
  hashSecret: (secret: string) => string,
): PrincipalTable<P> {
  let principals: ReadonlyMap<string, P> = new Map();
  // Secrets accepted since principals were replaced, which need not be hashed again. Invalid ones
  // are always hashed, so that response times reveal nothing about them.
  const cache = new Map<string, P>();
  const findByDigest = (secret: string) => {
    const principal = principals.get(hashSecret(secret));
    if (principal) cache.set(secret, principal);
    return principal;
  };
  return {
    authenticate(secret) {
      const principal = cache.get(secret) ?? findByDigest(secret);
      const nowMs = Date.now();
      if (!principal || principal.expiresAtMs <= nowMs) return undefined;
      principal.lastUsedAtMs = nowMs;
      return principal;
    },
    replaceAll(replacement) {
      cache.clear();
      principals = replacement;
    },
    values: () => principals.values(),
  };
}
