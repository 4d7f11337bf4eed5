import { system } from '../shared/system.ts';
import type { StoredToken } from '../store/open-store.ts';
import type { Principal } from './principal.ts';
import { EVERY_SCOPE } from './scopes.ts';

/** A token or link as followers get it: without its secret, and without what is recorded of its use. */
export type SharedToken = Omit<StoredToken, 'createdAt' | 'lastUsedAt' | 'isOfSource'>;

/** Keys of all servers that are fed by one source, in base64url: for cursors alone, and to verify links. */
export interface SharedKeys {
  readonly cursorKey: string;
  readonly linkKeys: readonly string[];
}

/** All tokens and links, for a follower; none may read more there than the token of the follower. */
export function listSharedTokens(
  tokens: readonly StoredToken[],
  { scopes: limit }: Principal,
): SharedToken[] {
  return tokens.flatMap(({ createdAt: _, lastUsedAt: __, isOfSource: ___, ...token }) => {
    const { scopes, target } = token;
    const isPartial = target !== null && !scopes.every((scope) => limit.has(scope));
    if (isPartial || isKeysOfSource(token)) return [];
    const limited = scopes.includes(EVERY_SCOPE[0])
      ? [...limit]
      : scopes.filter((s) => limit.has(s));
    return { ...token, scopes: limited };
  });
}

/** The keys of a source are stored as a token that no server accepts, so that 1.0 can read the store. */
const KEYS_ID = 'source';

export function isKeysOfSource({ id }: Pick<StoredToken, 'id'>): boolean {
  return id === KEYS_ID;
}

export function toKeysToken({ cursorKey, linkKeys }: SharedKeys): StoredToken {
  const now = new Date(system.now()).toISOString();
  return {
    ...{ id: KEYS_ID, name: 'keys of the source', digest: KEYS_ID, scopes: [], rate: null },
    ...{ createdAt: now, expiresAt: now, revokedAt: now, lastUsedAt: null },
    target: JSON.stringify({ cursorKey, linkKeys }),
    ...{ mayShare: false, mayFollowTokens: false, isOfSource: true, isLeased: false },
  };
}

/** The keys of the source among stored tokens. */
export function findSourceKeys(tokens: readonly StoredToken[]): SharedKeys | undefined {
  const { target = null } = tokens.find(isKeysOfSource) ?? {};
  return target === null ? undefined : JSON.parse(target);
}
