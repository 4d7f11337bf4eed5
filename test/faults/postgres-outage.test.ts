import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { existsSync, readdirSync } from 'node:fs';
import { SQL } from 'bun';
import { retryUntil } from '../support/eventually.ts';
import type { PollingClient } from '../support/polling-client.ts';
import { startPollingClient } from '../support/polling-client.ts';
import type { PostgresServer } from '../support/postgres.ts';
import { explainMissingBinaries, startPostgres } from '../support/postgres.ts';
import type { PostgresTestServer } from '../support/postgres-service.ts';
import {
  countConnections,
  createConnectionCounter,
  startPostgresTestServer,
} from '../support/postgres-service.ts';
import { figure } from '../support/record-measurement.ts';
import { TOKEN } from '../support/test-server.ts';

const DATABASE = 'tenor';
const POOL = 4;
/** A pool, the connection that pulses are asked on, and nothing else. */
const MOST_CONNECTIONS = POOL + 1;
const BACK_WITHIN_MS = 5_000;

let server: PostgresServer;
let service: PostgresTestServer;
let client: PollingClient;

describe.skipIf(explainMissingBinaries() !== undefined)('when the database', () => {
  beforeAll(async () => {
    server = await startPostgres();
    await server.createDatabase(DATABASE);
  }, 60_000);
  afterAll(() => server.stop(), 30_000);
  beforeEach(async () => {
    service = await startPostgresTestServer([server], DATABASE, POOL);
    client = startPollingClient(service.address);
    await client.request('known');
  }, 30_000);
  afterEach(async () => {
    await client.stop();
    await service.stop();
  }, 30_000);

  const killing = { lose: () => server.kill(), bring: () => server.restart() };
  const pausing = { lose: () => server.pause(), bring: () => server.resume() };
  test.each([
    ['is killed', killing],
    ['hangs', pausing],
  ])(
    '%s, known answers are marked, others are put off, and all is well soon after its return',
    async (_, { lose, bring }) => {
      const lostMs = performance.now();
      await lose();
      const inFlight = await client.request('new');
      await retryUntil(1_500, async () =>
        expect((await client.request('known')).isMarked).toBe(true),
      );
      figure('gone: known answers are marked after', performance.now() - lostMs);
      figure('gone: longest refusal', slowest(client, 503));
      const isBound = performance.now();
      await Bun.sleep(500);
      const without = client.responses.filter(({ sentMs }) => sentMs > isBound);
      await bring();
      const backMs = performance.now();
      await retryUntil(BACK_WITHIN_MS, async () =>
        expect(await client.request('new')).toEqual(GOOD),
      );
      figure('gone: answered after its return', performance.now() - backMs);
      await retryUntil(BACK_WITHIN_MS, async () =>
        expect(await client.request('known')).toEqual(GOOD),
      );

      expect(inFlight.status).toBe(503);
      const seen = without.map(({ kind, status, isMarked }) => `${kind} ${status} ${isMarked}`);
      expect(new Set(seen)).toEqual(new Set(['known 200 true', 'new 503 false']));
      expect(client.problems).toEqual([]);
    },
    30_000,
  );

  test('hangs in the middle of a statement, whoever waits for it is put off', async () => {
    const sql = new SQL(server.url(DATABASE), { max: 1 });
    const locked = await sql.reserve();
    await locked`BEGIN`;
    await locked`LOCK TABLE quotes IN ACCESS EXCLUSIVE MODE`;
    const waiting = Array.from({ length: 20 }, () => client.request('new'));
    await retryUntil(5_000, async () => {
      const [row] = await locked`SELECT count(*)::int AS count FROM pg_stat_activity
        WHERE wait_event_type = 'Lock' AND application_name = 'tenor'`;
      expect(row.count).toBeGreaterThan(0);
    });
    await server.pause();
    const pausedMs = performance.now();
    const statuses = new Set((await Promise.all(waiting)).map(({ status }) => status));
    const tookMs = performance.now() - pausedMs;
    await server.resume();
    await sql.close({ timeout: 0 });
    figure('gone: a statement under way is put off after', tookMs);
    expect(statuses).toEqual(new Set([503]));
    expect(tookMs).toBeLessThan(1_500);
  }, 30_000);

  test('hangs for three seconds, 200 requests at once are all put off within one', async () => {
    await server.pause();
    const pausedMs = performance.now();
    const burst = await Promise.all(Array.from({ length: 200 }, () => client.request('new')));
    figure('gone: slowest of 200 while it hangs', Math.max(...burst.map(({ ms }) => ms)));
    const askedMs = performance.now();
    const headers = { authorization: `Bearer ${TOKEN}` };
    const ledger = await fetch(`${service.address}/revisions`, { headers });
    const ledgerMs = performance.now() - askedMs;
    await Bun.sleep(Math.max(0, pausedMs + 3_000 - performance.now()));
    await server.resume();
    const backMs = performance.now();
    await retryUntil(BACK_WITHIN_MS, async () => expect(await client.request('new')).toEqual(GOOD));
    figure('gone: answered after its return', performance.now() - backMs);
    expect(new Set(burst.map(({ status }) => status))).toEqual(new Set([503]));
    expect(client.problems).toEqual([]);
    expect(ledger.status).toBe(503);
    expect(ledgerMs).toBeLessThan(1_000);
  }, 30_000);

  test('is there, 200 new requests at once share a pool of 4, and all are answered', async () => {
    const counter = createConnectionCounter(server.url(DATABASE));
    let max = 0;
    let isDone = false;
    const counting = (async () => {
      while (!isDone) max = Math.max(max, await counter.count());
    })();
    for (let round = 0; round < 3; round++) {
      const burst = await Promise.all(Array.from({ length: 200 }, () => client.request('new')));
      expect(new Set(burst.map(({ status }) => status))).toEqual(new Set([200]));
    }
    isDone = true;
    await counting;
    await counter.close();
    figure('pool of 4: most connections at once', max);
    expect(max).toBeGreaterThan(1);
    expect(max).toBeLessThanOrEqual(MOST_CONNECTIONS);
    expect(client.problems).toEqual([]);
  }, 30_000);

  test('comes and goes, over and over, no connection is left behind', async () => {
    await client.stop();
    await Promise.all(Array.from({ length: 200 }, () => client.request('new')));
    const before = await settledFiles();
    for (let cycle = 0; cycle < 12; cycle++) {
      const { lose, bring } = cycle % 2 === 0 ? killing : pausing;
      await lose();
      const burst = Array.from({ length: 20 }, () => client.request('new'));
      // Not always for so long that it is noticed.
      await Bun.sleep([0, 300, 900][Math.floor(cycle / 2) % 3] ?? 0);
      await bring();
      const backMs = performance.now();
      await Promise.all(burst);
      await retryUntil(BACK_WITHIN_MS, async () =>
        expect(await client.request('new')).toEqual(GOOD),
      );
      figure('gone: answered after its return', performance.now() - backMs);
      expect(await countConnections(server.url(DATABASE))).toBeLessThanOrEqual(MOST_CONNECTIONS);
    }
    expect(client.problems).toEqual([]);
    await retryUntil(5_000, async () => expect(await settledFiles()).toBeLessThanOrEqual(before));
  }, 60_000);
});

const GOOD = expect.objectContaining({ status: 200, isMarked: false });

function slowest({ responses: answers }: PollingClient, status: number): number {
  return Math.max(...answers.filter((answer) => answer.status === status).map(({ ms }) => ms));
}

/** How many files and connections this process has open, where the system tells. */
async function settledFiles(): Promise<number> {
  const folder = '/proc/self/fd';
  if (!existsSync(folder)) return 0;
  // A client's own connections take a moment to go.
  await Bun.sleep(300);
  return readdirSync(folder).length;
}
