import { randomBytes } from 'node:crypto';
import { system } from '../shared/system.ts';
import type { StoredToken, TokenStore } from '../store/open-store.ts';
import {
  generateLinkSecret,
  generateTokenSecret,
  hashTokenSecret,
  toLinkCredential,
} from './token-secret.ts';

/** A new token with its secret, which is not stored. */
export interface IssuedToken {
  readonly token: StoredToken;
  readonly secret: string;
}

type TokenOptions = Pick<StoredToken, 'name' | 'scopes' | 'rate' | 'expiresAt'> &
  Partial<Pick<StoredToken, 'mayShare' | 'mayFollowTokens'>>;

export function issueToken(store: TokenStore, options: TokenOptions): Promise<IssuedToken> {
  return storeTokenDigest(store, generateTokenSecret(), options);
}

export function storeTokenDigest(
  store: TokenStore,
  secret: string,
  options: TokenOptions,
): Promise<IssuedToken> {
  const digest = hashTokenSecret(secret);
  return addToken(store, secret, { ...options, id: createId('tk'), digest, target: null });
}

/** Issues an access link, which serves its target to any client with the secret. */
export function issueLink(
  store: TokenStore,
  options: TokenOptions & { readonly target: string },
): Promise<IssuedToken> {
  const secret = generateLinkSecret();
  const digest = hashTokenSecret(toLinkCredential(secret));
  return addToken(store, secret, { ...options, id: createId('lk'), digest });
}

const createId = (prefix: string) => `${prefix}_${randomBytes(6).toString('hex')}`;

async function addToken(
  store: TokenStore,
  secret: string,
  draft: Pick<StoredToken, 'id' | 'digest' | 'target'> & TokenOptions,
): Promise<IssuedToken> {
  const createdAt = new Date(system.now()).toISOString();
  const rights = { mayShare: false, mayFollowTokens: false, isOfSource: false, isLeased: false };
  const token = { ...rights, ...draft, createdAt, revokedAt: null, lastUsedAt: null };
  await store.add(token);
  return { token, secret };
}

interface RotateOptions {
  /** How long the old token stays valid; it never outlives its own expiry. */
  readonly graceMs: number;
  /** When the new token expires; by default its lifetime equals that of the old one. */
  readonly expiresAt?: string | null | undefined;
  /** Hands the new token to its user; if this fails, the old one stays valid. */
  readonly deliver?: (issued: IssuedToken) => Promise<void>;
}

/** Creates a token with the options of another, which expires now or after a grace period. */
export async function rotateToken(
  store: TokenStore,
  old: StoredToken,
  { graceMs, expiresAt = renewExpiry(old), deliver }: RotateOptions,
): Promise<IssuedToken> {
  const { id, name, scopes, rate, mayShare, mayFollowTokens } = old;
  const options = { name, scopes, rate, mayShare, mayFollowTokens, expiresAt };
  const issued = await issueToken(store, options);
  await deliver?.(issued);
  const end = new Date(system.now() + graceMs).toISOString();
  const earlierEnd = old.expiresAt !== null && old.expiresAt < end ? old.expiresAt : end;
  await store.update(id, graceMs === 0 ? { revokedAt: end } : { expiresAt: earlierEnd });
  return issued;
}

/** The same lifetime from now on, so that it never ends before the old one. */
function renewExpiry({ createdAt, expiresAt }: StoredToken): string | null {
  if (expiresAt === null) return null;
  const lifetimeMs = Date.parse(expiresAt) - Date.parse(createdAt);
  return new Date(Math.max(system.now() + lifetimeMs, Date.parse(expiresAt))).toISOString();
}

export function isActive(
  { revokedAt, expiresAt }: Pick<StoredToken, 'revokedAt' | 'expiresAt'>,
  now = new Date(system.now()),
): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > now.toISOString());
}
