import { afterEach, describe, expect, setSystemTime, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { openSource, TokenFollower } from '../../src/follow/token-follower.ts';
import { createCursorCodec } from '../../src/http/request/cursor-codec.ts';
import { createLinkCodec } from '../../src/http/request/link-codec.ts';
import type { SharingState } from '../../src/operations/health/health-operations.ts';
import type { StoredToken } from '../../src/store/open-store.ts';
import { issueLink, issueToken } from '../../src/tokens/issue-token.ts';
import { createTokenRegistry } from '../../src/tokens/token-registry.ts';
import { closeAfterEach } from '../support/close-after-each.ts';
import { createFollower } from '../support/create-follower.ts';
import { retryUntil } from '../support/eventually.ts';
import { fetchPages, parseRecords } from '../support/follow-links.ts';
import { generateQuotes } from '../support/generate-quotes.ts';
import { listOperationTargets } from '../support/operation-targets.ts';
import { publishHistory } from '../support/published-ledger.ts';
import { createStore, createTempFolder, ENGINES, type TestStore } from '../support/store.ts';
import {
  startTestServer,
  type TestServer,
  type TestServerOptions,
} from '../support/test-server.ts';

const { closing } = closeAfterEach();
const servers: TestServer[] = [];
afterEach(async () => {
  setSystemTime();
  for (const server of servers.splice(0)) await server.stop();
});

async function serve(store: TestStore, options?: TestServerOptions): Promise<TestServer> {
  const server = await startTestServer(store, options);
  servers.push(server);
  return server;
}

type TokenOptions = Partial<Parameters<typeof issueToken>[1]>;

async function issue({ store }: { readonly store: TestStore }, options: TokenOptions = {}) {
  const tokens = store.tokens();
  const defaults = { name: 'ann', scopes: ['*'], rate: null, expiresAt: null };
  const { token, secret } = await issueToken(tokens, { ...defaults, ...options });
  tokens.close();
  return { id: token.id, secret, authorization: `Bearer ${secret}` };
}

async function change(
  store: TestStore,
  id: string,
  end: { revokedAt: string } | { expiresAt: string },
) {
  const tokens = store.tokens();
  await tokens.update(id, end);
  tokens.close();
}

const revoke = (store: TestStore, id: string) =>
  change(store, id, { revokedAt: new Date().toISOString() });

/** Takes the tokens and keys of a source over to a store. */
function followTokens(store: TestStore, source: string, token: string) {
  const tokens = closing(store.tokens());
  const states: SharingState[] = [];
  const open = openSource(source, token);
  const follower = new TokenFollower({
    read: () => open('/follow'),
    tokens,
    onSharing: (sharing) => states.push(sharing),
  });
  return {
    poll: () => follower.poll(),
    get state() {
      return states.at(-1);
    },
  };
}

/** A server that follows another one, with its revisions, and its tokens if it has the right to them. */
async function startFollower(source: TestServer, store: TestStore, options: TokenOptions = {}) {
  const { secret } = await issue(source, { name: 'follower', mayFollowTokens: true, ...options });
  // The source reads its tokens once a second.
  await expectStatus(source, '/catalogue', secret, 200);
  const follower = closing(createFollower(store, source.address, { token: secret }));
  await follower.poll();
  const sharing = followTokens(store, source.address, secret);
  await sharing.poll();
  const server = await serve(store, { follow: source.address });
  return { store, server, sharing, request: server.request, secret };
}

const SOON_MS = 5_000;

async function expectStatus(
  { request }: Pick<TestServer, 'request'>,
  target: string,
  secret: string,
  status: number,
): Promise<void> {
  const authorization = secret && `Bearer ${secret}`;
  await retryUntil(SOON_MS, async () =>
    expect((await request(target, { authorization })).status).toBe(status),
  );
}

const CSV = '/2.0/bnb/quote?limit=2&format=csv';

async function startSource(options?: TestServerOptions): Promise<TestServer> {
  const store = await createStore();
  await publishHistory(store);
  return serve(store, options);
}

/** Walks from page to page, each of another server than the one before. */
function walk(walked: readonly Pick<TestServer, 'request'>[], target: string, secret: string) {
  let index = 0;
  const headers = { authorization: `Bearer ${secret}` };
  const ask = (next: string) =>
    (walked[index++ % walked.length] as TestServer).request(next, headers);
  return fetchPages(ask, target);
}

describe.each(ENGINES)('$name: servers that are fed by one source', (engine) => {
  test('take the cursors of one another in every operation that has pages, also those of large ones', async () => {
    const source = await serve(await engine.createStore());
    await publishHistory(source.store);
    await source.store.publish(quotes, generateQuotes(['2026-06-03'], 2_500));
    const all = [source, await startFollower(source, await engine.createStore())];
    all.push(await startFollower(source, await createStore(), { mayFollowTokens: false }));
    const paged = listOperationTargets().filter(({ parameters }) => 'cursor' in parameters);
    expect(paged.length).toBeGreaterThan(10);
    for (const server of all) await expectStatus(server, '/catalogue', 'test-token', 200);
    const walked: string[] = [];
    for (const { target, path, parameters } of paged) {
      const max = (parameters.limit?.schema as { maximum?: number } | undefined)?.maximum;
      const address =
        path === '/2.0/bnb/quote' ? `${path}?from=2026-01-01&limit=` : `${target}&limit=`;
      const records = parseRecords(await (await source.request(`${address}${max}`)).text());
      if (!Array.isArray(records) || records.length < 2) continue;
      // Up to three pages of each.
      const pages = `${address}${Math.ceil(records.length / 3)}`;
      const expected = await walk([source], pages, 'test-token');
      expect([pages, await walk(all, pages, 'test-token')]).toEqual([pages, expected]);
      if (expected.length > 1) walked.push(path);
    }
    expect(walked).toContain('/2.0/bnb/quote');
    expect(walked.length).toBeGreaterThan(5);
  }, 120_000);

  test('take tokens and links of the source within seconds, and none once it has revoked them', async () => {
    const source = await startSource();
    const follower = await startFollower(source, await engine.createStore());
    const { sharing, store } = follower;
    const own = await issue(follower, { name: 'own' });
    const [first, second] = [await issue(source), await issue(source, { rate: '2/min' })];
    const tokens = source.store.tokens();
    const link = await issueLink(tokens, {
      ...{ name: 'l', scopes: ['quotes'], rate: null, expiresAt: null, target: CSV },
    });
    await expectStatus(source, `/links/${link.secret}`, '', 200);
    await expectStatus(source, '/catalogue', second.secret, 200);
    await sharing.poll();
    // At once, as tokens of its own.
    const open = (secret: string, target = '/catalogue') =>
      follower.request(target, { authorization: `Bearer ${secret}` });
    expect((await open(first.secret)).status).toBe(200);
    expect((await open(second.secret)).headers.get('RateLimit-Policy')).toContain('q=2;w=60');
    await expectStatus(follower, `/links/${link.secret}`, '', 200);
    await revoke(source.store, first.id);
    await tokens.update(link.token.id, { revokedAt: new Date().toISOString() });
    tokens.close();
    await expectStatus(source, '/catalogue', first.secret, 401);
    await expectStatus(source, `/links/${link.secret}`, '', 404);
    await sharing.poll();
    await expectStatus(follower, '/catalogue', first.secret, 401);
    await expectStatus(follower, `/links/${link.secret}`, '', 404);
    for (const secret of [own.secret, second.secret])
      expect((await open(secret)).status).not.toBe(401);
    const stored = closing(store.tokens());
    // Uses are recorded where they happen.
    await retryUntil(SOON_MS, async () =>
      expect((await stored.all()).find(({ id }) => id === second.id)?.lastUsedAt).toBeString(),
    );
    // An unchanged list, with a lease that is as good as new, is not written again.
    const before = (await stored.all()).map(({ createdAt, expiresAt }) => [createdAt, expiresAt]);
    await sharing.poll();
    expect((await stored.all()).map(({ createdAt, expiresAt }) => [createdAt, expiresAt])).toEqual(
      before,
    );
  }, 60_000);

  test('serve 503 to tokens of a source that was away for 15 minutes, over a restart, but never to their own', async () => {
    const source = await startSource();
    const store = await engine.createStore();
    const { secret: right } = await issue(source, { mayFollowTokens: true });
    const nowMs = Date.parse('2027-01-01T00:00:00Z');
    setSystemTime(nowMs);
    const ending = await issue(source, { expiresAt: new Date(nowMs + 600_000).toISOString() });
    const exact = await issue(source, { expiresAt: new Date(nowMs + 900_000).toISOString() });
    const later = await issue(source, { expiresAt: new Date(nowMs + 900_001).toISOString() });
    const endless = await issue(source);
    await expectStatus(source, '/catalogue', endless.secret, 200);
    const sharing = followTokens(store, source.address, right);
    await sharing.poll();
    expect(sharing.state).toBe('tokens');
    const own = await issue({ store });
    await source.stop();
    servers.splice(servers.indexOf(source), 1);
    // The registry of a server that was started again meanwhile.
    const describeAll = async (ms: number) => {
      setSystemTime(nowMs + ms);
      await sharing.poll();
      const tokens = closing(store.tokens());
      const registry = createTokenRegistry(tokens, undefined);
      await registry.reload();
      return [ending, exact, later, endless, own].map(({ secret }) => {
        const { isLeased = false, expiresAtMs = 0 } = registry.authenticate(secret) ?? {};
        const isValid = expiresAtMs > Date.now();
        return isValid ? 200 : isLeased ? 503 : 401;
      });
    };
    expect(await describeAll(599_999)).toEqual([200, 200, 200, 200, 200]);
    expect(await describeAll(600_000)).toEqual([401, 200, 200, 200, 200]);
    expect(await describeAll(899_999)).toEqual([401, 200, 200, 200, 200]);
    expect(await describeAll(900_000)).toEqual([401, 401, 503, 503, 200]);
    expect(sharing.state).toBe('unconfirmed');
    const server = await serve(store);
    const request = (secret: string) =>
      server.request('/catalogue', { authorization: `Bearer ${secret}` });
    const refused = await request(endless.secret);
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '5']);
    expect((await request(`${endless.secret.slice(0, -2)}AA`)).status).toBe(401);
    expect((await request(own.secret)).status).toBe(200);
  }, 60_000);
});

