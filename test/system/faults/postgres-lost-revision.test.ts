import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { catalogue } from '../../../src/catalogue/index.ts';
import type { LogEvent } from '../../../src/event-log.ts';
import {
  createSharedNumberFile,
  openSharedRevision,
  type SharedNumberFile,
} from '../../../src/http/freshness/shared-revision.ts';
import { startServer } from '../../../src/http/server/start-server.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { retryUntil } from '../../support/eventually.ts';
import { runSql } from '../../support/postgres/databases.ts';
import {
  explainMissingBinaries,
  type PostgresServer,
  startPostgres,
} from '../../support/postgres.ts';
import { getPrice, getSymbol, reprice } from '../../support/priced-market.ts';
import { runTenor } from '../../support/run-tenor.ts';
import { SERVER_SETTINGS, TOKEN } from '../../support/test-server.ts';

const DATABASE = 'tenor';
/** The revision that is served and then lost. */
const LOST = 3;

let primary: PostgresServer;
let standby: PostgresServer;
let shared: SharedNumberFile;
/** Two servers, as two workers of one service: they share the newest revision. */
let servers: TestServer[] = [];

interface TestServer {
  readonly address: string;
  readonly events: LogEvent[];
  stop(): Promise<void>;
}

describe.skipIf(explainMissingBinaries() !== undefined)('a promotion that lost a revision', () => {
  beforeAll(async () => {
    primary = await startPostgres();
    const store = await openStore(await primary.createDatabase(DATABASE), catalogue);
    for (let revision = 1; revision < LOST; revision++) await reprice(store);
    standby = await primary.standby();
    shared = createSharedNumberFile();
    servers = [await startWorker(), await startWorker()];
    await stopReceiving(standby);
    await reprice(store);
    await onEachServer((address) => expectRevision(address, LOST));
    await onEachServer((address) => expectExport(address, LOST));
  }, 120_000);
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    shared.close();
    await Promise.all([primary.stop(), standby.stop()]);
  }, 120_000);

  test('before it, hosts of one URL are used by their roles', async () => {
    const [first, second] = [standby, primary].map(({ port }) => `127.0.0.1:${port}`);
    const readRevision = async (hosts: string, attribute: string) => {
      const url = `postgres://postgres@${hosts}/${DATABASE}?target_session_attrs=${attribute}`;
      const reader = (await openStore(url, catalogue, { preparation: 'none' })).reader();
      return reader.revision().finally(reader.close);
    };
    expect(await readRevision(`${first},${second}`, 'any')).toBe(LOST);
    expect(await readRevision(`${first},${second}`, 'read-write')).toBe(LOST);
    expect(await readRevision(`${first}`, 'standby')).toBe(LOST - 1);
    await expect(readRevision(`${first}`, 'primary')).rejects.toThrow(
      'no server has the role that target_session_attrs asks for',
    );
    await expect(readRevision(`${first}`, 'master')).rejects.toThrow(
      `cannot use ${first}/${DATABASE} as the database: target_session_attrs must be any, read-write, read-only, primary, standby or prefer-standby, not "master"`,
    );
  }, 120_000);

  test('stops servers until an operator accepts it, and then they go on without a restart', async () => {
    const link = await readNextLink();
    await primary.kill();
    await standby.promote();
    await onEachServer((address) => expectStatus(address, 503));
    await retryUntil(30_000, async () => {
      const causes = servers[0]?.events.map((event) => ('cause' in event ? event.cause : ''));
      expect(causes).toContain(`it has revision ${LOST - 1}, and ${LOST} was seen`);
    });

    const hosts = [primary, standby].map(({ port }) => `127.0.0.1:${port}`);
    const DATABASE_URL = `postgres://postgres@${hosts}/${DATABASE}`;
    const { status, err } = await runTenor(['migrate', '--accept-loss', String(LOST)], {
      DATABASE_URL,
    });
    expect({ status, err }).toEqual({
      status: 0,
      err: `tenor: revisions up to ${LOST} that are not in the database are given up; running servers continue without them. Verifiers of the ledger have seen them: also run tenor ledger restart\n`,
    });
    await onEachServer((address) => expectRevision(address, LOST - 1));
    await onEachServer((address) => expectExport(address, LOST - 1));
    // A client that has seen the lost revision is answered, one that asks for more is not.
    await onEachServer(async (address) => {
      expect((await request(address, { 'Tenor-Revision': String(LOST) })).status).toBe(200);
      expect((await request(address, { 'Tenor-Revision': String(LOST + 1) })).status).toBe(503);
      expect((await fetchPath(address, link)).status).toBe(400);
    });

    const otherStore = await openStore(DATABASE_URL, catalogue);
    expect(await reprice(otherStore)).toBe(LOST);
    expect(await reprice(otherStore)).toBe(LOST + 1);
    await onEachServer((address) => expectRevision(address, LOST + 1));
  }, 120_000);

  test('is not undone when the old primary comes back', async () => {
    await primary.restart();
    await retryUntil(10_000, async () => {
      const conditions = servers[0]?.events.map((event) =>
        event.event === 'server.found' ? event.condition : '',
      );
      expect(conditions?.at(-1)).toBe('diverged');
    });
    await onEachServer((address) => expectRevision(address, LOST + 1));
    // A server that starts now, and asks the old primary first, follows the new one too.
    const started = await startWorker();
    await expectRevision(started.address, LOST + 1);
    await started.stop();
  }, 120_000);
});

