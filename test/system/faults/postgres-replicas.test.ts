import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { quotes } from '../../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../../src/catalogue/index.ts';
import { formatMetrics } from '../../../src/metrics/format-metrics.ts';
import type { ServerHealth } from '../../../src/store/open-store.ts';
import { openStore, StoreUnavailableError } from '../../../src/store/open-store.ts';
import { issueToken } from '../../../src/tokens/issue-token.ts';
import { retryUntil } from '../../support/eventually.ts';
import { parseMetrics } from '../../support/parse-metrics.ts';
import type { PollingClient } from '../../support/polling-client.ts';
import { startPollingClient } from '../../support/polling-client.ts';
import { runSql } from '../../support/postgres/databases.ts';
import type { PostgresServer } from '../../support/postgres.ts';
import { explainMissingBinaries, startPostgres } from '../../support/postgres.ts';
import type { PostgresTestServer } from '../../support/postgres-service.ts';
import {
  countCommits,
  readLastAuthors,
  readNewestRevision,
  startPostgresTestServer,
} from '../../support/postgres-service.ts';
import { reprice } from '../../support/priced-market.ts';
import { startSlowProxy } from '../../support/slow-proxy.ts';

const DATABASE = 'tenor';
const LOSS_TIMEOUT_MS = 2_000;
const RECOVERY_TIMEOUT_MS = 5_000;
const BUSY_TIMEOUT_MS = 30_000;

let primary: PostgresServer;
let standbys: readonly [PostgresServer, PostgresServer];
let service: PostgresTestServer;
let client: PollingClient;

