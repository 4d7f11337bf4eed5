import { afterAll, beforeAll, describe, expect, setDefaultTimeout, spyOn, test } from 'bun:test';
import { RequestMetrics } from '../../src/http/pipeline/request-metrics.ts';
import { createKiborStore, declareIn, KIBOR, KIBOR_RECORDS } from '../support/declared-rates.ts';
import { runTenor } from '../support/run-tenor.ts';
import { startTestServer, type TestServer, TOKEN } from '../support/test-server.ts';

setDefaultTimeout(120_000);

const [date, week] = ['2026-06-03', '2026-06-16'];
const MORE = [...KIBOR.measures, { field: 'mid', title: 'Mid', unit: 'percent', kind: 'rate' }];
const daily = { cadence: 'daily', delayDays: 1, toleranceDays: 2 } as const;
/** Revision 3 adds a measure and a schedule, revisions 4 and 5 retire records and dataset. */
const REDECLARED = { ...KIBOR, measures: MORE, schedule: daily } as typeof KIBOR;

let server: TestServer;
beforeAll(async () => {
  const store = await createKiborStore();
  await declareIn(store, REDECLARED);
  server = await startTestServer(store);
});
afterAll(() => server.stop());

const run = (...args: string[]) => runTenor(args, { DATABASE_URL: server.store.url });
const runRemotely = (...args: string[]) =>
  runTenor([...args, '--url', server.address], { TENOR_TOKEN: TOKEN });

describe('of a declared dataset', () => {
  test('tenor query prints a table with a row for each value of its dimension', async () => {
    const { out } = await run('query', 'kibor', '--width', '80', '--as-of', '2');
    const [title, facts, ...lines] = out.split('\n');
    expect([title, facts?.replace(/ of .*/, '')]).toEqual([
      'Interbank offered rates',
      'percent · 6 records · revision 2',
    ]);
    expect(lines.slice(0, 4)).toEqual([
      '',
      'date        tenor   bid  offer',
      '──────────  ─────  ────  ─────',
      '2026-06-03  1M     11        –',
    ]);
    expect(lines.slice(-3)).toEqual([
      '2026-06-01  1M     13        –',
      '2026-06-01  6M     13.1      –',
      '',
    ]);
  });

  test('tenor query prints the same from a database and from a server', async () => {
    const queries = [
      ['kibor', 'tenor=6M', 'from=2026-06-02'],
      ['kibor', 'as_of=2', '--csv'],
      ['kibor', 'limit=2', 'sort=asc', '--all', '--ndjson'],
      ['kibor', '--count'],
      ['/datasets/kibor?tenor=1M', '--json'],
      ['changes/kibor', 'since=1', 'until=2'],
      ['corrections', 'dataset=kibor'],
      ['revisions/2'],
    ];
    for (const args of queries) {
      const { out, status } = await run('query', ...args);
      expect([args, await runRemotely('query', ...args)]).toEqual([
        args,
        { status, out, err: `tenor: querying ${server.address}\n` },
      ]);
      expect([args, status]).toEqual([args, 0]);
    }
  });

  test('tenor query suggests its name and its parameters', async () => {
    const [name, parameter, early] = await Promise.all([
      run('query', 'kibr'),
      runRemotely('query', 'kibor', 'tenr=6M'),
      run('query', 'kibor', '--as-of', '2020-01-01'),
    ]);
    expect(name.err).toContain('there is no operation "kibr" (did you mean kibor?)');
    expect(parameter.err).toContain('(did you mean tenor?)');
    expect(early.err).toContain('there is no operation "kibor"');
    expect([name.status, parameter.status, early.status]).toEqual([2, 1, 2]);
  });

  test('tenor status judges the newest day by the schedule', async () => {
    const [onTime, late, early] = await Promise.all([
      run('status', 'kibor', '--at', date),
      run('status', 'kibor', '--at', week),
      run('status', 'kibor', '--at', '2026-06-01'),
    ]);
    expect([onTime.status, onTime.out]).toEqual([0, expect.stringContaining('on time')]);
    expect([late.status, late.err]).toEqual([1, 'tenor: kibor: late for 4 days\n']);
    expect([early.status, early.err]).toEqual([1, 'tenor: kibor: future date\n']);
  });

  test('tenor export and tenor revisions know what it was before', async () => {
    const records = await run('export', 'kibor', '--format', 'ndjson', '--as-of', '2');
    const lines = KIBOR_RECORDS.map((record) => `${JSON.stringify(record)}\n`);
    expect(records).toEqual({ status: 0, out: lines.join(''), err: '' });
    expect((await run('export', 'kibor')).out).toStartWith('date,tenor,bid,offer,mid\r\n');
    expect(await run('dataset', 'retire', 'kibor', '--with-records')).toMatchObject({
      out: expect.stringMatching(
        /^Published revision 4 of kibor, its records: .* 6 retired.*\nPublished revision 5: .* 1 retired/,
      ),
      status: 0,
    });
    expect(await run('export', 'kibor', '--format', 'ndjson', '--as-of', '2')).toEqual(records);
    expect((await run('query', 'kibor', '--count', '--as-of', '2')).out).toBe('6\n');
    for (const when of ['0', '5', '2020-01-01']) {
      const { status, err } = await run('export', 'kibor', '--as-of', when);
      expect([status, err]).toEqual([2, expect.stringContaining('no dataset "kibor" as of ')]);
    }
    const { out } = await run('revisions', '--dataset', 'kibor', '--json');
    expect(JSON.parse(out).map(({ revision }: { revision: number }) => revision)).toEqual([4, 2]);
    expect((await run('revisions', '4')).out).toContain('retired 2026-06-03 1M');
  });
});

test('tenor query and the clients tell what has taken the place of a dataset', async () => {
  const store = await createKiborStore();
  await declareIn(store, { ...KIBOR, name: 'kibor-two', supersedes: 'kibor' });
  const { err } = await runTenor(['query', 'kibor', 'limit=1', '--all'], {
    DATABASE_URL: store.url,
  });
  expect(err).toBe('tenor: /datasets/kibor is deprecated; kibor-two has taken its place\n');
  await store.remove();
});

test('requests for any number of datasets are counted as one route', async () => {
  const metrics = spyOn(RequestMetrics.prototype, 'record');
  await server.request('/datasets/kibor');
  await server.request('/datasets/unknown');
  const paths = metrics.mock.calls.map(([{ routePath }]) => routePath);
  expect(paths).toEqual(['/datasets/{name}', '/datasets/{name}']);
  metrics.mockRestore();
});
