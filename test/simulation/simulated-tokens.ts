import { StoreUnavailableError } from '../../src/store/errors.ts';
import type { StoredToken, TokenStore } from '../../src/store/store.ts';
import { hashTokenSecret, toLinkCredential } from '../../src/tokens/token-secret.ts';
import { type Scheduler, START_MS } from './scheduler.ts';
import { assertReachable, type Disk } from './simulated-store.ts';

/** A token or a link of the simulation, and when it stopped being valid. */
export interface SimulatedToken {
  readonly stored: StoredToken;
  readonly secret: string;
  readonly createdMs: number;
  readonly isLink: boolean;
  /** When it was revoked or expires, in the time of the simulation. */
  endMs: number;
  /** When a request with it was last sent that was accepted. */
  usedMs: number;
  /** When it expires by itself. */
  readonly expiresMs: number;
}

const NO_RIGHTS = { mayShare: false, mayFollowTokens: false, isOfSource: false, isLeased: false };

/** One of the right form that was never issued. */
export const GUESSED_TOKEN: SimulatedToken = {
  stored: {
    id: 'guessed',
    name: 'guessed',
    digest: '',
    scopes: [],
    rate: null,
    target: null,
    ...NO_RIGHTS,
    createdAt: '',
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
  },
  secret: `tenor_${'g'.repeat(43)}`,
  isLink: false,
  createdMs: -1,
  endMs: -1,
  expiresMs: -1,
  usedMs: -1,
};

/** The tokens that all servers share, each of which reads them with its registry. */
export class SimulatedTokens {
  readonly all: SimulatedToken[] = [];
  /** Uses that were stored, by the tokens' ids. */
  readonly lastUses = new Map<string, string>();
  /** Called with a token that was issued or revoked. */
  onWrite: (token: StoredToken) => void = () => {};
  #rows = new Map<string, StoredToken>();

  constructor(private readonly scheduler: Scheduler) {}

  create(options: {
    readonly scopes: readonly string[];
    readonly target?: string;
    readonly expiresInMs?: number;
  }): SimulatedToken {
    const { scheduler } = this;
    const { target = null, expiresInMs, scopes } = options;
    const number = this.all.length + 1;
    const prefix = target === null ? 'tenor_' : 'tenor_link_';
    const secret = prefix + `${number}`.padStart(43, 'x');
    const instant = (ms: number) => new Date(START_MS + ms).toISOString();
    const endMs =
      expiresInMs === undefined ? Number.POSITIVE_INFINITY : scheduler.nowMs + expiresInMs;
    const stored: StoredToken = {
      id: `token-${number}`,
      name: `token ${number}`,
      digest: hashTokenSecret(target === null ? secret : toLinkCredential(secret)),
      scopes,
      rate: null,
      createdAt: instant(scheduler.nowMs),
      expiresAt: expiresInMs === undefined ? null : instant(endMs),
      revokedAt: null,
      lastUsedAt: null,
      target,
      ...NO_RIGHTS,
    };
    const times = { createdMs: scheduler.nowMs, endMs, expiresMs: endMs, usedMs: -1 };
    const token = { stored, secret, isLink: target !== null, ...times };
    this.all.push(token);
    this.#write(stored);
    return token;
  }

  /** As they are stored now. */
  get rows(): Iterable<StoredToken> {
    return this.#rows.values();
  }

  revoke(token: SimulatedToken): void {
    const { id } = token.stored;
    const revokedAt = new Date(START_MS + this.scheduler.nowMs).toISOString();
    this.#write({ ...(this.#rows.get(id) ?? token.stored), revokedAt });
    token.endMs = Math.min(token.endMs, this.scheduler.nowMs);
  }

  #write(token: StoredToken): void {
    this.#rows.set(token.id, token);
    this.onWrite(token);
  }

  /** The tokens as one worker reads and writes them. */
  createStore(disk: Disk): TokenStore {
    const run = async <T>(operation: () => T): Promise<T> => {
      if (disk.maxDelayMs > 0)
        await this.scheduler.wait(this.scheduler.drawDelay(0, disk.maxDelayMs), 'token statement');
      assertReachable(disk);
      if (disk.failureRate > 0 && this.scheduler.random.isLikely(disk.failureRate))
        throw new StoreUnavailableError('disk I/O error');
      return operation();
    };
    return {
      all: () => run(() => [...this.#rows.values()]),
      findByDigest: (digests) =>
        run(() => [...this.#rows.values()].filter(({ digest }) => digests.includes(digest))),
      add: fail,
      replace: fail,
      update: fail,
      recordLastUsed: (uses) =>
        run(() => {
          for (const [id, instant] of uses)
            if (instant > (this.lastUses.get(id) ?? '')) this.lastUses.set(id, instant);
        }),
      close: () => {},
    };
  }
}

function fail(): never {
  throw new Error('servers do not do this');
}