describe.skipIf(explainMissingBinaries() !== undefined)('with a primary and two standbys', () => {
  beforeAll(async () => {
    // The default is 5 s, in which a standby does not look for its primary.
    primary = await startPostgres({ settings: { wal_retrieve_retry_interval: '100ms' } });
    await primary.createDatabase(DATABASE);
    // The standbys start with the data that the primary already has.
    await (await startPostgresTestServer([primary], DATABASE)).stop();
    standbys = [await primary.standby(), await primary.standby()];
  }, 120_000);
  afterAll(async () => {
    await Promise.all([primary, ...standbys].map((server) => server.stop()));
  }, 120_000);
  beforeEach(async () => {
    service = await startPostgresTestServer([primary, ...standbys], DATABASE);
    client = startPollingClient(service.address, 6);
  }, 120_000);
  afterEach(async () => {
    await client.stop();
    await service.stop();
    expect(client.problems).toEqual([]);
  }, 120_000);

  test('reads go to the standbys, and a new revision is served at once', async () => {
    const before = await Promise.all(
      [primary, ...standbys].map((server) => countCommits(server.url(DATABASE))),
    );
    // All at once, the last of them would be late on a busy machine.
    for (let round = 0; round < 50; round++)
      await Promise.all(repeatFourTimes(() => client.request('new')));
    await retryUntil(30_000, async () => {
      const after = await Promise.all(
        [primary, ...standbys].map((server) => countCommits(server.url(DATABASE))),
      );
      const [atPrimary = 0, ...atStandbys] = after.map(
        (count, index) => count - (before[index] ?? 0),
      );
      expect(Math.min(...atStandbys)).toBeGreaterThan(80);
      expect(atPrimary).toBeLessThan(Math.min(...atStandbys));
    });
    for (let published = 0; published < 10; published++) {
      const revision = await reprice(service.otherStore);
      await expectRevision(revision);
    }
  }, 120_000);

  test('no response is older than one before it, however far the standbys lag', async () => {
    for (let round = 0; round < 4; round++) {
      const laggingStandby = standbys[round % 2] as PostgresServer;
      await laggingStandby.pauseReplay();
      // One standby has the revision at once, the other has not.
      const revision = await reprice(service.otherStore);
      const untilMs = performance.now() + 300;
      while (performance.now() < untilMs)
        await Promise.all(repeatFourTimes(() => client.request('new')));
      await laggingStandby.resumeReplay();
      await retryUntil(30_000, async () =>
        expect(await readNewestRevision(laggingStandby.url(DATABASE))).toBe(revision),
      );
      await receiveMore();
    }
    expect(client.problems).toEqual([]);
  }, 120_000);

  test('metrics have the role, the condition and the lag of each server, by its address', async () => {
    const [standby] = standbys;
    const scrape = async () =>
      parseMetrics(formatMetrics(await service.monitor.collectMetrics())).flatMap(
        ({ samples }) => samples,
      );
    const addresses = [primary, ...standbys].map(({ port }) => `127.0.0.1:${port}/${DATABASE}`);
    const up = (await scrape()).filter(({ name }) => name === 'tenor_store_server_up');
    expect(up.map(({ labels, value }) => [labels, value])).toEqual(
      addresses.map((server, index) => [{ server, role: index === 0 ? 'primary' : 'replica' }, 1]),
    );
    await standby.pauseReplay();
    await reprice(service.otherStore);
    const [, server = ''] = addresses;
    const labels = { server, role: 'replica' };
    await retryUntil(10_000, async () => {
      const samples = await scrape();
      expect(samples).toContainEqual({
        name: 'tenor_store_server_lag_revisions',
        labels,
        value: 1,
      });
      expect(samples).toContainEqual({
        name: 'tenor_store_server_condition',
        labels: { ...labels, condition: 'lagging' },
        value: 1,
      });
    });
    await standby.resumeReplay();
    await retryUntil(10_000, async () =>
      expect(await scrape()).toContainEqual({
        name: 'tenor_store_server_lag_revisions',
        labels,
        value: 0,
      }),
    );
  }, 120_000);

  test('a revision that no standby has yet is read from the primary, before its heartbeat', async () => {
    await eachStandby((standby) => standby.pauseReplay());
    const [url = '', ...replicas] = [primary, ...standbys].map((server) => server.url(DATABASE));
    const reader = (await openStore(url, catalogue, { replicas })).reader();
    const selection = { kind: 'quotes', dataset: quotes, limit: 1 } as const;
    try {
      for (let round = 0; round < 5; round++) {
        await reader.revision();
        const revision = await reprice(service.otherStore);
        // What another process has seen, and put into a cursor.
        expect((await reader.read({ ...selection, asOf: revision })).revision).toBe(revision);
        const { entries } = await reader.corrections(quotes, { limit: 1 }, revision);
        expect(entries[0]?.revision).toBe(revision);
      }
    } finally {
      reader.close();
      await eachStandby((standby) => standby.resumeReplay());
    }
  }, 120_000);

  test.each<[string, ServerHealth, () => Promise<void>, () => Promise<void>]>([
    ['killed', 'unreachable', () => standbys[0].kill(), () => standbys[0].restart()],
    ['paused', 'unreachable', () => standbys[0].pause(), () => standbys[0].resume()],
    ['lagging', 'lagging', () => standbys[0].pauseReplay(), () => standbys[0].resumeReplay()],
  ])(
    'a standby that is %s is not used until it recovers',
    async (_, health, stop, recover) => {
      await stop();
      if (health === 'lagging') {
        const revision = await reprice(service.otherStore);
        await expectRevision(revision);
      }
      await expectHealth(1, health, LOSS_TIMEOUT_MS + 1_000);
      await receiveMore();
      await recover();
      await expectHealth(1, 'healthy', RECOVERY_TIMEOUT_MS);
      await expectReadFrom(standbys[0]);
      // Another server was always available.
      expect(client.responses.filter(({ status }) => status !== 200)).toEqual([]);
    },
    120_000,
  );

  test('a new token works at once, and a revoked one gets 401 soon, even if no standby has replayed it', async () => {
    const tokens = service.otherStore.tokens();
    const terms = { name: 'test', scopes: ['quotes'], rate: null, expiresAt: null };
    await eachStandby((standby) => standby.pauseReplay());
    const { secret, token } = await issueToken(tokens, terms);
    const status = async () => {
      const headers = { authorization: `Bearer ${secret}` };
      return (await fetch(`${service.address}/2.0/bnb/quotes`, { headers })).status;
    };
    expect(await status()).toBe(200);
    await tokens.update(token.id, { revokedAt: new Date().toISOString() });
    await retryUntil(30_000, async () => expect(await status()).toBe(401));
    await eachStandby((standby) => standby.resumeReplay());
    tokens.close();
  }, 120_000);

  test('a standby that is slow is not used until it recovers', async () => {
    const proxy = startSlowProxy(standbys[0].port);
    const slow = { ...standbys[0], port: proxy.port, url: buildUrl(proxy.port) };
    const slowServer = await startPostgresTestServer([primary, slow, standbys[1]], DATABASE);
    const client = startPollingClient(slowServer.address);
    const changes = () => slowServer.healthChanges.map(({ index, health }) => `${index} ${health}`);
    proxy.delayMs = 700;
    await retryUntil(LOSS_TIMEOUT_MS, async () => expect(changes()).toEqual(['1 unreachable']));
    proxy.delayMs = 0;
    await retryUntil(RECOVERY_TIMEOUT_MS, async () =>
      expect(changes()).toEqual(['1 unreachable', '1 healthy']),
    );
    await client.stop();
    await slowServer.stop();
    proxy.stop();
    expect(client.responses.filter(({ status }) => status !== 200)).toEqual([]);
    expect(client.problems).toEqual([]);
  }, 120_000);

  test('the primary serves if no standby responds', async () => {
    await Promise.all([standbys[0].kill(), standbys[1].pause()]);
    await expectHealth(1, 'unreachable', LOSS_TIMEOUT_MS);
    await expectHealth(2, 'unreachable', LOSS_TIMEOUT_MS);
    await expectReadFrom(primary);
    await Promise.all([standbys[0].restart(), standbys[1].resume()]);
    await expectReadFrom(standbys[0]);
    await expectReadFrom(standbys[1]);
    expect(client.responses.filter(({ status }) => status !== 200)).toEqual([]);
  }, 120_000);

  test('reads continue without the primary, and loads say why they cannot', async () => {
    const revision = await publishToAll();
    await primary.kill();
    try {
      await expectHealth(0, 'unreachable', BUSY_TIMEOUT_MS);
      // On a busy machine, heartbeats of the standbys may be late for a moment, too.
      await retryUntil(BUSY_TIMEOUT_MS, async () => {
        const failure = await reprice(service.otherStore).catch((cause) => cause);
        expect(failure).toBeInstanceOf(StoreUnavailableError);
        expect(failure.message).toBe(
          'the server that takes what is published does not answer; those that do only follow it',
        );
      });
      await retryUntil(BUSY_TIMEOUT_MS, async () => {
        const burst = await Promise.all(Array.from({ length: 50 }, () => client.request('new')));
        expect(new Set(burst.map(({ revision }) => revision))).toEqual(new Set([revision]));
        expect(burst.filter(({ status, isMarked }) => status !== 200 || isMarked)).toEqual([]);
      });
    } finally {
      await primary.restart();
    }
    // An attempt may fail after its commit, where the connection is lost.
    const next = await retryUntil(BUSY_TIMEOUT_MS, () => reprice(service.otherStore));
    expect(next).toBeGreaterThan(revision);
    await expectRevision(next);
  }, 120_000);

  test('loads go to a promoted standby, and not to the old primary', async () => {
    // The standbys have every revision that was served.
    const revision = await publishToAll();
    await primary.kill();
    await standbys[0].promote();
    await retryUntil(RECOVERY_TIMEOUT_MS, async () => {
      expect(await reprice(service.otherStore, 'the promoted one')).toBe(revision + 1);
    });
    await expectRevision(revision + 1);

    // The old primary is back, and a publisher that knows no other server writes to it.
    await primary.restart();
    await retryUntil(RECOVERY_TIMEOUT_MS, async () =>
      expect(readHealth(0).at(-1)).toBe('diverged'),
    );
    expect(await reprice(service.otherStore, 'the promoted one')).toBe(revision + 2);
    const alone = await startPostgresTestServer([primary], DATABASE);
    for (let count = 1; count <= 3; count++) {
      expect(await reprice(alone.otherStore, 'the old one')).toBe(revision + count);
    }
    await alone.stop();
    // The other standby still replicates the old primary.
    await retryUntil(RECOVERY_TIMEOUT_MS, async () => {
      expect([0, 2].map((index) => readHealth(index).at(-1))).toEqual(['diverged', 'diverged']);
    });
    expect(await reprice(service.otherStore, 'the promoted one')).toBe(revision + 3);
    await expectRevision(revision + 3);
    const burst = await Promise.all(Array.from({ length: 50 }, () => client.request('new')));
    expect(new Set(burst.map(({ revision }) => revision))).toEqual(new Set([revision + 3]));
    expect(await readLastAuthors(standbys[0].url(DATABASE))).toEqual(
      Array(3).fill('the promoted one'),
    );
  }, 120_000);
});

