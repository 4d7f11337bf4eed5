import { randomBytes } from 'node:crypto';
import type { StoredToken, TokenStore } from '../store/open-store.ts';
import {
  generateLinkSecret,
  generateTokenSecret,
  hashLinkSecret,
  hashTokenSecret,
} from './token-secret.ts';

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
  const id = `tk_${randomBytes(6).toString('hex')}`;
  const digest = hashTokenSecret(secret);
  const token = { ...options, id, digest, target: null, ...createLifetime() };
  await store.add(token);
  return { token, secret };
}

/** Issues a link, which gives its target to a client with the secret. */
export async function issueLink(
  store: TokenStore,
  options: TokenOptions & { readonly target: string },
): Promise<IssuedToken> {
  const secret = generateLinkSecret();
  const id = `lk_${randomBytes(6).toString('hex')}`;
  const token = { ...options, id, digest: hashLinkSecret(secret), ...createLifetime() };
  await store.add(token);
  return { token, secret };
}

function createLifetime() {
  return { createdAt: new Date().toISOString(), revokedAt: null, lastUsedAt: null };
}

interface RotateOptions {
  /** How long the old token stays valid; it never outlives its own expiry. */
  readonly graceMs: number;
  /** When the new token ends; by default it is valid for as long as the old one was. */
  readonly expiresAt?: string | null | undefined;
}

/** Creates a token with the options of another, which ends now or after a grace period. */
export async function rotateToken(
  store: TokenStore,
  old: StoredToken,
  { graceMs, expiresAt = renewExpiry(old) }: RotateOptions,
): Promise<IssuedToken> {
  const { id, name, scopes, rate } = old;
  const end = new Date(Date.now() + graceMs).toISOString();
  const issued = await issueToken(store, { name, scopes, rate, expiresAt });
  const earlierEnd = old.expiresAt !== null && old.expiresAt < end ? old.expiresAt : end;
  await store.setEnd(id, graceMs === 0 ? { revokedAt: end } : { expiresAt: earlierEnd });
  return issued;
}

/** The same lifetime from now on, so never before the old end. */
function renewExpiry({ createdAt, expiresAt }: StoredToken): string | null {
  if (expiresAt === null) return null;
  const lifetimeMs = Date.parse(expiresAt) - Date.parse(createdAt);
  return new Date(Math.max(Date.now() + lifetimeMs, Date.parse(expiresAt))).toISOString();
}

export function isActive(
  { revokedAt, expiresAt }: Pick<StoredToken, 'revokedAt' | 'expiresAt'>,
  now = new Date(),
): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > now.toISOString());
}
