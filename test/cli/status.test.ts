import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import {
  mobileMoneyAccountsMale as accounts,
  onlineBankingAnnualVolume as online,
} from '../../src/catalogue/datasets/series/index.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { publishAt } from '../support/publish-at.ts';
import { quote } from '../support/quote-fixture.ts';
import { runTenor } from '../support/run-tenor.ts';
import { createStore, createTempFolder, type TestStore } from '../support/store.ts';

setDefaultTimeout(120_000);

const PUBLISHED_AT = '2026-11-13T14:00:00.000Z';

describe('tenor status', () => {
  let store: TestStore;
  beforeAll(async () => {
    store = await createStore();
    await publishAt(store, PUBLISHED_AT, online, { records: [online.example], sample: true });
    await publishAt(store, PUBLISHED_AT, quotes, { records: [quote({ date: '2026-11-13' })] });
    await publishAt(store, PUBLISHED_AT, fundAllocation, { records: [fundAllocation.example] });
  });
  afterAll(() => store.remove());

  const run = (...args: string[]) => runTenor(['status', ...args], { DATABASE_URL: store.url });

  test('shows every dataset, and fails with the names of those that are late', async () => {
    const { out, err, status } = await run('--at', '2026-11-16T12:00:00Z');
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/));
    expect(lines.slice(0, 3)).toEqual([
      ['dataset', 'newest', 'status', 'next due', 'published', 'revision'],
      ['quotes', '2026-11-13', 'on time', '2026-11-18', '2026-11-13 14:00', '2'],
      // The example ends in June, so that July was due on 16 August.
      ['fund-allocation', '2026-06-30', 'late for 92 days', '2026-08-16', '2026-11-13 14:00', '3'],
    ]);
    expect(lines.map(([name]) => name).slice(1)).toEqual(catalogue.map(({ name }) => name));
    expect(lines.find(([name]) => name === online.name)).toEqual([
      online.name,
      '2025',
      'sample data',
      '–',
      '2026-11-13 14:00',
      '1',
    ]);
    expect(lines.at(-1)?.slice(1)).toEqual(['–', 'no schedule', '–', '–', '–']);
    expect(lines.at(-6)?.slice(1)).toEqual(['–', 'no data', '–', '–', '–']);
    expect({ err, status }).toEqual({
      err: 'tenor: fund-allocation: late for 92 days\n',
      status: 1,
    });
  });

  test('judges the named datasets alone, with the tolerance unless it is strict', async () => {
    const calls = [
      ['--at', '2026-11-17', 'quotes', online.name],
      ['--at', '2026-11-20', 'quotes'],
      ['--at', '2026-11-20', '--strict', 'quotes'],
      ['--at', '2026-11-21', 'quotes'],
      ['--at', '2026-11-10', 'quotes'],
      ['--at', '2026-11-12', 'quotes'],
      ['quotes', 'founds'],
      ['--at', 'Friday'],
    ];
    const results = await Promise.all(calls.map((args) => run(...args)));
    expect(results.map(({ status }) => status)).toEqual([0, 0, 1, 1, 1, 0, 2, 2]);
    expect(results[1]?.out).toContain('due for 2 days');
    expect(results[2]?.err).toBe('tenor: quotes: due for 2 days\n');
    expect(results[3]?.out).toContain('late for 3 days');
    // The newest quotes are of 13 November.
    expect(results[4]?.err).toBe('tenor: quotes: future date\n');
  });

  test('prints JSON, and fails without another message there', async () => {
    const [{ out, status }, now] = await Promise.all([
      run('fund-allocation', 'quotes', 'quotes', '--at', '2026-11-16', '--json'),
      run(online.name, '--json'),
    ]);
    const { at, revision, datasets } = JSON.parse(out);
    expect({ at, revision, status }).toEqual({
      at: '2026-11-16T23:59:59.999Z',
      revision: 3,
      status: 1,
    });
    expect(Math.abs(Date.parse(JSON.parse(now.out).at) - Date.now())).toBeLessThan(60_000);
    expect(datasets).toHaveLength(2);
    expect(datasets[0]).toEqual({
      dataset: 'fund-allocation',
      status: 'late',
      newest: '2026-06-30',
      newestDate: '2026-06-30',
      nextDue: {
        period: '2026-07-31',
        dueAt: '2026-08-16T00:00:00.000Z',
        lateAt: '2026-08-26T00:00:00.000Z',
      },
      daysDue: 92,
      lastRevision: { revision: 3, publishedAt: PUBLISHED_AT, source: 'test', sample: false },
    });
  });

  test('fails if the newest period of a series lacks keys of its list', async () => {
    const { example } = accounts;
    const partial = { ...example, provinces: example.provinces.slice(0, 3) };
    const previous = { ...example, period: 'May 2026' };
    await publishAt(store, PUBLISHED_AT, accounts, { records: [partial, previous] });
    const { out, err, status } = await run(accounts.name, '--at', '2026-07-01', '--json');
    expect(JSON.parse(out).datasets).toMatchObject([
      { status: 'on-time', series: { present: 3, expected: 4 } },
    ]);
    const line = `tenor: ${accounts.name}: on time, 3 of 4 series\n`;
    expect({ err, status }).toEqual({ err: line, status: 1 });
  });

  test('names candidates that nobody publishes until somebody looks at them', async () => {
    const staging = await createStore();
    const folder = createTempFolder();
    const env = { DATABASE_URL: staging.url };
    const write = (cash: number) => {
      const { cash_wtl: before, total } = online.example;
      const record = { ...online.example, cash_wtl: cash, total: total - before + cash };
      writeFileSync(join(folder, 'a.json'), JSON.stringify([record]));
      return ['load', online.name, join(folder, 'a.json')];
    };
    const runHere = (...args: string[]) => runTenor(args, env);
    await publishAt(staging, PUBLISHED_AT, online, { records: [online.example], sample: true });
    expect((await runHere(...write(1), '--stage')).status).toBe(0);
    expect(await runHere('status')).toMatchObject({ err: '', status: 0 });
    expect((await runHere(...write(2))).status).toBe(0);
    const line = `tenor: candidate 1 of ${online.name}: stale since revision 2\n`;
    expect(await runHere('status', online.name)).toMatchObject({ err: line, status: 1 });
    expect(await runHere('status', 'quotes')).toMatchObject({ err: '', status: 0 });
    const { out } = await runHere('status', '--json');
    expect(JSON.parse(out).candidates).toEqual([
      { candidate: 1, datasets: [online.name], due: null, hold: 'stale since revision 2' },
    ]);
    // Nothing was written: whoever lists candidates is still told.
    expect((await runHere('candidate', 'list')).err).toContain('candidate 1 is stale');
    rmSync(folder, { recursive: true });
    await staging.remove();
  });

  test('reads while another publisher holds the write lock', async () => {
    const publisher = store.publisher();
    const { status, out } = await publisher.transaction(() => run('quotes', '--at', '2026-11-16'));
    publisher.close();
    expect({ status, isOnTime: out.includes('on time') }).toEqual({ status: 0, isOnTime: true });
  });
});

test('tenor status fails in one line if the database cannot be reached', async () => {
  const { status, out, err } = await runTenor(['status', '--json'], {
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
  });
  expect({ status, lines: err.trimEnd().split('\n').length }).toEqual({ status: 5, lines: 1 });
  expect(JSON.parse(out)).toMatchObject({ status: 'refused' });
});