function buildUrl(port: number) {
  return (database?: string) => {
    const url = new URL(primary.url(database));
    url.port = String(port);
    return url.href;
  };
}

async function eachStandby(callback: (standby: PostgresServer) => Promise<void>): Promise<void> {
  await Promise.all(standbys.map(callback));
}

function repeatFourTimes<T>(operation: () => T): T[] {
  return Array.from({ length: 4 }, operation);
}

function readHealth(index: number): ServerHealth[] {
  return service.healthChanges
    .filter((change) => change.index === index)
    .map(({ health }) => health);
}

/** Asserts that a server is reported in a state of health in time. */
async function expectHealth(index: number, health: ServerHealth, timeoutMs: number) {
  await retryUntil(timeoutMs, async () => expect(readHealth(index).at(-1)).toBe(health));
}

/** Publishes a revision, and waits until every standby has it. */
async function publishToAll(): Promise<number> {
  const revision = await reprice(service.otherStore);
  await expectRevision(revision);
  await retryUntil(30_000, async () => {
    for (const standby of standbys)
      expect(await readNewestRevision(standby.url(DATABASE))).toBe(revision);
  });
  return revision;
}

/** Waits until the client has had more responses. */
async function receiveMore(): Promise<void> {
  const count = client.responses.length;
  await retryUntil(30_000, async () => expect(client.responses.length).toBeGreaterThan(count + 50));
}

/** Asserts that new responses are of a revision soon. */
async function expectRevision(revision: number): Promise<void> {
  await retryUntil(BUSY_TIMEOUT_MS, async () =>
    expect((await client.request('new')).revision).toBe(revision),
  );
}

/** Asserts that requests reach a server. */
async function expectReadFrom(server: PostgresServer): Promise<void> {
  await retryUntil(RECOVERY_TIMEOUT_MS, async () => {
    const [row] = await runSql(
      server.url(DATABASE),
      `SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = 'tenor'
        AND query LIKE '%quotes_now%' AND query_start > clock_timestamp() - interval '0.2 s'`,
    );
    expect(row?.count).toBeGreaterThan(0);
  });
}
