import { SCOPES } from '../catalogue/model/dataset.ts';
import type { Rate } from '../rate.ts';
import { parseRate } from '../rate.ts';
import type { StoredToken, TokenStore } from '../store/open-store.ts';
import { StoreUnavailableError } from '../store/open-store.ts';
import { hashTokenSecret } from './token-secret.ts';

/** Who sent a request: what their token allows. */
export interface Principal {
  readonly id: string;
  readonly scopes: ReadonlySet<string>;
  /** The token's own rate; undefined where the default holds, null where none does. */
  readonly rate: Rate | null | undefined;
  readonly expiresAtMs: number;
  /** When the token was last used and that was not written down yet; 0 when it was. */
  lastUsedAtMs: number;
}

/** The tokens that a running server accepts, in memory. */
export interface TokenRegistry {
  /** The holder of a token that is accepted now. */
  authenticate(secret: string): Principal | undefined;
  /** Reads the tokens anew: what was issued or revoked meanwhile takes hold. */
  reload(): Promise<void>;
  /** Writes down when tokens were last used. */
  flushLastUsed(): Promise<void>;
}

/** A keyring over the stored tokens and the one that the operator may have set. */
export function createTokenRegistry(
  store: TokenStore,
  apiToken: string | undefined,
): TokenRegistry {
  let holders = new Map<string, Principal>();
  // Tokens accepted since the last reload, so that a busy client's is digested once a second. Only
  // right ones get in: a wrong one is digested each time, and its time tells nothing.
  const recent = new Map<string, Principal>();
  const digested = (secret: string) => {
    const principal = holders.get(hashTokenSecret(secret));
    if (principal) recent.set(secret, principal);
    return principal;
  };
  const unwritten = new Map<string, number>();
  const collectUses = () => {
    for (const holder of holders.values()) {
      if (holder.lastUsedAtMs > 0 && holder.id !== API_TOKEN_PRINCIPAL.id)
        unwritten.set(holder.id, holder.lastUsedAtMs);
      holder.lastUsedAtMs = 0;
    }
  };
  return {
    authenticate(secret) {
      const holder = recent.get(secret) ?? digested(secret);
      const nowMs = Date.now();
      if (!holder || holder.expiresAtMs <= nowMs) return undefined;
      holder.lastUsedAtMs = nowMs;
      return holder;
    },
    async reload() {
      const tokens = await store.all();
      const live = tokens.filter(({ revokedAt }) => revokedAt === null);
      collectUses();
      recent.clear();
      holders = new Map(live.map((token) => [token.digest, toPrincipal(token)]));
      if (apiToken !== undefined)
        holders.set(hashTokenSecret(apiToken), { ...API_TOKEN_PRINCIPAL });
    },
    async flushLastUsed() {
      collectUses();
      if (unwritten.size === 0) return;
      const uses = [...unwritten];
      unwritten.clear();
      try {
        await store.recordLastUsed(
          new Map(uses.map(([id, ms]) => [id, new Date(ms).toISOString()])),
        );
      } catch (cause) {
        if (!(cause instanceof StoreUnavailableError)) throw cause;
        // A publisher holds the store: the uses are kept for the next time.
        for (const [id, ms] of uses) unwritten.set(id, Math.max(ms, unwritten.get(id) ?? 0));
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
