import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { ServerHealth } from '../../src/store/open-store.ts';
import { StoreUnavailableError } from '../../src/store/open-store.ts';
import { issueToken } from '../../src/tokens/issue-token.ts';
import { retryUntil } from '../support/eventually.ts';
import type { PollingClient } from '../support/polling-client.ts';
import { startPollingClient } from '../support/polling-client.ts';
import { runSql } from '../support/postgres/databases.ts';
import type { PostgresServer } from '../support/postgres.ts';
import { explainMissingBinaries, startPostgres } from '../support/postgres.ts';
import type { PostgresTestServer } from '../support/postgres-service.ts';
import {
  countCommits,
  readLastAuthors,
  readNewestRevision,
  startPostgresTestServer,
} from '../support/postgres-service.ts';
import { reprice } from '../support/priced-market.ts';
import { figure } from '../support/record-measurement.ts';
import { startSlowProxy } from '../support/slow-proxy.ts';

const DATABASE = 'tenor';
const LEFT_WITHIN_MS = 2_000;
const BACK_WITHIN_MS = 5_000;

let primary: PostgresServer;
let standbys: readonly [PostgresServer, PostgresServer];
let service: PostgresTestServer;
let client: PollingClient;

describe.skipIf(explainMissingBinaries() !== undefined)('with a primary and two standbys', () => {
  beforeAll(async () => {
    // Standbys look for what they follow every so often, and do nothing else meanwhile.
    primary = await startPostgres({ settings: { wal_retrieve_retry_interval: '100ms' } });
    await primary.createDatabase(DATABASE);
    // What is there already is there on the standbys too, when they begin to stream.
    await (await startPostgresTestServer([primary], DATABASE)).stop();
    standbys = [await primary.standby(), await primary.standby()];
  }, 60_000);
  afterAll(async () => {
    await Promise.all([primary, ...standbys].map((server) => server.stop()));
  }, 30_000);
  beforeEach(async () => {
    service = await startPostgresTestServer([primary, ...standbys], DATABASE);
    client = startPollingClient(service.address, 6);
  }, 30_000);
  afterEach(async () => {
    await client.stop();
    await service.stop();
    expect(client.problems).toEqual([]);
  }, 30_000);

  test('reads go to the standbys, and what is published is seen at once', async () => {
    const before = await Promise.all(
      [primary, ...standbys].map((each) => countCommits(each.url(DATABASE))),
    );
    await Promise.all(Array.from({ length: 200 }, () => client.request('new')));
    await retryUntil(5_000, async () => {
      const after = await Promise.all(
        [primary, ...standbys].map((each) => countCommits(each.url(DATABASE))),
      );
      const [atPrimary = 0, ...atStandbys] = after.map(
        (count, index) => count - (before[index] ?? 0),
      );
      expect(Math.min(...atStandbys)).toBeGreaterThan(80);
      expect(atPrimary).toBeLessThan(Math.min(...atStandbys));
    });
    for (let published = 0; published < 10; published++) {
      const revision = await reprice(service.otherStore);
      await expectRevision(revision, 2_000, 'a revision is seen after');
    }
  }, 30_000);

  test('no answer is older than one before it, however far the standbys are apart', async () => {
    for (let round = 0; round < 4; round++) {
      const late = standbys[round % 2] as PostgresServer;
      await late.pauseReplay();
      // One standby has the revision at once, the other has not, and nobody has told of it yet.
      const revision = await reprice(service.otherStore);
      const untilMs = performance.now() + 300;
      while (performance.now() < untilMs) await Promise.all(fourTimes(() => client.request('new')));
      await late.resumeReplay();
      await retryUntil(5_000, async () =>
        expect(await readNewestRevision(late.url(DATABASE))).toBe(revision),
      );
      await Bun.sleep(300);
    }
    expect(client.problems).toEqual([]);
  }, 30_000);

  test.each<[string, ServerHealth, () => Promise<void>, () => Promise<void>]>([
    ['killed', 'gone', () => standbys[0].kill(), () => standbys[0].restart()],
    ['paused', 'gone', () => standbys[0].pause(), () => standbys[0].resume()],
    ['behind', 'behind', () => standbys[0].pauseReplay(), () => standbys[0].resumeReplay()],
  ])(
    'one that is %s is left, and used again when it is back',
    async (_, condition, lose, bring) => {
      const lostMs = performance.now();
      await lose();
      if (condition === 'behind') {
        const revision = await reprice(service.otherStore);
        await expectRevision(revision, 2_000, 'a revision is seen after');
      }
      await expectCondition(1, condition, lostMs, LEFT_WITHIN_MS + 1_000);
      await Bun.sleep(300);
      const backMs = performance.now();
      await bring();
      await expectCondition(1, 'fit', backMs, BACK_WITHIN_MS);
      await expectReadFrom(standbys[0]);
      // Nobody was turned away: there was always somebody to ask.
      expect(client.responses.filter(({ status }) => status !== 200)).toEqual([]);
    },
    30_000,
  );

  test('a revoked token is refused soon, even where no standby has heard of it', async () => {
    const tokens = service.otherStore.tokens();
    const terms = { name: 'test', scopes: ['quotes'], rate: null, expiresAt: null };
    const { secret, token } = await issueToken(tokens, terms);
    const status = async () => {
      const headers = { authorization: `Bearer ${secret}` };
      return (await fetch(`${service.address}/2.0/bnb/quotes`, { headers })).status;
    };
    await retryUntil(5_000, async () => expect(await status()).toBe(200));
    await eachStandby((standby) => standby.pauseReplay());
    await tokens.setEnd(token.id, { revokedAt: new Date().toISOString() });
    await retryUntil(5_000, async () => expect(await status()).toBe(401));
    await eachStandby((standby) => standby.resumeReplay());
    tokens.close();
  }, 30_000);

  test('one that is slow is left, and used again when it is not', async () => {
    const proxy = startSlowProxy(standbys[0].port);
    const slow = { ...standbys[0], port: proxy.port, url: urlAt(proxy.port) };
    const own = await startPostgresTestServer([primary, slow, standbys[1]], DATABASE);
    const client = startPollingClient(own.address);
    const found = () => own.healthChanges.map(({ at, condition }) => `${at} ${condition}`);
    proxy.delayMs = 700;
    await retryUntil(LEFT_WITHIN_MS, async () => expect(found()).toEqual(['1 gone']));
    proxy.delayMs = 0;
    await retryUntil(BACK_WITHIN_MS, async () => expect(found()).toEqual(['1 gone', '1 fit']));
    await client.stop();
    await own.stop();
    proxy.stop();
    expect(client.responses.filter(({ status }) => status !== 200)).toEqual([]);
    expect(client.problems).toEqual([]);
  }, 30_000);

  test('none of which answers, the primary serves', async () => {
    const lostMs = performance.now();
    await Promise.all([standbys[0].kill(), standbys[1].pause()]);
    await expectCondition(1, 'gone', lostMs, LEFT_WITHIN_MS);
    await expectCondition(2, 'gone', lostMs, LEFT_WITHIN_MS);
    await expectReadFrom(primary);
    await Promise.all([standbys[0].restart(), standbys[1].resume()]);
    await expectReadFrom(standbys[0]);
    await expectReadFrom(standbys[1]);
    expect(client.responses.filter(({ status }) => status !== 200)).toEqual([]);
  }, 30_000);

  test('the primary of which is gone, reads go on, and loads say why they cannot', async () => {
    const revision = await publishedEverywhere();
    await primary.kill();
    await retryUntil(2_000, async () => expect(conditionsOf(0)).toEqual(['gone']));
    const refusal = await reprice(service.otherStore).catch((cause) => cause);
    const burst = await Promise.all(Array.from({ length: 50 }, () => client.request('new')));
    await primary.restart();
    expect(refusal).toBeInstanceOf(StoreUnavailableError);
    expect(refusal.message).toBe(
      'the server that takes what is published does not answer; those that do only follow it',
    );
    expect(new Set(burst.map((answer) => answer.revision))).toEqual(new Set([revision]));
    expect(burst.filter(({ status, isMarked }) => status !== 200 || isMarked)).toEqual([]);
    await retryUntil(BACK_WITHIN_MS, async () => {
      expect(await reprice(service.otherStore)).toBe(revision + 1);
    });
    await expectRevision(revision + 1, 2_000, 'a revision is seen after');
  }, 30_000);

  test('one of which is promoted, it is published to, and the old primary is not', async () => {
    // Nothing but the primary has the next revision, and nobody has seen it there.
    const revision = await publishedEverywhere();
    await primary.kill();
    await standbys[0].promote();
    await retryUntil(BACK_WITHIN_MS, async () => {
      expect(await reprice(service.otherStore, 'the promoted one')).toBe(revision + 1);
    });
    await expectRevision(revision + 1, 2_000, 'a revision is seen after');

    // The old primary comes back, and somebody who knows no better publishes into it.
    await primary.restart();
    await retryUntil(BACK_WITHIN_MS, async () => expect(conditionsOf(0).at(-1)).toBe('diverged'));
    expect(await reprice(service.otherStore, 'the promoted one')).toBe(revision + 2);
    const alone = await startPostgresTestServer([primary], DATABASE);
    for (let more = 1; more <= 3; more++) {
      expect(await reprice(alone.otherStore, 'the old one')).toBe(revision + more);
    }
    await alone.stop();
    // The other standby goes on with whom it has always followed.
    await retryUntil(BACK_WITHIN_MS, async () => {
      expect([0, 2].map((at) => conditionsOf(at).at(-1))).toEqual(['diverged', 'diverged']);
    });
    expect(await reprice(service.otherStore, 'the promoted one')).toBe(revision + 3);
    await expectRevision(revision + 3, 2_000, 'a revision is seen after');
    const burst = await Promise.all(Array.from({ length: 50 }, () => client.request('new')));
    expect(new Set(burst.map((answer) => answer.revision))).toEqual(new Set([revision + 3]));
    expect(await readLastAuthors(standbys[0].url(DATABASE))).toEqual(
      Array(3).fill('the promoted one'),
    );
  }, 30_000);
});

