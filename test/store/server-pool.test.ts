import { expect, test } from 'bun:test';
import type { SQL } from 'bun';
import { ServerBehindError, StoreUnavailableError } from '../../src/store/errors.ts';
import { createReadPool } from '../../src/store/postgres/connection-pool.ts';
import { queryHeartbeat } from '../../src/store/postgres/server-pool/heartbeat.ts';
import type { PostgresServer } from '../../src/store/postgres/server-pool/server.ts';
import { ServerPool } from '../../src/store/postgres/server-pool/server-pool.ts';
import { retryUntil } from '../support/eventually.ts';

const URLS = ['postgres://127.0.0.1:1/tenor', 'postgres://127.0.0.1:2/tenor'];

/** What a standby with one revision responds to a heartbeat. */
const respond = (queriedRevision: number) => ({
  revision: 1,
  checksum: 'a',
  queriedChecksum: queriedRevision === 1 ? 'a' : null,
  storeId: 'store',
  losses: null,
  schemaVersion: 1,
  isStandby: true,
});

test.each([
  ['that became unreachable meanwhile is not tried', true, 1],
  ['that is still reachable is tried', false, 2],
])('after a read has failed, a server %s', async (_, isLost, expectedTries) => {
  let isDown = false;
  const unsafe = async (_: string, [queriedRevision = 0]: number[]) => {
    if (isDown) throw new Error('connection refused');
    return [respond(queriedRevision)];
  };
  const connect = () => ({ unsafe, close: async () => {} }) as unknown as SQL;
  const connector = { createReadPool: connect, createWriteConnection: connect };
  const servers = new ServerPool(URLS, { poolSize: 1, isDistributed: false, connector });
  const tried: PostgresServer[] = [];
  const reading = servers.read(async (server) => {
    tried.push(server);
    isDown = isLost;
    await retryUntil(10_000, async () => {
      const isUnreachable = servers.listServers().every(({ health }) => health === 'unreachable');
      expect(isUnreachable).toBe(isLost);
    });
    throw new StoreUnavailableError('it does not answer');
  });
  await expect(reading).rejects.toThrow('it does not answer');
  expect(tried).toHaveLength(expectedTries);
  servers.close();
});

test('a read is given up if every server stays behind, however often it is asked', async () => {
  const unsafe = async (_: string, [queriedRevision = 0]: number[]) => [respond(queriedRevision)];
  const connect = () => ({ unsafe, close: async () => {} }) as unknown as SQL;
  const connector = { createReadPool: connect, createWriteConnection: connect };
  const servers = new ServerPool(URLS, { poolSize: 1, isDistributed: false, connector });
  const tried: string[] = [];
  const reading = servers.read(async ({ url }) => {
    tried.push(url);
    throw new ServerBehindError('it is behind');
  });
  await expect(reading).rejects.toThrow('it is behind');
  expect(tried.toSorted()).toEqual(URLS.flatMap((url) => [url, url, url]));
  servers.close();
});

test('a revision that no heartbeat of its server shows is refused, and one that another has passed is not', async () => {
  let revision = 1;
  const unsafe = async (_: string, [queriedRevision = 0]: number[]) => [
    { ...respond(Math.min(queriedRevision, 1)), revision, isStandby: false },
  ];
  const connect = () => ({ unsafe, close: async () => {} }) as unknown as SQL;
  const connector = { createReadPool: connect, createWriteConnection: connect };
  const servers = new ServerPool(URLS.slice(0, 1), {
    poolSize: 1,
    isDistributed: false,
    connector,
  });
  const primary = await servers.getPrimary();
  await expect(servers.confirmRevision(primary, 2)).rejects.toThrow('heartbeats do not show');
  revision = 2;
  servers.state.observeRevision(3);
  await servers.confirmRevision(primary, 2);
  expect(servers.state.newestRevision).toBe(3);
  servers.close();
});

test('a heartbeat waits longer for a server if this process itself is late', async () => {
  const createPool = (delayMs: number) =>
    ({
      async unsafe() {
        await Bun.sleep(delayMs);
        return [respond(0)];
      },
    }) as unknown as SQL;
  const query = { revisionIdentity: { revision: 0, checksum: '' }, includeTimeline: false };
  await expect(queryHeartbeat(createPool(60_000), query, 500)).rejects.toThrow('not answer');
  const heartbeat = queryHeartbeat(createPool(900), query, 500);
  await Bun.sleep(300);
  const untilMs = performance.now() + 400;
  while (performance.now() < untilMs);
  expect(await heartbeat).toMatchObject({ revision: 1 });
});

test('connect_timeout in the URL says how long the first heartbeat may take', async () => {
  const connect = () => {
    const unsafe = async (_: string, [queriedRevision = 0]: number[]) => {
      await Bun.sleep(2_000);
      return [{ ...respond(queriedRevision), isStandby: false }];
    };
    return { unsafe, close: async () => {} } as unknown as SQL;
  };
  const connector = { createReadPool: connect, createWriteConnection: connect };
  const [url = ''] = URLS;
  const openings = [url, `${url}?connect_timeout=60`].map(async (address) => {
    const servers = new ServerPool([address], { poolSize: 1, isDistributed: false, connector });
    try {
      return (await servers.getPrimary()).url;
    } catch (error) {
      return (error as Error).message;
    } finally {
      servers.close();
    }
  });
  expect(await Promise.all(openings)).toEqual(['no server answers', `${url}?connect_timeout=60`]);
});

test('a connect_timeout that is no number of seconds is refused', () => {
  const options = { poolSize: 1, isDistributed: false };
  expect(() => createReadPool(`${URLS[0]}?connect_timeout=soon`, 1, options)).toThrow(
    'cannot use 127.0.0.1:1/tenor as the database: connect_timeout must be a whole number of seconds, not "soon"',
  );
});
