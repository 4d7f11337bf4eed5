import { randomBytes } from 'node:crypto';
import type { StoredToken, TokenStore } from '../store/open-store.ts';
import { generateTokenSecret, hashTokenSecret } from './token-secret.ts';

/** A token as it is made: the one time that its secret is there to be shown. */
export interface IssuedToken {
  readonly token: StoredToken;
  readonly secret: string;
}

export type TokenOptions = Pick<StoredToken, 'name' | 'scopes' | 'rate' | 'expiresAt'>;

/** Makes a token and keeps its digest. */
export function issueToken(store: TokenStore, terms: TokenOptions): Promise<IssuedToken> {
  return storeTokenDigest(store, generateTokenSecret(), terms);
}

/** Keeps the digest of a token that is there already. */
export async function storeTokenDigest(
  store: TokenStore,
  secret: string,
  terms: TokenOptions,
): Promise<IssuedToken> {
  const token: StoredToken = {
    ...terms,
    id: `tk_${randomBytes(6).toString('hex')}`,
    digest: hashTokenSecret(secret),
    createdAt: new Date().toISOString(),
    revokedAt: null,
    lastUsedAt: null,
  };
  await store.add(token);
  return { token, secret };
}

/** Makes a new token on the old one's terms; the old one ends now, or after a grace period. */
export async function rotateToken(
  store: TokenStore,
  { id, name, scopes, rate, expiresAt }: StoredToken,
  graceMs: number,
): Promise<IssuedToken> {
  const end = new Date(Date.now() + graceMs).toISOString();
  const issued = await issueToken(store, { name, scopes, rate, expiresAt });
  const sooner = expiresAt !== null && expiresAt < end ? expiresAt : end;
  await store.setEnd(id, graceMs === 0 ? { revokedAt: end } : { expiresAt: sooner });
  return issued;
}

/** Whether a token is accepted at that instant. */
export function isActive(
  { revokedAt, expiresAt }: Pick<StoredToken, 'revokedAt' | 'expiresAt'>,
  now = new Date(),
): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > now.toISOString());
}