describe('a follower', () => {
  test('verifies the links that tokens sign, at the source or by asking it, and cannot sign them', async () => {
    const source = await startSource();
    const [one, two] = [
      await startFollower(source, await createStore()),
      await startFollower(source, await createStore()),
    ];
    const { secret, id } = await issue(source, { mayShare: true });
    await expectStatus(source, '/catalogue', secret, 200);
    for (const { sharing } of [one, two]) await sharing.poll();
    for (const server of [one, two]) await expectStatus(server, '/catalogue', secret, 200);
    const target = `/links/sign?target=${encodeURIComponent(CSV)}&expires=1d`;
    for (const signing of [source, one]) {
      const signed = await signing.request(target, { authorization: `Bearer ${secret}` });
      const { address } = ((await signed.json()) as { data: { address: string } }).data;
      for (const server of [source, one, two]) await expectStatus(server, address, '', 200);
    }
    // By the key of the follower, by the shared key of cursors, and by the verifying key.
    const link = { tokenId: id, expiresAtMs: Date.now() + 1e6, target: CSV };
    const reader = closing(one.store.reader());
    const shared = ((await (await source.request('/follow')).json()) as { data: Shared }).data;
    const keys = [shared.cursorKey, ...shared.linkKeys].map((key) => Buffer.from(key, 'base64url'));
    for (const key of [await reader.secret(), ...keys]) {
      const forged = createLinkCodec(key).encode(link);
      const payload = Buffer.from(JSON.stringify(Object.values(link))).toString('base64url');
      const hmac = new Bun.CryptoHasher('sha256', key).update(`link ${payload}`);
      const legacy = `signed.${payload}.${hmac.digest('base64url')}`;
      for (const text of [forged, legacy])
        for (const server of [source, one, two])
          expect((await server.request(`/links/${text}`, { authorization: '' })).status).toBe(404);
    }
    // It still signs for tokens of its own.
    const own = await issue(one, { mayShare: true });
    const signed = await one.request(target, { authorization: own.authorization });
    const { address } = ((await signed.json()) as { data: { address: string } }).data;
    await expectStatus(one, address, '', 200);
    await source.stop();
    servers.splice(servers.indexOf(source), 1);
    const refused = await one.request(target, { authorization: `Bearer ${secret}` });
    expect(refused.status).toBe(503);
  }, 60_000);

  test('gives tokens of wider scopes no more than its own token has, and no part of what a link is for', async () => {
    const source = await startSource();
    const tokens = closing(source.store.tokens());
    const terms = { name: 'l', rate: null, expiresAt: null };
    const wide = await issueLink(tokens, { ...terms, scopes: ['*'], target: '/catalogue' });
    const link = await issueLink(tokens, { ...terms, scopes: ['quotes'], target: CSV });
    const all = await issue(source);
    const funds = await issue(source, { scopes: ['funds'] });
    await expectStatus(source, '/catalogue', funds.secret, 200);
    const follower = await startFollower(source, await createStore(), { scopes: ['quotes'] });
    const statuses = async ({ secret }: { readonly secret: string }) =>
      Promise.all(
        ['/2.0/bnb/quote', '/3.0/funds', '/3.0/alternate/online-banking-annual-volume'].map(
          async (target) =>
            (await follower.request(target, { authorization: `Bearer ${secret}` })).status,
        ),
      );
    expect(await statuses(all)).toEqual([200, 403, 403]);
    expect(await statuses(funds)).toEqual([403, 403, 403]);
    await expectStatus(follower, `/links/${link.secret}`, '', 200);
    await expectStatus(follower, `/links/${wide.secret}`, '', 404);
  }, 60_000);

  test('without the right gets cursors alone, ends what it had before, and says so; API_TOKEN gives none', async () => {
    const source = await startSource();
    const { secret } = await issue(source);
    await expectStatus(source, '/catalogue', secret, 200);
    const store = await createStore();
    const rich = await startFollower(source, store);
    await expectStatus(rich, '/catalogue', secret, 200);
    const poor = followTokens(store, source.address, secret);
    await poor.poll();
    expect(poor.state).toBe('cursors');
    await expectStatus(rich, '/catalogue', secret, 401);
    const operator = followTokens(store, source.address, 'test-token');
    await operator.poll();
    expect(operator.state).toBe('cursors');
    const { data } = (await (await source.request('/follow')).json()) as { data: Shared };
    expect(Object.keys(data)).toEqual(['cursorKey', 'linkKeys']);
    const response = await source.request('/follow');
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    expect((await source.request('/follow', { authorization: '' })).status).toBe(401);
  }, 60_000);

  test('tells a source of an earlier release, or a mirror, from one that is away', async () => {
    const store = await createStore();
    const source = Bun.serve({ port: 0, fetch: () => new Response('no', { status: 404 }) });
    const address = `http://127.0.0.1:${source.port}`;
    const follower = followTokens(store, address, 'any');
    expect([await follower.poll(), follower.state]).toEqual([30_000, 'nothing']);
    const mirror = followTokens(store, 's3://bucket/prefix', 'any');
    expect([await mirror.poll(), mirror.state]).toEqual([30_000, 'nothing']);
    source.stop(true);
    const away = followTokens(store, address, 'any');
    expect([await away.poll(), away.state]).toEqual([1_000, undefined]);
    await store.remove();
  });

  test('signs what it has cached anew with the key of its source, and lists a token that was made a moment ago', async () => {
    const source = await startSource();
    const store = await createStore();
    const { secret, id } = await issue(source, { mayFollowTokens: true });
    const revisions = closing(createFollower(store, source.address, { token: secret }));
    await revisions.poll();
    const server = await serve(store);
    const readNext = async () =>
      /<([^>]+)>; rel="next"/.exec(
        (await server.request('/2.0/bnb/quote?limit=1')).headers.get('link') ?? '',
      )?.[1] ?? '';
    // The second response is cached.
    const own = [await readNext(), await readNext(), await readNext()];
    expect((await source.request(own[2] as string)).status).toBe(400);
    await followTokens(store, source.address, secret).poll();
    const stored = await closing(store.tokens()).all();
    expect(stored.map((token) => token.id)).toContain(id);
    await retryUntil(SOON_MS, async () =>
      expect((await source.request(await readNext())).status).toBe(200),
    );
    // Clients that have one of before go on.
    expect((await server.request(own[0] as string)).status).toBe(200);
  }, 60_000);

  test('passes tokens on to its own followers, no longer than it has them itself', async () => {
    const source = await startSource();
    const first = await startFollower(source, await createStore());
    const right = await issue(source, { mayFollowTokens: true });
    await expectStatus(source, '/catalogue', right.secret, 200);
    await first.sharing.poll();
    await expectStatus(first, '/catalogue', right.secret, 200);
    // Its token is of the source of its source.
    const store = await createStore();
    const second = followTokens(store, first.server.address, right.secret);
    await second.poll();
    const server = await serve(store);
    expect(second.state).toBe('tokens');
    await expectStatus(server, '/catalogue', right.secret, 200);
    const read = async (each: TestStore) =>
      (await closing(each.tokens()).all()).find(({ id }) => id === right.id) as StoredToken;
    const [lease, secondLease] = [await read(first.store), await read(store)];
    expect(secondLease.expiresAt).toBe(lease.expiresAt);
    expect([lease.isLeased, secondLease.isLeased]).toEqual([true, true]);
    // Its own keys, and those of its source.
    const { data } = (await (await server.request('/follow')).json()) as { data: Shared };
    const { data: original } = (await (await source.request('/follow')).json()) as { data: Shared };
    expect(data.cursorKey).toBe(original.cursorKey);
    expect(data.linkKeys).toHaveLength(3);
    expect(data.linkKeys[0]).toBe(original.linkKeys[0] as string);
  }, 60_000);

  test('ends a token of a copied store that its source revokes', async () => {
    const source = await startSource();
    const [revoked, ended] = [await issue(source), await issue(source)];
    const right = await issue(source, { mayFollowTokens: true });
    const store = await createStore();
    const copied = closing(store.tokens());
    // With the id of the source, and a token file that became another token here.
    for (const token of await closing(source.store.tokens()).all())
      await copied.add(token.id === ended.id ? { ...token, id: 'tk_other' } : token);
    await revoke(source.store, revoked.id);
    await revoke(source.store, ended.id);
    await expectStatus(source, '/catalogue', right.secret, 200);
    await expectStatus(source, '/catalogue', revoked.secret, 401);
    await expectStatus(source, '/catalogue', ended.secret, 401);
    await followTokens(store, source.address, right.secret).poll();
    const registry = createTokenRegistry(copied, undefined);
    await registry.reload();
    const valid = [revoked, ended, right].map(({ secret }) => registry.authenticate(secret)?.id);
    expect(valid).toEqual([undefined, undefined, right.id]);
    await store.remove();
  }, 60_000);

  test.each([
    ['a key', (data: Shared) => ({ ...data, cursorKey: 'short' })],
    ['keys', (data: Shared) => ({ ...data, linkKeys: undefined })],
    ['an id', (data: Shared) => withToken(data, { id: 'source' })],
    ['a digest', (data: Shared) => withToken(data, { digest: '0' })],
    ['an expiry', (data: Shared) => withToken(data, { expiresAt: 'never' })],
    ['scopes', (data: Shared) => withToken(data, { scopes: 'quotes' as never })],
  ])('takes nothing of a list with %s that cannot be', async (_, alter) => {
    const store = await createStore();
    const tokens = closing(store.tokens());
    const shared: Shared = { cursorKey: KEY, linkKeys: [KEY], tokens: [TOKEN_OF_SOURCE] };
    let data: unknown = shared;
    const follower = new TokenFollower({ read: async () => data, tokens, onSharing: () => {} });
    data = alter(shared);
    await follower.poll();
    expect(await tokens.all()).toEqual([]);
    data = shared;
    await follower.poll();
    expect((await tokens.all()).map(({ id }) => id).toSorted()).toEqual(['source', 'tk_1']);
    await store.remove();
  });
});

