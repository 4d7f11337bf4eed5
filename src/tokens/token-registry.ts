import { SCOPES } from '../catalogue/model/dataset.ts';
import { parseRate, type Rate } from '../request-rate.ts';
import { type StoredToken, StoreUnavailableError, type TokenStore } from '../store/open-store.ts';
import { hashTokenSecret } from './token-secret.ts';

/** The sender of a request, with what the token allows. */
export interface Principal {
  readonly id: string;
  readonly scopes: ReadonlySet<string>;
  /** The token's own rate; undefined for the default, null for no limit. */
  readonly rate: Rate | null | undefined;
  readonly expiresAtMs: number;
  /** The last use that is not stored yet; 0 if there is none. */
  lastUsedAtMs: number;
  /** Whether the address of a request with it was recorded since tokens were last read. */
  isAddressRecorded?: boolean;
}

export type TokenRegistry = ReturnType<typeof createTokenRegistry>;

/** Creates a registry in memory of the stored tokens and the `API_TOKEN` setting. */
export function createTokenRegistry(store: TokenStore, apiToken: string | undefined) {
  let principals = new Map<string, Principal>();
  /** Created when it is needed, until the next reload. */
  let principalsById: Map<string, Principal> | undefined;
  // Secrets accepted since the last reload, which need not be hashed again. Invalid ones are
  // always hashed, so that response times reveal nothing about them.
  const cache = new Map<string, Principal>();
  const findByDigest = (secret: string) => {
    const principal = principals.get(hashTokenSecret(secret));
    if (principal) cache.set(secret, principal);
    return principal;
  };
  const unsavedUses = new Map<string, number>();
  const collectUses = () => {
    for (const principal of principals.values()) {
      const { id, lastUsedAtMs } = principal;
      if (lastUsedAtMs > 0 && id !== API_TOKEN_PRINCIPAL.id) unsavedUses.set(id, lastUsedAtMs);
      principal.lastUsedAtMs = 0;
    }
  };
  return {
    /** The principal of a token that is valid now. */
    authenticate(secret: string): Principal | undefined {
      const principal = cache.get(secret) ?? findByDigest(secret);
      const nowMs = Date.now();
      if (!principal || principal.expiresAtMs <= nowMs) return undefined;
      principal.lastUsedAtMs = nowMs;
      return principal;
    },
    /** Whether the token of a principal, accepted earlier, is valid still. */
    isValid({ id }: Principal): boolean {
      principalsById ??= new Map(
        Array.from(principals.values(), (principal) => [principal.id, principal]),
      );
      const principal = principalsById.get(id);
      return principal !== undefined && principal.expiresAtMs > Date.now();
    },
    /** Reads the tokens again, to apply what was issued or revoked. */
    async reload() {
      const tokens = (await store.all()).filter(({ revokedAt }) => revokedAt === null);
      collectUses();
      cache.clear();
      principals = new Map(tokens.map((token) => [token.digest, toPrincipal(token)]));
      if (apiToken !== undefined)
        principals.set(hashTokenSecret(apiToken), { ...API_TOKEN_PRINCIPAL });
      principalsById = undefined;
    },
    async flushLastUsed() {
      collectUses();
      if (unsavedUses.size === 0) return;
      const uses = [...unsavedUses];
      unsavedUses.clear();
      try {
        await store.recordLastUsed(
          new Map(uses.map(([id, ms]) => [id, new Date(ms).toISOString()])),
        );
      } catch (cause) {
        if (!(cause instanceof StoreUnavailableError)) throw cause;
        // Unreachable, or another process writes: the uses are stored next time.
        for (const [id, ms] of uses) unsavedUses.set(id, Math.max(ms, unsavedUses.get(id) ?? 0));
      }
    },
  };
}

const API_TOKEN_PRINCIPAL: Principal = {
  id: 'API_TOKEN',
  scopes: new Set(SCOPES),
  rate: undefined,
  expiresAtMs: Number.POSITIVE_INFINITY,
  lastUsedAtMs: 0,
};

function toPrincipal({ id, scopes, rate, expiresAt }: StoredToken): Principal {
  return {
    id,
    scopes: new Set(scopes),
    rate: rate === null ? undefined : parseRate(rate),
    expiresAtMs: expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt),
    lastUsedAtMs: 0,
  };
}
