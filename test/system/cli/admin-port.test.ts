import { describe, expect, test } from 'bun:test';
import { existsSync, renameSync } from 'node:fs';
import { connect } from 'node:net';
import { retryUntil } from '../../support/eventually.ts';
import { findValue, parseMetrics } from '../../support/parse-metrics.ts';
import { runTenor, type TenorServer } from '../../support/run-tenor.ts';
import {
  findLiveWorkers,
  isLinux,
  readLog,
  requestFromAllWorkers,
  useWorkerServers,
} from '../../support/workers.ts';

const { start, settings, file } = useWorkerServers();

describe.if(isLinux)('ADMIN_PORT of a server with two workers', () => {
  test('tells of both, of one that hangs, of one that is replaced, and of a lost database', async () => {
    const server = await start({ ADMIN_PORT: '0' });
    const admin = await findAdminAddress(server);
    const scrape = async () => parseMetrics(await (await fetch(`${admin}/metrics`)).text());
    const countRequests = async () => {
      const labels = { route: '/2.0/bnb/quote', status: '200' };
      return findValue(await scrape(), 'http_server_request_duration_seconds_count', labels);
    };
    const getReady = async () => {
      const response = await fetch(`${admin}/ready`);
      return [response.status, await response.json()];
    };
    await requestFromAllWorkers(server, '/2.0/bnb/quote');
    // On a busy machine a worker may report too late.
    await retryUntil(10_000, async () => expect(await countRequests()).toBe(40));
    expect(await getReady()).toEqual([200, { status: 'ready', revision: 0 }]);
    const { hostname, port } = new URL(server.address);
    const connections = Array.from({ length: 8 }, () => connect(Number(port), hostname));
    const countConnections = async () => findValue(await scrape(), 'tenor_http_connections');
    await retryUntil(10_000, async () => expect(await countConnections()).toBe(8));
    for (const connection of connections) connection.destroy();

    const [first = 0] = findLiveWorkers(server);
    process.kill(first, 'SIGSTOP');
    expect(findValue(await scrape(), 'tenor_workers_unresponsive')).toBeGreaterThanOrEqual(1);
    expect(await countRequests()).toBe(40);
    await retryUntil(10_000, async () => expect((await getReady())[0]).toBe(200));

    // The supervisor kills one that hangs.
    await retryUntil(20_000, async () => {
      const families = await scrape();
      expect(findValue(families, 'tenor_worker_restarts_total')).toBe(1);
      expect(findValue(families, 'tenor_workers')).toBe(2);
      expect(findValue(families, 'tenor_workers_unresponsive')).toBe(0);
      expect(findLiveWorkers(server)).toHaveLength(2);
    });
    await requestFromAllWorkers(server, '/2.0/bnb/quote');
    await retryUntil(10_000, async () => expect(await countRequests()).toBe(80));

    renameSync(file('x.db'), file('y.db'));
    await retryUntil(10_000, async () =>
      expect(await getReady()).toEqual([
        503,
        { status: 'unavailable', reasons: ['store_unreachable'] },
      ]),
    );
    expect(findValue(await scrape(), 'tenor_store_up')).toBe(0);
    renameSync(file('y.db'), file('x.db'));
    await retryUntil(10_000, async () => expect((await getReady())[0]).toBe(200));
    expect((await server.stop()).status).toBe(0);
  });
});

test('ADMIN_PORT that is in use or equal to PORT stops the start with one line, and creates nothing', async () => {
  const taken = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response() });
  const port = String(taken.port);
  const inUse = await runTenor(['serve'], settings({ PORT: '0', ADMIN_PORT: port }));
  const equal = await runTenor(['serve'], settings({ PORT: port, ADMIN_PORT: port }));
  await taken.stop(true);
  expect([inUse.status, inUse.err]).toEqual([
    1,
    `tenor: port ${port} on 127.0.0.1 is in use; set ADMIN_PORT to another, or to off\n`,
  ]);
  expect([equal.status, equal.err]).toEqual([
    1,
    `tenor: ADMIN_PORT must differ from PORT, which is also ${port}\n`,
  ]);
  expect(existsSync(file('x.db'))).toBe(false);
});

async function findAdminAddress(server: TenorServer): Promise<string> {
  let address: unknown;
  await retryUntil(5_000, async () => {
    address = readLog(server, 'admin.started')[0]?.address;
    expect(address).toBeString();
  });
  return String(address);
}
