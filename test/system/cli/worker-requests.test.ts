import { describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { quotes } from '../../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../../src/catalogue/index.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { retryUntil } from '../../support/eventually.ts';
import { reprice } from '../../support/priced-market.ts';
import { quote } from '../../support/quote-fixture.ts';
import { runTenor } from '../../support/run-tenor.ts';
import {
  findStartedWorkers,
  isLinux,
  readLog,
  readProcessId,
  requestFromAllWorkers,
  requestOnNewConnection,
  useWorkerServers,
} from '../../support/workers.ts';

const QUOTES = '/2.0/bnb/quote';
const { settings, file, start } = useWorkerServers();

describe.if(isLinux)('WORKERS=2', () => {
  test('serves from two processes on one port, and prints one greeting', async () => {
    const server = await start();
    const replies = await requestFromAllWorkers(server, QUOTES);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(replies.map(readProcessId)).size).toBe(2);
    expect(server.out().match(/listening on/g)).toHaveLength(1);
    expect(findStartedWorkers(server)).toHaveLength(2);
  });

  test('serves a new revision from both processes within seconds', async () => {
    const server = await start();
    const names = Object.keys(quotes.fields) as (keyof ReturnType<typeof quote>)[];
    writeFileSync(file('q.csv'), `${names}\n${names.map((name) => quote({})[name])}\n`);
    // Both have a cached response that is about to be stale.
    for (const { body } of await requestFromAllWorkers(server, QUOTES))
      expect(body).toContain('"data":[]');
    const { status } = await runTenor(['load', 'quotes', file('q.csv')], settings());
    expect(status).toBe(0);
    await retryUntil(3_000, async () => {
      const replies = await requestFromAllWorkers(server, QUOTES);
      const revisions = replies.map(({ headers }) => headers.get('tenor-revision'));
      expect(new Set(revisions)).toEqual(new Set(['1']));
      for (const { body } of replies) expect(JSON.parse(body).data).toHaveLength(1);
    });
  });

  test('never sends an older revision than before, from whichever process', async () => {
    const server = await start();
    const store = await openStore(settings().DATABASE_URL, catalogue);
    await reprice(store);
    const known = '/2.0/bnb/quotes?limit=1';
    await requestFromAllWorkers(server, known);
    for (let round = 0; round < 8; round++) {
      const revision = await reprice(store);
      // Whichever process gets it has to take up the new revision, before the others hear of it.
      const target = `/2.0/bnb/quotes?limit=${2 + round}`;
      const seen = `Tenor-Revision: ${revision}`;
      const fresh = await requestOnNewConnection(server, target, undefined, seen);
      expect(Number(fresh.headers.get('tenor-revision'))).toBe(revision);
      const responses = await requestFromAllWorkers(server, known);
      const revisions = responses.map(({ headers }) => Number(headers.get('tenor-revision')));
      expect(Math.min(...revisions)).toBe(revision);
    }
  });

  test('accepts an issued token at once in both processes, and rejects it in both within 5 s of its revocation', async () => {
    const server = await start();
    const create = ['token', 'create', '--name', 'x', '--json'];
    const { id, token } = JSON.parse((await runTenor(create, settings())).out);
    const statuses = async () =>
      new Set((await requestFromAllWorkers(server, QUOTES, token)).map(({ status }) => status));
    expect(await statuses()).toEqual(new Set([200]));
    expect((await runTenor(['token', 'revoke', id], settings())).status).toBe(0);
    // Too many invalid tokens are answered with 429, which is a rejection too.
    await retryUntil(30_000, async () => {
      const rejected = await statuses();
      rejected.delete(429);
      expect(rejected.size).toBeLessThan(2);
      expect(rejected).not.toContain(200);
    });
  });

  test('logs what LOG_REQUESTS selects in all processes', async () => {
    const server = await start({ LOG_REQUESTS: 'errors' });
    for (let count = 0; count < 10; count++) {
      await requestOnNewConnection(server, QUOTES);
      await requestOnNewConnection(server, '/nowhere');
    }
    await server.stop();
    expect(readLog(server, 'request').map(({ status }) => status)).toEqual(Array(10).fill(404));
  });
});

describe.if(isLinux)('a rate limit with several workers', () => {
  const findAccepted = (statuses: readonly number[]) => statuses.filter((status) => status === 200);

  test('applies to all processes together, except for usage that is not reported yet', async () => {
    const server = await start({ RATE_LIMIT: '40/hour' });
    const statuses: number[] = [];
    const processes = new Set<string>();
    for (let count = 0; count < 120; count++) {
      const reply = await requestOnNewConnection(server, QUOTES);
      statuses.push(reply.status);
      processes.add(readProcessId(reply));
      await Bun.sleep(20);
    }
    expect(processes.size).toBe(2);
    // Each process alone accepts 40.
    expect(findAccepted(statuses).length).toBeWithin(40, 60);
    expect(findAccepted(statuses.slice(-30))).toEqual([]);
  });
});
