import { SCOPES } from '../catalogue/dataset.ts';
import type { StoredToken, TokenStore } from '../store/index.ts';
import { StoreUnavailable } from '../store/index.ts';
import type { Rate } from './rate.ts';
import { readRate } from './rate.ts';
import { digestOf } from './secret.ts';

/** Who sent a request: what a token allows. */
export interface Holder {
  readonly id: string;
  readonly scopes: ReadonlySet<string>;
  /** The token's own rate; undefined where the default holds, null where none does. */
  readonly rate: Rate | null | undefined;
  readonly expiresAtMs: number;
}

/** The tokens that a running server accepts, in memory. */
export interface Keyring {
  /** The holder of a token that is accepted now. */
  find(secret: string): Holder | undefined;
  /** Reads the tokens anew: what was issued or revoked meanwhile takes hold. */
  reload(): Promise<void>;
  /** Writes down when tokens were last used. */
  flush(): Promise<void>;
}

/** A keyring over the stored tokens and the one that the operator may have set. */
export function keyring(store: TokenStore, apiToken: string | undefined): Keyring {
  let holders = new Map<string, Holder>();
  const lastUses = new Map<string, number>();
  return {
    find(secret) {
      const holder = holders.get(digestOf(secret));
      const nowMs = Date.now();
      if (!holder || holder.expiresAtMs <= nowMs) return undefined;
      lastUses.set(holder.id, nowMs);
      return holder;
    },
    async reload() {
      const tokens = await store.all();
      const live = tokens.filter(({ revokedAt }) => revokedAt === null);
      holders = new Map(live.map((token) => [token.digest, holderOf(token)]));
      if (apiToken !== undefined) holders.set(digestOf(apiToken), OPERATOR);
    },
    async flush() {
      lastUses.delete(OPERATOR.id);
      if (lastUses.size === 0) return;
      const uses = [...lastUses].map(([id, ms]) => [id, new Date(ms).toISOString()] as const);
      try {
        await store.touch(new Map(uses));
        lastUses.clear();
      } catch (cause) {
        // A publisher holds the store: the uses are kept for the next time.
        if (!(cause instanceof StoreUnavailable)) throw cause;
      }
    },
  };
}

const OPERATOR: Holder = {
  id: 'API_TOKEN',
  scopes: new Set(SCOPES),
  rate: undefined,
  expiresAtMs: Number.POSITIVE_INFINITY,
};

function holderOf({ id, scopes, rate, expiresAt }: StoredToken): Holder {
  return {
    id,
    scopes: new Set(scopes),
    rate: rate === null ? undefined : readRate(rate),
    expiresAtMs: expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt),
  };
}