async function startWorker(): Promise<TestServer> {
  const events: LogEvent[] = [];
  const emit = (event: LogEvent) => events.push(event);
  const store = await openStore(primary.url(DATABASE), catalogue, {
    replicas: [standby.url(DATABASE)],
    onHealthChange: (server, condition, cause = '') =>
      emit({ event: 'server.found', server, condition, cause }),
  });
  const sharedRevision = openSharedRevision(shared.path);
  const options = { store, catalogue, settings: SERVER_SETTINGS, emit, sharedRevision };
  const { address, stop } = await startServer(options);
  return { address, events, stop };
}

/** Ends replication to a standby: what the primary commits from now on is not there. */
async function stopReceiving(server: PostgresServer): Promise<void> {
  await runSql(server.url(), "ALTER SYSTEM SET primary_conninfo = ''");
  await runSql(server.url(), 'SELECT pg_reload_conf()');
  await retryUntil(10_000, async () => {
    expect(await runSql(server.url(), 'SELECT 1 FROM pg_stat_wal_receiver')).toEqual([]);
  });
}

async function onEachServer(callback: (address: string) => Promise<void>): Promise<void> {
  await Promise.all(servers.map(({ address }) => callback(address)));
}

let requestCount = 0;

/** A request that no server has cached. */
function request(address: string, headers: Record<string, string> = {}): Promise<Response> {
  const limit = 100 + requestCount++;
  return fetchPath(address, `/2.0/bnb/quotes?symbol=${getSymbol(0)}&limit=${limit}`, headers);
}

function fetchPath(
  address: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${address}${path}`, {
    headers: { authorization: `Bearer ${TOKEN}`, ...headers },
  });
}

/** The link to the second page of all quotes. */
async function readNextLink(): Promise<string> {
  const path = '/2.0/bnb/quotes?from=2020-01-01&to=2030-01-01&limit=5';
  const response = await fetchPath(servers[0]?.address ?? '', path);
  return /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1] ?? 'no link';
}

async function expectStatus(address: string, status: number): Promise<void> {
  await retryUntil(30_000, async () => expect((await request(address)).status).toBe(status));
}

/** Asserts that responses are soon of a revision, with its price, and name it. */
async function expectRevision(address: string, revision: number): Promise<void> {
  await retryUntil(30_000, async () => {
    const response = await request(address);
    expect(response.headers.get('tenor-revision')).toBe(String(revision));
    expect(await response.text()).toContain(`"lastPrice":${getPrice(revision)}`);
  });
}

/** Asserts that an export, which is read in another thread, is of a revision. */
async function expectExport(address: string, revision: number): Promise<void> {
  const response = await fetchPath(address, '/exports/quotes.ndjson');
  expect(response.status).toBe(200);
  expect(await response.text()).toContain(`"lastPrice":${getPrice(revision)}`);
}
