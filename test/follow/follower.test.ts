import { afterEach, describe, expect, spyOn, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { toLogResponse } from '../../src/client/create-open-path.ts';
import type { Upstream } from '../../src/follow/open-upstream.ts';
import type { OpenPath } from '../../src/ledger/open-path.ts';
import { verifyLog } from '../../src/ledger/verify-log.ts';
import { retireDataset } from '../../src/publish/declare-dataset.ts';
import { revertRevision } from '../../src/publish/revert-revision.ts';
import { system } from '../../src/shared/system.ts';
import type { LedgerSigner } from '../../src/store/ledger-signer.ts';
import type { KeyReplacement } from '../../src/store/open-store.ts';
import { findFaults } from '../clients/verify-store.ts';
import { closeAfterEach } from '../support/close-after-each.ts';
import { copyStore } from '../support/copy-store.ts';
import { createFollower } from '../support/create-follower.ts';
import { kibor } from '../support/declared-rates.ts';
import { retryUntil } from '../support/eventually.ts';
import { alterSource, limitSource } from '../support/limit-source.ts';
import {
  a,
  b,
  HISTORY,
  otherSigner,
  publishHistory,
  publishSteps,
  type Step,
} from '../support/published-ledger.ts';
import { createStore, ENGINES, type TestStore } from '../support/store.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { issueSecret } from '../support/use-test-server.ts';

const { closing, removing } = closeAfterEach();
const servers: TestServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

async function serve(store: TestStore, port?: number): Promise<TestServer> {
  const server = await startTestServer(store, { port });
  servers.push(server);
  return server;
}

/** Another history takes the place of a server's. */
async function replaceServer(server: TestServer, steps: readonly Step[], key?: LedgerSigner) {
  servers.splice(servers.indexOf(server), 1);
  await server.stop();
  const store = await createStore();
  await publishHistory(store, steps, key);
  return serve(store, Number(new URL(server.address).port));
}

/** A store that follows a server, and has all of its history. */
async function follow(own: TestStore) {
  const source = await createStore();
  await publishHistory(source);
  const server = await serve(source);
  const follower = closing(createFollower(own, server.address));
  await follower.poll();
  return { server, source, own, follower };
}

/** Applies the first revisions only. */
async function applyFirst(own: TestStore, server: TestServer, count: number): Promise<void> {
  const follower = createFollower(own, server.address, { source: limitSource(server, count) });
  await follower.poll();
  follower.close();
}

async function replaceKey(store: TestStore, replacement: KeyReplacement): Promise<void> {
  const publisher = store.publisher();
  await publisher.replaceLedgerKey(replacement);
  publisher.close();
}

const openPath =
  (server: TestServer): OpenPath =>
  async (path) =>
    toLogResponse(await server.request(path));

/** A source whose response to a path has another body. */
interface Damage {
  readonly path: string;
  alter(text: string): string;
}

const DAMAGES: readonly (readonly [Damage, string])[] = [
  [{ path: '/ledger/entries/4', alter: (text) => text.replace('day 4', 'day 5') }, 'altered-entry'],
  [
    { path: '/changes/quotes?since=3', alter: (text) => text.replace('77', '78') },
    'altered-changes',
  ],
  [{ path: '/changes/quotes?since=3', alter: () => '' }, 'altered-changes'],
  [{ path: '/ledger/checkpoint?size=4', alter: (text) => text.replace('4', '5') }, 'unsigned'],
];

function damageSource(server: TestServer, { path: damaged, alter }: Damage): Upstream {
  return alterSource(server, async (path, response) =>
    path.startsWith(damaged) ? new Response(alter(await response.text()), response) : response,
  );
}

const AGAIN = 'prices.example/again';
const NEXT: Step = { dataset: quotes, records: [a], day: 7 };

const REVISION_TARGETS = (n: number) => [
  `/2.0/bnb/quote?as_of=${n}`,
  `/catalogue?as_of=${n}`,
  `/exports/quotes.ndjson?as_of=${n}`,
  `/changes/quotes?since=0&until=${n}&as_of=${n}`,
  `/revisions/${n}`,
  `/ledger/entries/${n}`,
  `/ledger/proof/${n}`,
  `/ledger/checkpoint?size=${n}`,
];

/** Everything that both servers have of revisions, by its status, headers and body. */
async function expectSame(
  source: TestServer,
  copy: TestServer,
  size: number,
  since = 1,
): Promise<void> {
  const targets = [
    ...['/revisions', '/revisions?limit=1', '/ledger/checkpoint', '/ledger/keys'],
    `/ledger/tile/0/000.p/${size}`,
    ...[`/ledger/tile/entries/000.p/${size}`, `/ledger/proof/${size}?from=1`, '/securities'],
    ...Array.from({ length: size + 1 - since }, (_, index) =>
      REVISION_TARGETS(since + index),
    ).flat(),
  ];
  for (const target of targets) {
    const [expected, actual] = await Promise.all(
      [source, copy].map(async (server) => {
        // Both may not have looked at their databases since.
        const response = await server.request(target, { 'Tenor-Revision': String(size) });
        const headers = ['etag', 'tenor-revision', 'tenor-published-at', 'cache-control'];
        return [
          response.status,
          await response.text(),
          ...headers.map((name) => response.headers.get(name)),
        ];
      }),
    );
    expect([target, ...(actual ?? [])]).toEqual([target, ...(expected ?? [])]);
  }
}

for (const { name: engine, createStore: createOwn } of ENGINES) {
  describe(`${engine}: a database that follows a server`, () => {
    test('has all that its source has, with the same bytes, tags and checkpoints', async () => {
      const source = await createStore();
      await publishHistory(source);
      const server = await serve(source);
      const own = await createOwn();
      const follower = closing(createFollower(own, server.address));
      expect(await follower.poll()).toMatchObject({ state: 'following', revision: 6 });
      const reader = closing(own.reader({ isFollowing: true }));
      // What its source has published by now may still come.
      expect(await reader.revisionAt(new Date().toISOString())).toMatchObject({ isFinal: false });
      const copy = await serve(own);
      await expectSame(server, copy, 6);
      const publisher = source.publisher();
      await revertRevision(publisher, catalogue, { revision: 4, author: 'publisher' });
      await retireDataset(publisher, {
        name: kibor.name,
        withRecords: true,
        author: 'publisher',
      });
      publisher.close();
      const { revision } = await follower.poll();
      expect(revision).toBeGreaterThan(7);
      await copy.request('/revisions', { 'tenor-revision': String(revision) });
      await expectSame(server, copy, revision, 7);
    });

    test('may be applied to by several processes at a time', async () => {
      const source = await createStore();
      await publishHistory(source);
      const server = await serve(source);
      const own = removing(await createOwn());
      const followers = [1, 2, 3].map(() => closing(createFollower(own, server.address)));
      await Promise.all(followers.map((follower) => follower.poll()));
      const statuses = await Promise.all(followers.map((follower) => follower.poll()));
      for (const status of statuses)
        expect(status).toMatchObject({ state: 'following', revision: 6 });
      expect(
        followers.flatMap(({ statuses }) => statuses.filter(({ problem }) => problem)),
      ).toEqual([]);
      expect(await findFaults(own)).toEqual([]);
    });
  });
}

describe('a database that follows a server', () => {
  test('takes over a new key at once, so that verifiers that know it get no alarm', async () => {
    const { server, source, own, follower } = await follow(await createStore());
    const copy = await serve(own);
    await replaceKey(source, {});
    const { state } = await verifyLog(openPath(server));
    expect(await follower.poll()).toMatchObject({ state: 'following', revision: 6 });
    expect(await verifyLog(openPath(copy), { state })).toMatchObject({ size: 6 });
    await publishSteps(source, [NEXT]);
    expect(await follower.poll()).toMatchObject({ state: 'following', revision: 7 });
    await expectSame(server, copy, 7, 6);
  });

  test('stays if it is when the log was begun again, until that is accepted', async () => {
    const { server, source, own, follower } = await follow(await createStore());
    await replaceKey(source, { name: AGAIN });
    await publishSteps(source, [NEXT]);
    const stopped = { state: 'stopped', problem: 'restarted', revision: 6, sourceRevision: 6 };
    expect(await follower.poll()).toMatchObject(stopped);
    expect(follower.statuses.at(-1)?.cause).toContain(`--accept-restart ${AGAIN}`);
    const told = closing(createFollower(own, server.address, { acceptRestart: AGAIN }));
    expect(await told.poll()).toMatchObject({ state: 'following', revision: 7 });
    await publishSteps(source, [{ ...NEXT, records: [{ ...b, volume: 8 }], day: 8 }]);
    expect(await follower.poll()).toMatchObject({ state: 'following', revision: 8 });
    await expectSame(server, await serve(own), 8, 6);
    // One that is killed before it has all of a log that was begun again goes on by itself.
    const late = await createStore();
    await applyFirst(late, server, 4);
    expect(await findFaults(late)).toEqual([]);
    const { keys } = (await (await serve(late)).getJson('/ledger/keys')).data;
    expect(keys).toHaveLength(1);
    expect(await verifyLog(openPath(servers.at(-1) as TestServer))).toMatchObject({ size: 4 });
    const resumed = closing(createFollower(late, server.address));
    expect(await resumed.poll()).toMatchObject({ state: 'following', revision: 8 });
  });

  test('keeps revisions that a restored backup has lost, and says what to do', async () => {
    const { server, own, follower } = await follow(await createStore());
    const restored = await replaceServer(server, HISTORY.slice(0, 4));
    expect(await follower.poll()).toMatchObject({ state: 'unreachable', problem: 'behind' });
    expect(follower.statuses.at(-1)?.cause).toContain('tenor ledger restart before publishing');
    await replaceKey(restored.store, { name: AGAIN });
    await publishSteps(restored.store, [NEXT, { ...NEXT, records: [{ ...b, volume: 8 }], day: 8 }]);
    expect(await follower.poll()).toMatchObject({ state: 'stopped', problem: 'restarted' });
    const told = closing(createFollower(own, server.address, { acceptRestart: AGAIN }));
    const { cause, ...status } = await told.poll();
    expect(status).toMatchObject({ state: 'stopped', problem: 'restarted', revision: 6 });
    expect(cause).toContain('begin with an empty database');
    expect(told.statuses.map(({ state }) => state)).toEqual(['stopped']);
    expect(await findFaults(own)).toEqual([]);
  });

  test('does not take up a history that was rewritten, and names it', async () => {
    const { server, own, follower } = await follow(await createStore());
    const altered = HISTORY.with(1, { ...(HISTORY[1] as Step), source: 'another file' });
    const forked = await replaceServer(server, altered);
    expect(await follower.poll()).toMatchObject({ state: 'stopped', problem: 'forked' });
    await publishSteps(forked.store, [NEXT]);
    expect(await follower.poll()).toMatchObject({ problem: 'rewritten', revision: 6 });
    const other = await replaceServer(forked, [...HISTORY, NEXT], otherSigner);
    expect(await follower.poll()).toMatchObject({ state: 'stopped', problem: 'unknown-key' });
    expect(follower.statuses.at(-1)?.cause).toContain('begin with an empty database');
    await replaceServer(other, [...HISTORY, NEXT]);
    expect(await follower.poll()).toMatchObject({ state: 'following', revision: 7 });
    expect(await findFaults(own)).toEqual([]);
  });

  test('takes nothing of a revision whose entry, changes or checkpoint are not those of the log', async () => {
    const source = await createStore();
    await publishHistory(source);
    const server = await serve(source);
    for (const [damage, problem] of DAMAGES) {
      const own = removing(await createStore());
      const follower = closing(
        createFollower(own, server.address, { source: damageSource(server, damage) }),
      );
      expect([damage.path, await follower.poll()]).toMatchObject([
        damage.path,
        { state: 'stopped', problem, revision: 3 },
      ]);
      expect(await findFaults(own)).toEqual([]);
    }
  });

  test('has placeholders for what its token may not read, which name nothing', async () => {
    const source = await createStore();
    await publishHistory(source);
    const server = await serve(source);
    const token = await issueSecret(source, ['datasets']);
    const own = await createStore();
    const follower = closing(createFollower(own, server.address, { token }));
    expect(await follower.poll()).toMatchObject({ state: 'following', revision: 6 });
    const copy = await serve(own);
    const { data } = await copy.getJson('/revisions');
    expect(data.map(({ dataset }: { dataset: string }) => dataset)).toEqual([
      kibor.name,
      'datasets',
    ]);
    for (const target of ['/ledger/checkpoint', '/ledger/tile/entries/000.p/6', '/ledger/proof/6'])
      expect(await (await copy.request(target)).text()).toBe(
        await (await server.request(target)).text(),
      );
    expect(JSON.stringify(await own.query('SELECT * FROM revisions'))).not.toContain('day.csv');
    expect(await findFaults(own)).toEqual([]);
    const narrow = await issueSecret(source, ['quotes']);
    await publishSteps(source, [NEXT]);
    const changed = closing(createFollower(own, server.address, { token: narrow }));
    expect(await changed.poll()).toMatchObject({ state: 'stopped', problem: 'other-scopes' });
    expect(await follower.poll()).toMatchObject({ state: 'following', revision: 7 });
    const other = removing(await createStore());
    const of = closing(createFollower(other, server.address, { token: narrow }));
    await of.poll();
    await publishSteps(source, [{ ...NEXT, records: [b], day: 8 }]);
    expect(await of.poll()).toMatchObject({ state: 'following' });
  });

  test('looks for news four times a second, and goes on by itself after a source that could not be reached', async () => {
    const { server, own, follower } = await follow(await createStore());
    expect(follower.intervalMs).toBe(250);
    servers.splice(servers.indexOf(server), 1);
    await server.stop();
    expect(await follower.poll()).toMatchObject({
      state: 'unreachable',
      problem: 'network',
      revision: 6,
    });
    expect(follower.intervalMs).toBe(1_000);
    // Also before it was ever reached.
    const started = closing(createFollower(own, server.address));
    expect(await started.poll()).toMatchObject({ state: 'unreachable', revision: 6 });
    const store = await createStore();
    await publishHistory(store, [...HISTORY, NEXT]);
    await serve(store, Number(new URL(server.address).port));
    expect(await follower.poll()).toMatchObject({ state: 'following', revision: 7 });
    expect(await findFaults(own)).toEqual([]);
  });

  test.each([
    [{ token: 'wrong' }, 'unreachable', 'unauthorized', 'The source rejects FOLLOW_TOKEN'],
    [{ key: 'name+12345678+AbCd' }, 'stopped', 'unknown-key', 'FOLLOW_KEY must be'],
  ] as const)('says once what is wrong with %j', async (options, state, problem, cause) => {
    const source = await createStore();
    await publishHistory(source);
    const { address } = await serve(source);
    const follower = closing(createFollower(removing(await createStore()), address, options));
    await follower.poll();
    expect(await follower.poll()).toMatchObject({ state, problem });
    expect(follower.statuses.at(-1)?.cause).toContain(cause);
    // Behind at first, and not again: nothing was applied.
    const states = follower.statuses.map((status) => status.state);
    expect(states.slice(1).filter((each) => each !== state)).toEqual([]);
  });

  test('notices within a minute that its token was revoked, though nothing is published', async () => {
    const source = await createStore();
    await publishHistory(source);
    const server = await serve(source);
    const token = await issueSecret(source, ['*']);
    const follower = closing(
      createFollower(removing(await createStore()), server.address, { token }),
    );
    expect(await follower.poll()).toMatchObject({ state: 'following', revision: 6 });
    const tokens = source.tokens();
    const [stored] = await tokens.all();
    await tokens.update(stored?.id ?? '', { revokedAt: new Date().toISOString() });
    tokens.close();
    await retryUntil(10_000, async () => {
      const { status } = await server.request('/catalogue', { authorization: `Bearer ${token}` });
      expect(status).toBe(401);
    });
    const { monotonicNow } = system;
    const clock = spyOn(system, 'monotonicNow').mockImplementation(() => monotonicNow() + 60_000);
    const denied = { state: 'unreachable', problem: 'unauthorized', sourceRevision: 6 };
    expect(await follower.poll()).toMatchObject(denied);
    clock.mockRestore();
    // Not forgotten with the next look, whose checkpoint is open to all.
    expect(await follower.poll()).toMatchObject(denied);
    expect(follower.statuses.at(-1)?.cause).toStartWith('The source rejects FOLLOW_TOKEN');
  });

  test('is behind what its source publishes meanwhile, until a look finds nothing new', async () => {
    const source = await createStore();
    await publishHistory(source);
    const server = await serve(source);
    const { monotonicNow } = system;
    let laterMs = 0;
    // It looks again once a second, however fast revisions are applied.
    const clock = spyOn(system, 'monotonicNow').mockImplementation(() => monotonicNow() + laterMs);
    const publishing = alterSource(server, async (path, response) => {
      if (path.startsWith('/ledger/entries/')) laterMs += 1_000;
      // Before the first revision is applied.
      if (path === '/ledger/entries/1') {
        await publishSteps(source, [NEXT]);
        await server.awaitPublished();
      }
      return response;
    });
    const own = removing(await createStore());
    const follower = closing(createFollower(own, server.address, { source: publishing }));
    expect(await follower.poll()).toMatchObject({ state: 'following', revision: 7 });
    clock.mockRestore();
    expect(await follower.poll()).toMatchObject({ state: 'following', sourceRevision: 7 });
    const told = follower.statuses.map(({ state, revision }) => [state, revision] as const);
    expect(told.filter(([state]) => state === 'following')).toEqual([
      ['following', 7],
      ['following', 7],
    ]);
    const seen = follower.statuses.find(({ sourceRevision }) => sourceRevision === 7);
    expect(seen?.revision).toBeLessThan(6);
  });

  test('reads a source behind a path of a proxy, no faster than the rate of its token', async () => {
    const source = await createStore();
    await publishHistory(source);
    const server = await serve(source);
    const token = await issueSecret(source, ['*'], { rate: '3/s' });
    const proxy = Bun.serve({
      port: 0,
      fetch: ({ url, headers }) =>
        url.includes('/tenor/')
          ? fetch(url.replace(/^.*\/tenor/, server.address), { headers })
          : new Response('another service'),
    });
    closing({ close: () => void proxy.stop(true) });
    const own = removing(await createStore());
    const address = `http://127.0.0.1:${proxy.port}/tenor`;
    const follower = closing(createFollower(own, address, { token }));
    expect(await follower.poll()).toMatchObject({ state: 'following', revision: 6 });
    expect(follower.statuses.filter(({ problem }) => problem)).toEqual([]);
    const limited = server.events.filter((event) => 'status' in event && event.status === 429);
    expect(limited.length).toBeGreaterThan(0);
  });

  test('goes on from a copy of its source, may be followed itself, and does no harm to itself', async () => {
    const source = await createStore();
    await publishHistory(source);
    const copy = await copyStore(source);
    const server = await serve(source);
    await publishSteps(source, [NEXT]);
    const middle = await serve(copy);
    const last = removing(await createStore());
    const itself = closing(createFollower(copy, middle.address));
    expect(await itself.poll()).toMatchObject({ state: 'following', revision: 6 });
    for (const follower of [
      closing(createFollower(copy, server.address)),
      closing(createFollower(last, middle.address)),
      itself,
    ])
      expect(await follower.poll()).toMatchObject({ state: 'following', revision: 7 });
    expect(await findFaults(last)).toEqual([]);
  });

  test('is not followed by a database that has revisions of its own', async () => {
    const source = await createStore();
    await publishHistory(source);
    const server = await serve(source);
    const own = removing(await createStore());
    await own.publish(quotes, [a]);
    const follower = closing(createFollower(own, server.address));
    expect(await follower.poll()).toMatchObject({ state: 'stopped', problem: 'unknown-key' });
    expect(follower.statuses.at(-1)?.cause).toContain('begin with an empty database');
  });
});
