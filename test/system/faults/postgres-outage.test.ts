import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { existsSync, readdirSync } from 'node:fs';
import { SQL } from 'bun';
import { issueToken } from '../../../src/tokens/issue-token.ts';
import { retryUntil, waitUntilStable } from '../../support/eventually.ts';
import type { PollingClient } from '../../support/polling-client.ts';
import { startPollingClient } from '../../support/polling-client.ts';
import type { PostgresServer } from '../../support/postgres.ts';
import { explainMissingBinaries, startPostgres } from '../../support/postgres.ts';
import type { PostgresTestServer } from '../../support/postgres-service.ts';
import {
  countConnections,
  createConnectionCounter,
  startPostgresTestServer,
} from '../../support/postgres-service.ts';
import { TOKEN } from '../../support/test-server.ts';

const DATABASE = 'tenor';
const POOL = 4;
/** The pool, and the connections for the heartbeat and for tokens. */
const MAX_CONNECTIONS = POOL + 2;
const RECOVERY_TIMEOUT_MS = 5_000;

let server: PostgresServer;
let service: PostgresTestServer;
let client: PollingClient;

describe.skipIf(explainMissingBinaries() !== undefined)('when the database', () => {
  beforeAll(async () => {
    server = await startPostgres();
    await server.createDatabase(DATABASE);
  }, 120_000);
  afterAll(() => server.stop(), 30_000);
  beforeEach(async () => {
    service = await startPostgresTestServer([server], DATABASE, POOL);
    client = startPollingClient(service.address);
    // Cached when it is requested again.
    for (let round = 0; round < 2; round++) await client.request('known');
  }, 120_000);
  afterEach(async () => {
    await client.stop();
    await service.stop();
  }, 120_000);

  const killing = { stop: () => server.kill(), recover: () => server.restart() };
  const pausing = { stop: () => server.pause(), recover: () => server.resume() };
  test.each([
    ['is killed', killing],
    ['hangs', pausing],
  ])(
    '%s, cached responses are marked, others are 503, and all are normal soon after it is back',
    async (_, { stop, recover }) => {
      await stop();
      const inFlight = await client.request('new');
      await retryUntil(1_500, async () =>
        expect((await client.request('known')).isMarked).toBe(true),
      );
      const outageMs = performance.now();
      const listDuringOutage = () => client.responses.filter(({ sentMs }) => sentMs > outageMs);
      await retryUntil(10_000, async () => {
        for (const kind of ['known', 'new'])
          expect(
            listDuringOutage().filter((response) => response.kind === kind).length,
          ).toBeGreaterThan(9);
      });
      const duringOutage = listDuringOutage();
      await recover();
      await retryUntil(RECOVERY_TIMEOUT_MS, async () =>
        expect(await client.request('new')).toEqual(NORMAL_RESPONSE),
      );
      await retryUntil(RECOVERY_TIMEOUT_MS, async () =>
        expect(await client.request('known')).toEqual(NORMAL_RESPONSE),
      );

      expect(inFlight.status).toBe(503);
      const kinds = duringOutage.map(
        ({ kind, status, isMarked }) => `${kind} ${status} ${isMarked}`,
      );
      expect(new Set(kinds)).toEqual(new Set(['known 200 true', 'new 503 false']));
      expect(client.problems).toEqual([]);
    },
    120_000,
  );

  /** Sends requests that wait for a lock, until they take all connections of the pool. */
  async function occupyPool() {
    const sql = new SQL(server.url(DATABASE), { max: 1 });
    const locked = await sql.reserve();
    await locked`BEGIN`;
    await locked`LOCK TABLE quotes IN ACCESS EXCLUSIVE MODE`;
    const waiting: ReturnType<typeof client.request>[] = [];
    const release = () => sql.close({ timeout: 0 });
    let unanswered = 0;
    const send = () => {
      unanswered++;
      waiting.push(client.request('new').finally(() => unanswered--));
    };
    await retryUntil(30_000, async () => {
      // On a busy machine, those that were sent before may have been given up already.
      if (unanswered === 0) for (let index = 0; index < 20; index++) send();
      const [row] = await locked`SELECT count(*)::int AS count FROM pg_stat_activity
        WHERE wait_event_type = 'Lock' AND application_name = 'tenor'`;
      expect(row.count).toBe(POOL);
    }).catch(async (cause) => {
      await release();
      throw cause;
    });
    return { waiting, release };
  }

  test('is so busy that no connection of the pool is free, a revoked token is rejected within five seconds', async () => {
    const tokens = service.otherStore.tokens();
    const options = { name: 'a', scopes: ['funds'], rate: null, expiresAt: null };
    const { token, secret } = await issueToken(tokens, options);
    const headers = { authorization: `Bearer ${secret}` };
    const requestStatus = async () =>
      (await fetch(`${service.address}/2.0/bnb/quote`, { headers })).status;
    await retryUntil(30_000, async () => expect(await requestStatus()).toBe(403));
    const { waiting, release } = await occupyPool();
    await tokens.update(token.id, { revokedAt: new Date().toISOString() });
    await retryUntil(30_000, async () => expect(await requestStatus()).toBe(401));
    await release();
    await Promise.all(waiting);
    tokens.close();
  }, 120_000);

  test('hangs during a statement, requests that wait for it get 503', async () => {
    const { waiting, release } = await occupyPool();
    await server.pause();
    const pausedMs = performance.now();
    const statuses = new Set((await Promise.all(waiting)).map(({ status }) => status));
    const tookMs = performance.now() - pausedMs;
    await server.resume();
    await release();
    expect(statuses).toEqual(new Set([503]));
    expect(tookMs).toBeLessThan(1_500);
  }, 120_000);

  test('hangs for three seconds, 200 concurrent requests all get 503 within one', async () => {
    await server.pause();
    const pausedMs = performance.now();
    const burst = await Promise.all(Array.from({ length: 200 }, () => client.request('new')));
    const sentMs = performance.now();
    const headers = { authorization: `Bearer ${TOKEN}` };
    const ledger = await fetch(`${service.address}/revisions`, { headers });
    const ledgerMs = performance.now() - sentMs;
    await Bun.sleep(Math.max(0, pausedMs + 3_000 - performance.now()));
    await server.resume();
    await retryUntil(RECOVERY_TIMEOUT_MS, async () =>
      expect(await client.request('new')).toEqual(NORMAL_RESPONSE),
    );
    expect(new Set(burst.map(({ status }) => status))).toEqual(new Set([503]));
    expect(client.problems).toEqual([]);
    expect(ledger.status).toBe(503);
    expect(ledgerMs).toBeLessThan(1_000);
  }, 120_000);

  test('is available, 200 concurrent requests share a pool of 4, and all get 200', async () => {
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
    expect(max).toBeGreaterThan(1);
    expect(max).toBeLessThanOrEqual(MAX_CONNECTIONS);
    expect(client.problems).toEqual([]);
  }, 120_000);

  test('fails and recovers repeatedly, no connection is leaked', async () => {
    await client.stop();
    await Promise.all(Array.from({ length: 200 }, () => client.request('new')));
    // The connections of the client take a moment to close.
    const before = await waitUntilStable(countOpenFiles);
    for (let cycle = 0; cycle < 12; cycle++) {
      const { stop, recover } = cycle % 2 === 0 ? killing : pausing;
      await stop();
      const burst = Array.from({ length: 20 }, () => client.request('new'));
      // Not always long enough to be noticed.
      await Bun.sleep([0, 300, 900][Math.floor(cycle / 2) % 3] ?? 0);
      await recover();
      await Promise.all(burst);
      await retryUntil(RECOVERY_TIMEOUT_MS, async () =>
        expect(await client.request('new')).toEqual(NORMAL_RESPONSE),
      );
      expect(await countConnections(server.url(DATABASE))).toBeLessThanOrEqual(MAX_CONNECTIONS);
    }
    expect(client.problems).toEqual([]);
    await retryUntil(30_000, async () => expect(countOpenFiles()).toBeLessThanOrEqual(before));
  }, 120_000);
});

const NORMAL_RESPONSE = expect.objectContaining({ status: 200, isMarked: false });

/** How many files and connections this process has open, on Linux. */
function countOpenFiles(): number {
  const folder = '/proc/self/fd';
  return existsSync(folder) ? readdirSync(folder).length : 0;
}