const KEY = Buffer.alloc(32, 7).toString('base64url');
const TOKEN_OF_SOURCE = {
  ...{ id: 'tk_1', name: 'ann', digest: 'a'.repeat(64), scopes: ['quotes'], rate: null },
  ...{ expiresAt: null, revokedAt: null, target: null },
  ...{ mayShare: false, mayFollowTokens: false, isLeased: false },
};

interface Shared {
  readonly cursorKey: string;
  readonly linkKeys: readonly string[];
  readonly tokens?: readonly Partial<StoredToken>[];
}

const withToken = (data: Shared, change: Partial<StoredToken>): Shared => ({
  ...data,
  tokens: [{ ...TOKEN_OF_SOURCE, ...change }],
});

test('the audit log has who got the tokens of a server, and nothing of them', async () => {
  const auditLog = join(createTempFolder(), 'audit.log');
  const source = await startSource({ auditLog });
  const { secret, authorization } = await issue(source, { mayFollowTokens: true });
  await expectStatus(source, '/follow', secret, 200);
  const etag = (await source.request('/follow', { authorization })).headers.get('ETag') ?? '';
  const lines = readFileSync(auditLog, 'utf8').split('\n').slice(0, -1);
  const unchanged = await source.request('/follow', { authorization, 'If-None-Match': etag });
  expect(unchanged.status).toBe(304);
  const text = readFileSync(auditLog, 'utf8');
  // Polls that give nothing, once a second for each follower, are no reads.
  expect(text.split('\n').slice(0, -1)).toEqual(lines);
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ event: 'read', route: '/follow' });
  expect(text).not.toContain('digest');
  expect(text).not.toContain('cursorKey');
});