function urlAt(port: number) {
  return (database?: string) => {
    const url = new URL(primary.url(database));
    url.port = String(port);
    return url.href;
  };
}

async function eachStandby(callback: (standby: PostgresServer) => Promise<void>): Promise<void> {
  await Promise.all(standbys.map(callback));
}

function fourTimes<T>(operation: () => T): T[] {
  return Array.from({ length: 4 }, operation);
}

function conditionsOf(at: number): ServerHealth[] {
  return service.healthChanges.filter((told) => told.at === at).map(({ condition }) => condition);
}

/** That a server is found in a condition, and how soon after something was done to it. */
async function expectCondition(
  at: number,
  condition: ServerHealth,
  sinceMs: number,
  withinMs: number,
): Promise<void> {
  await retryUntil(withinMs, async () => expect(conditionsOf(at).at(-1)).toBe(condition));
  const told = service.healthChanges.findLast((each) => each.at === at);
  figure(`replica: told to be ${condition} after`, (told?.ms ?? 0) - sinceMs);
}

/** That new answers are of a revision, and how soon. */
/** Publishes a revision, and waits until every standby has it. */
async function publishedEverywhere(): Promise<number> {
  const revision = await reprice(service.otherStore);
  await expectRevision(revision, 2_000, 'a revision is seen after');
  await retryUntil(5_000, async () => {
    for (const standby of standbys)
      expect(await readNewestRevision(standby.url(DATABASE))).toBe(revision);
  });
  return revision;
}

async function expectRevision(revision: number, withinMs: number, name: string): Promise<void> {
  const sinceMs = performance.now();
  await retryUntil(withinMs, async () =>
    expect((await client.request('new')).revision).toBe(revision),
  );
  figure(`replica: ${name}`, performance.now() - sinceMs);
}

/** That what is asked reaches a server. */
async function expectReadFrom(server: PostgresServer): Promise<void> {
  await retryUntil(BACK_WITHIN_MS, async () => {
    const [row] = await runSql(
      server.url(DATABASE),
      `SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = 'tenor'
        AND query LIKE '%quotes_now%' AND query_start > clock_timestamp() - interval '0.2 s'`,
    );
    expect(row?.count).toBeGreaterThan(0);
  });
}
