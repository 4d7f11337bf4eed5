import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { existsSync, writeFileSync } from 'node:fs';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { securities } from '../../src/catalogue/datasets/securities.ts';
import type { AnyRecord } from '../../src/catalogue/model/dataset.ts';
import { getCacheFile } from '../../src/shared/database-folders.ts';
import { parseSqlitePath } from '../../src/store/sqlite/open-sqlite.ts';
import { TextCache } from '../../src/store/sqlite/text-cache.ts';
import { writeCurveMarket } from '../support/curve-market.ts';
import { fetchPages } from '../support/follow-links.ts';
import { createLoadWorkspace } from '../support/load-workspace.ts';
import { errorMessage, startTestServer } from '../support/test-server.ts';
import { useTestServer } from '../support/use-test-server.ts';

const CURVE = '/2.0/bnb/curve?tenors=1Y,5Y&';
/** Newest first: a Tuesday and the day before, a Friday, days of the months before. */
const DATES = ['2026-06-30', '2026-06-29', '2026-06-26', '2026-05-29', '2026-05-28', '2026-03-31'];

/** The market of two days on each of the dates. */
function writeMarkets(): string {
  const [header = '', ...rows] = writeCurveMarket().split('\n');
  const own = rows.filter((row) => row.startsWith('2026-06-29,'));
  const others = DATES.slice(2).flatMap((date) =>
    own.map((row) => row.replace(/^2026-06-29/, date)),
  );
  return [header, ...rows, ...others].join('\n');
}

const service = useTestServer(async () => {
  const workspace = await createLoadWorkspace();
  workspace.writeFile('market.csv', writeMarkets());
  await workspace.load(quotes, 'market.csv');
  return workspace.store;
});

/** Of that revision or a later one. */
const getData = async (query: string, server = service, revision = 1) => {
  const headers = { 'tenor-revision': String(revision) };
  const response = await server.request(`${CURVE}${query}`, headers);
  return ((await response.json()) as { data: AnyRecord[] }).data;
};
const getDates = async (query: string) => (await getData(query)).map(({ date }) => date);

describe('the curve through time', () => {
  test('has a record for each day with quotes of the market, as by date', async () => {
    const history = await getData('from=2026-01-01');
    expect(history.map(({ date }) => date)).toEqual(DATES);
    expect(history).toEqual(await getData(`date=${DATES}`));
    expect(history[0]?.method).not.toBeNull();
    expect(await getDates('from=2026-05-28&to=2026-06-26')).toEqual(DATES.slice(2, 5));
    expect(await getDates('to=2026-03-31')).toEqual(['2026-03-31']);
    expect(await getDates('from=2026-05&to=2026-05')).toEqual(DATES.slice(3, 5));
    expect(await getDates('from=2026&to=2026')).toEqual(DATES);
    expect(await getDates('to=2026-04')).toEqual(['2026-03-31']);
    expect(await getDates('from=2026-01-01&market=corporate')).toEqual([]);
  });

  test.each([
    ['week', ['2026-06-30', '2026-06-26', '2026-05-29', '2026-03-31']],
    ['month', ['2026-06-30', '2026-05-29', '2026-03-31']],
    ['quarter', ['2026-06-30', '2026-03-31']],
  ])('has the last day of each %s, page by page', async (every, expected) => {
    const query = `from=2026-01-01&every=${every}`;
    expect(await getDates(query)).toEqual(expected);
    const pages = await fetchPages((target) => service.request(target), `${CURVE}${query}&limit=1`);
    expect(pages.flat().map(({ date }) => date)).toEqual(expected);
  });

  test('has a row for each date and a column for each tenor with shape=wide', async () => {
    const response = await service.request(
      `${CURVE}from=2026-06-29&shape=wide&rate=zero&format=csv`,
    );
    const rows = (await getData('from=2026-06-29')).map(({ date, points }) =>
      [date, ...(points as AnyRecord[]).map(({ zero }) => zero)].join(),
    );
    expect((await response.text()).trim().split(/\r?\n/)).toEqual(['date,1Y,5Y', ...rows]);
    expect(response.headers.get('cache-control')).not.toContain('immutable');
  });

  test.each([
    ['every=week', 'parameter "every" can be used only with "from" or "to"'],
    ['limit=5', 'parameter "limit" can be used only with "from" or "to"'],
    ['date=2026-06-30&from=2026-01-01', 'parameter "date" cannot be used with "from" or "to"'],
    ['from=2026-02-01&to=2026-01-01', 'parameter "from" must not be later than "to"'],
    ['from=2026-01-01&shape=wide', 'parameter "shape" cannot be wide with JSON'],
    ['rate=par', 'parameter "rate" can be used only with "shape" as wide'],
    ['from=2026-01-01&limit=1001', 'parameter "limit" must be a whole number from 1 to 1000'],
    ['shape=wide&format=csv&fields=date', 'parameter "fields" cannot be used with "shape" as wide'],
    ['from=2026-01-01&every=year', 'parameter "every" must be one of day, week, month, quarter'],
  ])('rejects %s', async (query, message) => {
    const response = await service.request(`${CURVE}${query}`);
    expect(response.status).toBe(400);
    expect(await errorMessage(response)).toStartWith(message);
  });
});

