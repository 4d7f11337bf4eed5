import { randomBytes } from 'node:crypto';
import type { StoredToken, TokenStore } from '../store/open-store.ts';
import { generateTokenSecret, hashTokenSecret } from './token-secret.ts';

/** A new token with its secret, which is not stored. */
export interface IssuedToken {
  readonly token: StoredToken;
  readonly secret: string;
}

type TokenOptions = Pick<StoredToken, 'name' | 'scopes' | 'rate' | 'expiresAt'>;

export function issueToken(store: TokenStore, options: TokenOptions): Promise<IssuedToken> {
  return storeTokenDigest(store, generateTokenSecret(), options);
}

/** Stores the digest of an existing secret. */
export async function storeTokenDigest(
  store: TokenStore,
  secret: string,
  options: TokenOptions,
): Promise<IssuedToken> {
  const token: StoredToken = {
    ...options,
    id: `tk_${randomBytes(6).toString('hex')}`,
    digest: hashTokenSecret(secret),
    createdAt: new Date().toISOString(),
    revokedAt: null,
    lastUsedAt: null,
  };
  await store.add(token);
  return { token, secret };
}

/** Creates a token with the options of another, which ends now or after a grace period. */
export async function rotateToken(
  store: TokenStore,
  { id, name, scopes, rate, expiresAt }: StoredToken,
  graceMs: number,
): Promise<IssuedToken> {
  const end = new Date(Date.now() + graceMs).toISOString();
  const issued = await issueToken(store, { name, scopes, rate, expiresAt });
  const earlierEnd = expiresAt !== null && expiresAt < end ? expiresAt : end;
  await store.setEnd(id, graceMs === 0 ? { revokedAt: end } : { expiresAt: earlierEnd });
  return issued;
}

export function isActive(
  { revokedAt, expiresAt }: Pick<StoredToken, 'revokedAt' | 'expiresAt'>,
  now = new Date(),
): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > now.toISOString());
}
