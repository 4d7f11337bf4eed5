import { fetchBuffered } from '../client/bounded-response.ts';
import { Connection } from '../client/connection.ts';
import { TenorError, type TenorErrorKind } from '../client/errors.ts';
import { resolveOptions } from '../client/options.ts';
import type { SharingState } from '../operations/health/health-operations.ts';
import { system } from '../shared/system.ts';
import type { StoredToken, TokenStore } from '../store/open-store.ts';
import {
  isKeysOfSource,
  type SharedKeys,
  type SharedToken,
  toKeysToken,
} from '../tokens/shared-tokens.ts';

/** How long tokens of the source are valid without it. */
const LEASE_MS = 15 * 60_000;
/** Confirmations are stored this often. */
const RENEWAL_MS = 10_000;
const POLL_INTERVAL_MS = 1_000;
/** The interval for sources that share nothing. */
const RETRY_INTERVAL_MS = 30_000;
const TIMEOUT_MS = 5_000;

export interface TokenFollowerOptions {
  /** Reads `/follow` of the source. */
  readonly read: () => Promise<unknown>;
  readonly tokens: Pick<TokenStore, 'all' | 'replace'>;
  /** Called after each look; with the cause if the source cannot be asked. */
  readonly onSharing: (sharing: SharingState, cause?: string) => void;
}

/** Stores the tokens, links and keys of the source, for all servers over the store. */
export class TokenFollower {
  constructor(private readonly options: TokenFollowerOptions) {}

  /** Stores what the source shares now; returns the milliseconds until the next poll. */
  async poll(): Promise<number> {
    const { read, onSharing } = this.options;
    // Tokens are confirmed as of before the request.
    const nowMs = system.now();
    try {
      const { tokens, ...keys } = (await read()) as SharedKeys & { tokens?: SharedToken[] };
      assertShared(keys, tokens ?? []);
      await this.#store(keys, tokens ?? [], nowMs);
      onSharing(tokens ? 'tokens' : 'cursors');
      return POLL_INTERVAL_MS;
    } catch (cause) {
      return this.#reportFailure(cause as Error);
    }
  }

  async #store(keys: SharedKeys, shared: readonly SharedToken[], nowMs: number): Promise<void> {
    const { tokens } = this.options;
    const stored = await tokens.all();
    const known = new Map(
      stored.flatMap((token) => [
        [token.id, token],
        [token.digest, token],
      ]),
    );
    const now = new Date(nowMs).toISOString();
    const received = shared
      .filter((token) => known.has(token.id) || known.has(token.digest) || isLive(token, now))
      .map((token) => toStoredToken(token, nowMs));
    const ids = new Set(shared.map(({ id }) => id));
    const missing = stored
      .filter(({ id, isOfSource, revokedAt }) => isOfSource && revokedAt === null && !ids.has(id))
      .map((token) => ({ ...token, revokedAt: now }));
    const changed = [...received, ...missing, toKeysToken(keys)].filter(
      (token) => !isStored(token, known.get(token.id)),
    );
    if (changed.length > 0) await tokens.replace(changed);
  }

  async #reportFailure(cause: Error): Promise<number> {
    const { kind = 'network', retryAfterMs = 0 } = cause instanceof TenorError ? cause : {};
    const stored = await this.options.tokens.all().catch(() => []);
    const isFollowing = stored.some((token) => token.isOfSource && !isKeysOfSource(token));
    const isNothingShared = !isFollowing && NOTHING_SHARED.includes(kind);
    if (isFollowing) this.options.onSharing('unconfirmed', cause.message);
    if (isNothingShared) this.options.onSharing('nothing');
    return isNothingShared ? RETRY_INTERVAL_MS : Math.max(retryAfterMs, POLL_INTERVAL_MS);
  }
}

/** Errors of sources of an earlier release, of mirrors, and of buckets that hide what they lack. */
const NOTHING_SHARED: readonly TenorErrorKind[] = ['not_found', 'forbidden', 'malformed'];

/** Throws if keys or instants could not be used; whatever else is wrong is not stored. */
function assertShared({ cursorKey, linkKeys }: SharedKeys, tokens: readonly SharedToken[]): void {
  const isInstant = (text: string) => new Date(text).toISOString() === text;
  const isToken = ({ id, digest, expiresAt, revokedAt }: SharedToken) =>
    /^(tk|lk)_\w+$/.test(id) &&
    /^[0-9a-f]{64}$/.test(digest) &&
    [expiresAt, revokedAt].every((text) => text === null || isInstant(text));
  const isValid = [cursorKey, ...linkKeys].every((key) => /^[\w-]{43}$/.test(key));
  if (!isValid || !tokens.every(isToken))
    throw new Error('the source sends something else than keys and tokens');
}

const isLive = ({ revokedAt, expiresAt, isLeased }: SharedToken, now: string) =>
  revokedAt === null && (expiresAt === null || expiresAt > now || isLeased);

/** Without an end, or with a later one, it is valid until its lease ends. */
function toStoredToken(token: SharedToken, nowMs: number): StoredToken {
  const { expiresAt, revokedAt } = token;
  const leaseEnd = new Date(nowMs + LEASE_MS).toISOString();
  const isLonger = revokedAt === null && (expiresAt === null || expiresAt > leaseEnd);
  const isLeased = isLonger || (revokedAt === null && token.isLeased);
  const uses = { createdAt: new Date(nowMs).toISOString(), lastUsedAt: null, isOfSource: true };
  return { ...token, ...uses, isLeased, expiresAt: isLonger ? leaseEnd : expiresAt };
}

/** Whether it is stored already, with a lease that is as good as new. */
function isStored(token: StoredToken, stored: StoredToken | undefined): boolean {
  if (!stored) return false;
  const [text, storedText] = [token, stored].map((each) => describe(each, stored));
  const [leaseMs, storedMs] = [token, stored].map(({ expiresAt }) => Date.parse(expiresAt ?? ''));
  const isRenewed = Math.abs(Number(leaseMs) - Number(storedMs)) < RENEWAL_MS;
  return text === storedText && (isRenewed || !token.isLeased);
}

/** All that is stored but instants of its own, and the end of a lease. */
function describe(token: StoredToken, stored: StoredToken): string {
  const instants = isKeysOfSource(token) ? { expiresAt: '', revokedAt: '' } : {};
  const lease = token.isLeased ? { expiresAt: '' } : {};
  const compared = { ...token, ...instants, ...lease, createdAt: '', lastUsedAt: '' };
  return JSON.stringify(compared, Object.keys(stored).toSorted());
}

/** Reads paths of a source with a token; what is unmodified is not sent again. */
export function openSource(address: string, token = 'none'): (path: string) => Promise<unknown> {
  if (!/^https?:/i.test(address)) return () => Promise.reject(createMirrorError(address));
  const limits = { timeoutMs: TIMEOUT_MS, tries: 1, cacheCharacters: 64_000_000 };
  const options = resolveOptions({ baseUrl: address, token, fetch: fetchBuffered, ...limits });
  const connection = new Connection(options);
  return async (path) => (await connection.read(new URL(`.${path}`, options.base), {})).data;
}

const createMirrorError = (url: string) =>
  new TenorError('not_found', 'a mirror has no tokens', { url });