test('cursors and signed links of 1.0 are taken where they were made, and no cursor breaks a server that has its key', async () => {
  const source = await startSource();
  const secret = await closing(source.store.reader()).secret();
  const target = '/2.0/bnb/quote?from=2026-01-01&limit=1';
  const [, next = ''] = /<([^>]+)>; rel="next"/.exec(
    (await source.request(target)).headers.get('link') ?? '',
  ) as RegExpExecArray;
  const cursor = new URL(next, source.address).searchParams.get('cursor') ?? '';
  const payload = Buffer.from(cursor, 'base64url').subarray(16).toString();
  const { key } = createCursorCodec(secret);
  const sign = (text: string, by: Uint8Array, purpose = 'page') =>
    new Bun.CryptoHasher('sha256', by).update(`${purpose} ${text}`).digest().subarray(0, 16);
  const open = (text: string, by: Uint8Array) => {
    const forged = Buffer.concat([sign(text, by), Buffer.from(text)]).toString('base64url');
    return source.request(`${target}&cursor=${forged}`);
  };
  const [print, ...values] = JSON.parse(payload);
  const expected = parseRecords(await (await source.request(next)).text());
  expect(expected).toHaveLength(1);
  // Of 1.0, both are signed with the secret itself.
  const oldPrint = sign('request', secret, 'asked').toString('base64url');
  const oldText = JSON.stringify([oldPrint, 1, 2, 'x']);
  const old = Buffer.concat([sign(oldText, secret), Buffer.from(oldText)]).toString('base64url');
  expect(createCursorCodec(secret).decode('request', old)).toEqual([1, 2, 'x']);
  const token = await issue(source, { mayShare: true });
  await expectStatus(source, '/catalogue', token.secret, 200);
  const link = Buffer.from(JSON.stringify([token.id, Date.now() + 1e6, CSV])).toString('base64url');
  const hmac = new Bun.CryptoHasher('sha256', secret).update(`link ${link}`).digest('base64url');
  await expectStatus(source, `/links/signed.${link}.${hmac}`, '', 200);
  expect((await open(payload, key)).status).toBe(200);
  for (const text of ['', '{', '7', '[]', '[[]]', JSON.stringify([print, null]), '{"a":1}'])
    expect([text, (await open(text, key)).status]).toEqual([text, 400]);
  for (const other of [
    [],
    [1e9, 0],
    [values[0], values[1], 'x'],
    [-1, -1, -1],
    ['a', 'b', 'c', 'd'],
  ])
    expect((await open(JSON.stringify([print, ...other]), key)).status).toBeLessThan(500);
});
