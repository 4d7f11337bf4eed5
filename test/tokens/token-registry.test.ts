import { afterEach, describe, expect, jest, setSystemTime, test } from 'bun:test';
import { chmodSync, existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { SCOPES } from '../../src/catalogue/model/dataset.ts';
import {
  type StoredToken,
  StoreUnavailableError,
  StoreUnusableError,
  type TokenStore,
} from '../../src/store/open-store.ts';
import { isActive, issueLink, issueToken, rotateToken } from '../../src/tokens/issue-token.ts';
import { ensureLocalToken } from '../../src/tokens/local-token.ts';
import { createTokenRegistry } from '../../src/tokens/token-registry.ts';
import {
  generateTokenSecret,
  hashTokenSecret,
  TOKEN_PATTERN,
  toLinkCredential,
} from '../../src/tokens/token-secret.ts';
import { retryUntil } from '../support/eventually.ts';
import { createTempFolder } from '../support/store.ts';

const OPTIONS = { name: 'n', scopes: ['quotes'], rate: null, expiresAt: null };

/** A token store in memory; `busy` makes writes of last uses fail. */
function memoryStore(): TokenStore & { uses: Map<string, string>; busy: boolean } {
  const tokens: StoredToken[] = [];
  const uses = new Map<string, string>();
  return {
    uses,
    busy: false,
    all: async () => [...tokens],
    findByDigest: async (digests) => tokens.filter(({ digest }) => digests.includes(digest)),
    add: async (token) => void tokens.push(token),
    replace: async () => {},
    async update(id, at) {
      const index = tokens.findIndex((token) => token.id === id);
      tokens[index] = { ...(tokens[index] as StoredToken), ...at };
    },
    async recordLastUsed(lastUses) {
      if (this.busy) throw new StoreUnavailableError('busy');
      for (const [id, at] of lastUses) uses.set(id, at);
    },
    close() {},
  };
}

describe('the token registry', () => {
  test('accepts valid tokens, and only those, after ten thousand invalid ones', async () => {
    const store = memoryStore();
    const { token, secret } = await issueToken(store, OPTIONS);
    const registry = createTokenRegistry(store, 'operator');
    await registry.reload();
    for (let suffix = 0; suffix < 10_000; suffix++) {
      expect(registry.authenticate(`${secret}${suffix}`)).toBeUndefined();
    }
    expect(registry.authenticate(secret)?.id).toBe(token.id);
    expect(registry.authenticate('operator')?.id).toBe('API_TOKEN');
    expect(registry.authenticate(token.digest)).toBeUndefined();
    // Neither is without a limit where it has none of its own.
    for (const credential of [secret, 'operator'])
      expect(registry.authenticate(credential)).toMatchObject({ rate: undefined });
    await registry.flushLastUsed();
    expect([...store.uses.keys()]).toEqual([token.id]);
  });

  test('knows whether a token has every scope, those of later declarations too, or some', async () => {
    const store = memoryStore();
    const registry = createTokenRegistry(store, 'operator');
    const stored = [['*'], ['datasets'], [...SCOPES], []];
    const secrets = ['operator'];
    for (const scopes of stored)
      secrets.push((await issueToken(store, { ...OPTIONS, scopes })).secret);
    await registry.reload();
    const has = (scope: string) =>
      secrets.map((secret) => registry.authenticate(secret)?.scopes.has(scope));
    expect(has('quotes')).toEqual([true, true, false, true, false]);
    expect(has('datasets')).toEqual([true, true, true, false, false]);
    expect(has('later')).toEqual([true, true, false, false, false]);
  });

  test('accepts the secret of a link for its target alone, and that of a token as no link', async () => {
    const store = memoryStore();
    const link = await issueLink(store, { ...OPTIONS, target: '/3.0/funds' });
    const token = await issueToken(store, OPTIONS);
    const registry = createTokenRegistry(store, 'operator');
    await registry.reload();
    expect(registry.authenticate(toLinkCredential(link.secret))).toMatchObject({
      id: link.token.id,
      target: '/3.0/funds',
    });
    expect(registry.authenticate(link.secret)).toBeUndefined();
    expect(toLinkCredential(link.secret)).not.toMatch(TOKEN_PATTERN);
    for (const secret of [token.secret, 'operator', link.token.digest, ''])
      expect(registry.authenticate(toLinkCredential(secret))).toBeUndefined();
    await registry.flushLastUsed();
    expect([...store.uses.keys()]).toEqual([link.token.id]);
  });

  test('records last uses later if the store is busy, even of a token revoked since', async () => {
    const store = memoryStore();
    const { token, secret } = await issueToken(store, OPTIONS);
    const registry = createTokenRegistry(store, undefined);
    await registry.reload();
    registry.authenticate(secret);
    store.busy = true;
    await registry.flushLastUsed();
    expect(store.uses.size).toBe(0);
    store.busy = false;
    await store.update(token.id, { revokedAt: new Date().toISOString() });
    await registry.reload();
    expect(registry.authenticate(secret)).toBeUndefined();
    await registry.flushLastUsed();
    expect([...store.uses.keys()]).toEqual([token.id]);
  });
});

describe('the token of a principal that was accepted', () => {
  const accept = async (expiresAt: string | null) => {
    const store = memoryStore();
    const { token, secret } = await issueToken(store, { ...OPTIONS, expiresAt });
    const registry = createTokenRegistry(store, undefined);
    await registry.reload();
    const principal = registry.authenticate(secret);
    if (!principal) throw new Error('not accepted');
    return { store, registry, principal, secret, id: token.id };
  };
  afterEach(() => setSystemTime());

  test('is valid until it expires, without a reload', async () => {
    setSystemTime(new Date('2026-11-16T10:00:00Z'));
    const expiresAt = '2026-11-16T10:00:05.000Z';
    const { registry, principal, secret } = await accept(expiresAt);
    for (const [instant, isValid] of [
      ['2026-11-16T10:00:00.000Z', true],
      ['2026-11-16T10:00:04.999Z', true],
      [expiresAt, false],
    ] as const) {
      setSystemTime(new Date(instant));
      expect(registry.isValid(principal)).toBe(isValid);
      expect(registry.authenticate(secret) !== undefined).toBe(isValid);
      expect(isActive({ revokedAt: null, expiresAt }, new Date(instant))).toBe(isValid);
    }
  });

  test('is valid until a reload finds it revoked, and its use before that is stored', async () => {
    const { store, registry, principal, id } = await accept(null);
    await store.update(id, { revokedAt: new Date().toISOString() });
    expect(registry.isValid(principal)).toBe(true);
    const usedAt = new Date(principal.lastUsedAtMs).toISOString();
    await registry.reload();
    expect(registry.isValid(principal)).toBe(false);
    await registry.flushLastUsed();
    expect([...store.uses]).toEqual([[id, usedAt]]);
  });
});

describe('a secret that was stored since the last reload', () => {
  const start = async () => {
    const store = memoryStore();
    const queries: (readonly string[])[] = [];
    const { findByDigest } = store;
    store.findByDigest = (digests) => {
      queries.push(digests);
      return findByDigest(digests);
    };
    const registry = createTokenRegistry(store, 'operator');
    await registry.reload();
    return { store, registry, queries };
  };
  const revoked = { revokedAt: '2026-01-01T00:00:00.000Z' };

  test('is found in the store, with what it allows, and then known', async () => {
    const { store, registry, queries } = await start();
    const token = await issueToken(store, { ...OPTIONS, rate: '5/s' });
    const link = await issueLink(store, { ...OPTIONS, target: '/3.0/funds' });
    expect(registry.authenticate(token.secret)).toBeUndefined();
    const operator = registry.authenticate('operator');
    expect(operator && registry.isValid(operator)).toBe(true);
    expect(await registry.lookUp(token.secret)).toMatchObject({
      id: token.token.id,
      scopes: new Set(['quotes']),
      rate: { count: 5, windowMs: 1_000 },
    });
    expect(await registry.lookUp(toLinkCredential(link.secret))).toMatchObject({
      target: '/3.0/funds',
    });
    expect(await registry.lookUp(link.secret)).toBeUndefined();
    expect(await registry.lookUp(toLinkCredential(token.secret))).toBeUndefined();
    const known = registry.authenticate(token.secret);
    expect(known?.id).toBe(token.token.id);
    expect(known && registry.isValid(known)).toBe(true);
    expect(queries).toHaveLength(2);
    await registry.flushLastUsed();
    expect([...store.uses.keys()].toSorted()).toEqual([link.token.id, token.token.id]);
  });

  test('has its last use stored, if a second lookup of it was on its way', async () => {
    const { store, registry, queries } = await start();
    const { token, secret } = await issueToken(store, OPTIONS);
    await registry.lookUp(generateTokenSecret());
    const first = registry.lookUp(secret);
    while (queries.length < 2) await Bun.sleep(1);
    // The first one is answered already when the second one is asked.
    const [found, again] = await Promise.all([first, registry.lookUp(secret)]);
    expect(queries).toHaveLength(3);
    expect(again).toBe(found);
    expect(found && registry.isValid(found)).toBe(true);
    await registry.flushLastUsed();
    expect([...store.uses.keys()]).toEqual([token.id]);
  });

  test('is not accepted if it is revoked or expired, or has another form', async () => {
    const { store, registry, queries } = await start();
    const ended = await issueToken(store, OPTIONS);
    await store.update(ended.token.id, revoked);
    const expired = await issueToken(store, { ...OPTIONS, expiresAt: '2026-01-01T00:00:00.000Z' });
    expect(await registry.lookUp(ended.secret)).toBeUndefined();
    expect(await registry.lookUp(expired.secret)).toBeUndefined();
    expect(queries).toHaveLength(2);
    for (const text of ['operator2', 'tenor_short', `${ended.secret}x`, ended.token.digest, ''])
      for (const credential of [text, toLinkCredential(text)])
        expect(registry.lookUp(credential)).toBeUndefined();
    expect(queries).toHaveLength(2);
  });

  test('is found by few queries, one at a time, however many others are guessed meanwhile', async () => {
    const { store, registry, queries } = await start();
    const startedMs = performance.now();
    const guess = async () => {
      for (let turn = 0; turn < 10; turn++) await registry.lookUp(generateTokenSecret());
    };
    const guessing = Promise.all(Array.from({ length: 500 }, guess));
    for (let round = 0; round < 3; round++) {
      const { token, secret } = await issueToken(store, OPTIONS);
      expect((await registry.lookUp(secret))?.id).toBe(token.id);
    }
    await guessing;
    expect(queries.flat()).toHaveLength(5_003);
    expect(queries.length).toBeLessThanOrEqual(2 + (performance.now() - startedMs) / 50);
    // More than one query takes are not looked up at all.
    const flood = Array.from({ length: 1_100 }, () => registry.lookUp(generateTokenSecret()));
    expect(flood.filter((found) => found === undefined)).toHaveLength(100);
    await Promise.all(flood);
    expect(Math.max(...queries.map(({ length }) => length))).toBe(1_000);
  });

  test('is never accepted again after a reload found it revoked, whichever read ends first', async () => {
    const { store, registry } = await start();
    const { token, secret } = await issueToken(store, OPTIONS);
    const { findByDigest } = store;
    const slow = Promise.withResolvers<void>();
    store.findByDigest = async (digests) => {
      const found = await findByDigest(digests);
      await slow.promise;
      return found;
    };
    const lookedUp = registry.lookUp(secret);
    await Bun.sleep(0);
    await store.update(token.id, revoked);
    const reloaded = registry.reload();
    await Bun.sleep(0);
    slow.resolve();
    await Promise.all([lookedUp, reloaded]);
    expect(registry.authenticate(secret)).toBeUndefined();
    expect(await registry.lookUp(secret)).toBeUndefined();
  });

  test('is not waited for while the store is unreachable, until a reload succeeds', async () => {
    const { store, registry, queries } = await start();
    const { token, secret } = await issueToken(store, OPTIONS);
    const { findByDigest } = store;
    let attempts = 0;
    store.findByDigest = async () => {
      attempts++;
      throw new StoreUnavailableError('no server answers');
    };
    expect(await registry.lookUp(secret)).toBeUndefined();
    expect(registry.lookUp(secret)).toBeUndefined();
    expect([attempts, queries.length]).toEqual([1, 0]);
    // Nor is it by a request that was already waiting for the next query.
    await registry.reload();
    const lost = Promise.withResolvers<never>();
    store.findByDigest = () => {
      attempts++;
      return lost.promise;
    };
    const waiting = [registry.lookUp(generateTokenSecret())];
    await retryUntil(5_000, async () => expect(attempts).toBe(2));
    waiting.push(registry.lookUp(generateTokenSecret()));
    lost.reject(new StoreUnavailableError('no server answers'));
    expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
    expect(attempts).toBe(2);
    store.findByDigest = findByDigest;
    await registry.reload();
    expect(registry.authenticate(secret)?.id).toBe(token.id);
    const next = await issueToken(store, OPTIONS);
    expect((await registry.lookUp(next.secret))?.id).toBe(next.token.id);
  });

  test('is waited for two seconds at most if the store hangs', async () => {
    jest.useFakeTimers();
    const { store, registry } = await start();
    store.findByDigest = () => new Promise(() => {});
    const lookedUp = registry.lookUp(generateTokenSecret());
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    jest.advanceTimersByTime(2_000);
    expect(await lookedUp).toBeUndefined();
    jest.useRealTimers();
  });
});

describe('the last use of a token', () => {
  const start = async () => {
    const store = memoryStore();
    const { token, secret } = await issueToken(store, OPTIONS);
    const registry = createTokenRegistry(store, undefined);
    await registry.reload();
    return { store, registry, id: token.id, use: () => registry.authenticate(secret) };
  };
  const START_MS = Date.parse('2026-11-16T10:00:00Z');
  const advanceTo = (ms: number) => setSystemTime(START_MS + ms);
  const format = (ms: number) => new Date(START_MS + ms).toISOString();
  afterEach(() => setSystemTime());

  test('is stored once it is idle, and not at every request', async () => {
    advanceTo(0);
    const { store, registry, id, use } = await start();
    use();
    await registry.saveSettledUses();
    expect(store.uses.size).toBe(0);
    advanceTo(300);
    await registry.saveSettledUses();
    expect(store.uses.get(id)).toBe(format(0));
    // In constant use, also across a reload: every ten seconds.
    const stored = new Set<string | undefined>();
    for (let ms = 1_000; ms < 25_000; ms += 100) {
      advanceTo(ms);
      use();
      if (ms % 1_000 === 0) await registry.reload();
      await registry.saveSettledUses();
      stored.add(store.uses.get(id));
    }
    expect([...stored]).toEqual([0, 11_000, 21_100].map(format));
  });

  test('is stored once', async () => {
    advanceTo(0);
    const { store, registry, id, use } = await start();
    use();
    advanceTo(300);
    await registry.saveSettledUses();
    expect([...store.uses.keys()]).toEqual([id]);
    store.uses.clear();
    advanceTo(60_000);
    await registry.saveSettledUses();
    await registry.flushLastUsed();
    expect(store.uses.size).toBe(0);
  });

  test('is the later one if storing an earlier one fails meanwhile', async () => {
    advanceTo(0);
    const { store, registry, id, use } = await start();
    const { recordLastUsed } = store;
    const failed = Promise.withResolvers<never>();
    store.recordLastUsed = () => failed.promise;
    use();
    const saving = registry.flushLastUsed();
    advanceTo(500);
    use();
    // Collects the use, which is too recent to be stored.
    await registry.saveSettledUses();
    failed.reject(new StoreUnavailableError('busy'));
    await saving;
    store.recordLastUsed = recordLastUsed;
    await registry.flushLastUsed();
    expect(store.uses.get(id)).toBe(format(500));
  });

  test('is stored later if the store cannot be written', async () => {
    advanceTo(0);
    const { store, registry, id, use } = await start();
    use();
    store.busy = true;
    advanceTo(300);
    await registry.saveSettledUses();
    expect(store.uses.size).toBe(0);
    store.busy = false;
    await registry.saveSettledUses();
    expect(store.uses.get(id)).toBe(format(0));
  });
});

describe('a rotated token', () => {
  const DAY_MS = 86_400_000;
  const fromNow = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
  /** Days from now, rounded. */
  const daysLeft = ({ expiresAt }: StoredToken) =>
    expiresAt === null ? null : Math.round((Date.parse(expiresAt) - Date.now()) / DAY_MS);
  /** A token that was issued so many days ago. */
  const addToken = async (store: TokenStore, age: number, expiresAt: string | null) => {
    const { token } = await issueToken(memoryStore(), { ...OPTIONS, expiresAt });
    const old = { ...token, createdAt: fromNow(-age) };
    await store.add(old);
    return old;
  };

  test('is valid for as long from now as the old one was, or as long as is asked for', async () => {
    const store = memoryStore();
    const nearItsEnd = await addToken(store, 89, fromNow(1));
    const rotate = async (old: StoredToken, expiresAt?: string | null) =>
      daysLeft((await rotateToken(store, old, { graceMs: 0, expiresAt })).token);
    expect(await rotate(nearItsEnd)).toBe(90);
    expect(await rotate(nearItsEnd, fromNow(7))).toBe(7);
    expect(await rotate(await addToken(store, 3, null))).toBeNull();
    expect(await rotate(await addToken(store, 3, null), fromNow(7))).toBe(7);
    // A clock that was ahead when the token was issued.
    expect(await rotate(await addToken(store, -30, fromNow(60)))).toBe(60);
  });

  test('lets the old one live for the grace period, but not beyond its own end', async () => {
    const store = memoryStore();
    const oldEnds = async (age: number, expiresAt: string | null, graceDays: number) => {
      const old = await addToken(store, age, expiresAt);
      await rotateToken(store, old, { graceMs: graceDays * DAY_MS });
      return daysLeft((await store.all()).find(({ id }) => id === old.id) as StoredToken);
    };
    expect(await oldEnds(10, null, 2)).toBe(2);
    expect(await oldEnds(10, fromNow(30), 2)).toBe(2);
    expect(await oldEnds(10, fromNow(1), 2)).toBe(1);
  });

  test('ends the old one at once without a grace period, and not at all if it is not delivered', async () => {
    const store = memoryStore();
    const find = async (id: string) => (await store.all()).find((token) => token.id === id);
    const old = await addToken(store, 10, fromNow(30));
    const deliver = () => Promise.reject(new Error('no standard output'));
    await expect(rotateToken(store, old, { graceMs: 0, deliver })).rejects.toThrow('no standard');
    expect(await find(old.id)).toEqual(old);
    await rotateToken(store, old, { graceMs: 0 });
    expect(await find(old.id)).toMatchObject({
      expiresAt: old.expiresAt,
      revokedAt: expect.any(String),
    });
  });
});

test('the local token is the same at every start until it is revoked, and only its owner can read it', async () => {
  const folder = createTempFolder();
  const file = join(folder, 'x.token');
  const store = memoryStore();
  const { secret } = (await ensureLocalToken(store, file)) ?? {};
  expect(statSync(file).mode & 0o777).toBe(0o600);
  chmodSync(file, 0o644);
  expect(await ensureLocalToken(store, file)).toEqual({ secret: secret ?? '', isNew: false });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const [token] = await store.all();
  await store.update(token?.id ?? '', { revokedAt: new Date().toISOString() });
  expect(await ensureLocalToken(store, file)).toBeUndefined();
  expect(await store.all()).toHaveLength(1);
  rmSync(folder, { recursive: true });
});

test('no token file remains if the store rejects the local token', async () => {
  const folder = createTempFolder();
  const file = join(folder, 'x.token');
  const add = () => Promise.reject(new StoreUnusableError('permission denied'));
  await expect(ensureLocalToken({ ...memoryStore(), add }, file)).rejects.toThrow(
    StoreUnusableError,
  );
  expect(existsSync(file)).toBe(false);
  rmSync(folder, { recursive: true });
});

describe('a token secret', () => {
  test('is unique and allowed in a header', () => {
    const secrets = Array.from({ length: 1_000 }, generateTokenSecret);
    expect(new Set(secrets).size).toBe(1_000);
    for (const secret of secrets) expect(secret).toMatch(TOKEN_PATTERN);
  });

  test('has its SHA-256 as digest', () => {
    expect(hashTokenSecret('abc')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
  });
});
