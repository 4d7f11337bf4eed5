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
export class PrincipalsByDigest<P extends Principal> {
  #principals: ReadonlyMap<string, P> = new Map();
  // Secrets accepted since principals were replaced, which need not be hashed again. Invalid ones
  // are always hashed, so that response times reveal nothing about them.
  readonly #cache = new Map<string, P>();

  constructor(private readonly hashSecret: (secret: string) => string) {}

  /** The principal of a secret that is valid now. */
  authenticate(secret: string): P | undefined {
    const principal = this.#cache.get(secret) ?? this.#findByDigest(secret);
    const nowMs = Date.now();
    if (!principal || principal.expiresAtMs <= nowMs) return undefined;
    principal.lastUsedAtMs = nowMs;
    return principal;
  }

  replaceAll(principals: ReadonlyMap<string, P>): void {
    this.#cache.clear();
    this.#principals = principals;
  }

  values(): Iterable<P> {
    return this.#principals.values();
  }

  #findByDigest(secret: string): P | undefined {
    const principal = this.#principals.get(this.hashSecret(secret));
    if (principal) this.#cache.set(secret, principal);
    return principal;
  }
}
