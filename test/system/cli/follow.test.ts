import {
  afterAll,
  afterEach,
  beforeAll,
  describe,
  expect,
  setDefaultTimeout,
  test,
} from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { quotes } from '../../../src/catalogue/datasets/quotes.ts';
import { retryUntil } from '../../support/eventually.ts';
import { findFreePort } from '../../support/free-port.ts';
import { publishHistory } from '../../support/published-ledger.ts';
import { quote } from '../../support/quote-fixture.ts';
import { COMMAND, runTenor, startTenorServer, type TenorServer } from '../../support/run-tenor.ts';
import { createStore, createTempFolder } from '../../support/store.ts';
import { startTestServer, type TestServer, TOKEN } from '../../support/test-server.ts';

setDefaultTimeout(120_000);

let source: TestServer;
let folder: string;
const servers: TenorServer[] = [];
beforeAll(async () => {
  const store = await createStore();
  await publishHistory(store);
  source = await startTestServer(store);
  folder = createTempFolder();
});
afterAll(async () => {
  await source.stop();
  rmSync(folder, { recursive: true });
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

const followSettings = (name: string) => ({
  FOLLOW: source.address,
  FOLLOW_TOKEN: TOKEN,
  DATABASE_URL: `sqlite:${join(folder, name)}.db`,
});

async function startFollower(
  name: string,
  settings: Record<string, string> = {},
  ...args: string[]
) {
  const all = { ...followSettings(name), API_TOKEN: TOKEN, ...settings };
  const server = await startTenorServer(all, [...COMMAND, 'serve', ...args]);
  servers.push(server);
  return server;
}

const get = (address: string, target: string) =>
  fetch(address + target, { headers: { authorization: `Bearer ${TOKEN}` } });

/** Waits until a server has a revision, and says that it follows. */
async function waitUntilFollowing({ address }: { address: string }, revision: number) {
  const isThere = {
    status: 'ready',
    revision,
    follow: { state: 'following', sourceRevision: revision, sharing: 'cursors' },
  };
  return retryUntil(10_000, async () => {
    expect(await (await get(address, '/ready')).json()).toEqual(isThere);
  });
}

describe('tenor serve with FOLLOW', () => {
  test('takes over all revisions, and says so, in every process', async () => {
    const adminPort = findFreePort();
    const server = await startFollower('workers-2', {
      WORKERS: '2',
      ADMIN_PORT: String(adminPort),
    });
    const { data } = await source.getJson('/revisions?limit=1');
    const [{ revision }] = data;
    await waitUntilFollowing(server, revision);
    expect(server.err()).not.toContain(TOKEN);
    // The log is written with a delay.
    await retryUntil(10_000, async () =>
      expect(server.err()).toMatch(/"event":"follow.changed","state":"following","source":"http:/),
    );
    const metrics = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
    expect(metrics).toContain('tenor_follow_state{state="following"} 1');
    expect(metrics).toContain('tenor_follow_lag_revisions 0');
    expect(metrics).toMatch(/tenor_follow_compared_timestamp_seconds 1\d{9}/);
    await source.store.publish(quotes, [quote({ symbol: 'NEXT' })]);
    await waitUntilFollowing(server, revision + 1);
    const target = `/2.0/bnb/quote?as_of=${revision + 1}`;
    expect(await (await get(server.address, target)).text()).toBe(
      await (await source.request(target)).text(),
    );
  });

  test('says in /ready, metrics and the log that its token is rejected, though it lacks nothing', async () => {
    const adminPort = findFreePort();
    const settings = { FOLLOW_TOKEN: 'revoked-since', ADMIN_PORT: String(adminPort) };
    const { data } = await source.getJson('/revisions?limit=1');
    const [{ revision }] = data;
    const server = await startFollower('workers-2', settings);
    await retryUntil(10_000, async () => {
      expect(await (await get(server.address, '/ready')).json()).toEqual({
        status: 'ready',
        revision,
        follow: { state: 'unreachable', sourceRevision: null, problem: 'unauthorized' },
      });
      expect(server.err()).toMatch(/"follow.changed","state":"unreachable".*"unauthorized"/);
    });
    const metrics = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
    expect(metrics).toContain('tenor_follow_state{state="unreachable"} 1');
  });

  test('serves what it has without FOLLOW, and publishing needs the private key', async () => {
    const { DATABASE_URL } = followSettings('workers-2');
    const retired = await runTenor(['retire', 'quotes', '--symbol', 'A'], { DATABASE_URL });
    expect([retired.status, retired.err]).toEqual([
      1,
      expect.stringContaining('the private key of the ledger'),
    ]);
    const server = await startTenorServer({ DATABASE_URL, API_TOKEN: TOKEN });
    servers.push(server);
    expect(await (await get(server.address, '/ready')).json()).toEqual({
      status: 'ready',
      revision: expect.any(Number),
    });
  });
});