describe('a fit that is kept', () => {
  test('is given up for a correction of its day alone, and for new terms', async () => {
    const workspace = await createLoadWorkspace();
    workspace.writeFile('market.csv', writeMarkets());
    await workspace.load(quotes, 'market.csv');
    await using server = await startTestServer(workspace.store);
    const before = await getData('from=2026-01-01', server);
    const [row = ''] = writeMarkets()
      .split('\n')
      .filter((line) => line.startsWith('2026-05-29,BOND3,'));
    const [header = ''] = writeMarkets().split('\n');
    const cells = row.split(',');
    cells[8] = String(Number(cells[8]) + 0.3);
    workspace.writeFile('corrected.csv', [header, cells.join()].join('\n'));
    await workspace.load(quotes, 'corrected.csv');
    const after = await getData('from=2026-01-01', server, 3);
    const changed = after.filter((record, index) => !Bun.deepEquals(record, before[index]));
    expect(changed.map(({ date }) => date)).toEqual(['2026-05-29']);
    expect(await getData('from=2026-01-01&as_of=2', server)).toEqual(before);
    await workspace.store.publish(securities, [
      {
        ...securities.example,
        symbol: 'NOTERMS',
        isin: 'ZZ1',
        couponRate: 12,
        couponFrequency: 2,
        pricing: 'coupon',
        floating: false,
      },
    ]);
    const withTerms = await getData('from=2026-01-01', server, 4);
    expect(withTerms.every((record, index) => !Bun.deepEquals(record, after[index]))).toBe(true);

    // Whatever becomes of the file, the curves are the same.
    const file = getCacheFile(parseSqlitePath(workspace.store.url), 'fits');
    expect(existsSync(file)).toBe(true);
    writeFileSync(file, 'damaged');
    const restarted = await startTestServer({ ...workspace.store, remove: async () => undefined });
    expect(await getData('from=2026-01-01', restarted)).toEqual(withTerms);
    expect(await getData('from=2026-01-01', restarted)).toEqual(withTerms);
    await restarted.stop();
  });

  test('is taken again if terms have changed for other securities alone', async () => {
    const workspace = await createLoadWorkspace();
    workspace.writeFile('market.csv', writeMarkets());
    await workspace.load(quotes, 'market.csv');
    const server = await startTestServer({ ...workspace.store, remove: async () => undefined });
    await getData(`date=${DATES[0]}`, server);
    await server.stop();
    // It can be told from one that is fitted again.
    const file = getCacheFile(parseSqlitePath(workspace.store.url), 'fits');
    const cache = new TextCache(file);
    using database = new Database(file, { readonly: true });
    const rows = database.query<{ key: string; text: string }, []>('SELECT key, text FROM texts');
    const [kept] = rows.all().filter(({ text }) => text.includes('"rmse"'));
    cache.set(kept?.key ?? '', (kept?.text ?? '').replace(/"rmse":[^,]*/, '"rmse":42'));
    cache.close();
    await workspace.store.publish(securities, [{ ...securities.example, symbol: 'OTHER' }]);
    const restarted = await startTestServer(workspace.store);
    expect(await getData(`date=${DATES[0]}`, restarted)).toMatchObject([{ rmse: 42 }]);
    await restarted.stop();
  });
});
