import { describe, expect, test } from 'bun:test';
import { getShippedCatalogue } from '../../src/catalogue/catalogues.ts';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { RESPONSE_FORMATS } from '../../src/catalogue/model/response-format.ts';
import { splitQuery } from '../../src/http/request/parse-query.ts';
import { createChangesRoute } from '../../src/operations/changes/changes-route.ts';
import { serializeRecord } from '../../src/schema/serialize-record.ts';
import { readFixture } from '../support/fixtures.ts';
import { DESCRIBED_BY, findLink } from '../support/follow-links.ts';
import { buildCorrection, getKey, publishAt } from '../support/publish-at.ts';
import { quote } from '../support/quote-fixture.ts';
import { createStore, FILLED_DATASETS, fillStore, type TestStore } from '../support/store.ts';
import { errorMessage } from '../support/test-server.ts';
import { useTestServer } from '../support/use-test-server.ts';

const [early, late] = ['2026-06-01', '2026-06-02'];
const bill = (date: string, lastPrice: number) => quote({ symbol: 'BILL', date, lastPrice });
const bond = (date: string, lastPrice: number) => quote({ symbol: 'BOND', date, lastPrice });
const fund = (fund_id: string) => ({ ...fundAllocation.example, fund_id });
const instant = (revision: number) => `2026-01-0${revision}T00:00:00.000Z`;

/** Quotes in 1 to 4, a fund in 5, and the same fund in other letters in 6. */
async function publishSix(store: TestStore): Promise<TestStore> {
  const publish = (revision: number, change: Parameters<typeof publishAt>[3]) =>
    publishAt(store, instant(revision), quotes, change);
  await publish(1, { records: [bill(early, 1), bond(early, 1), bill(late, 1)] });
  await publish(2, { records: [bill(early, 2), bond(early, 2), bond(late, 1)] });
  await publish(3, { records: [bill(early, 1)], retiredKeys: [getKey(quotes, bill(late, 1))] });
  await publish(4, { records: [bond(late, 2)] });
  await publishAt(store, instant(5), fundAllocation, { records: [fund('a')] });
  await publishAt(store, instant(6), fundAllocation, { records: [fund('A')] });
  return store;
}

const change = (
  name: string,
  record: object,
  dataset: typeof quotes | typeof fundAllocation = quotes,
) => `{"change":"${name}","record":${serializeRecord(dataset, { ...record })}}`;
const envelope = (...texts: readonly string[]) => `{"status":"ok","data":[${texts.join()}]}`;

test.each([
  ['since=999', 999],
  ['since=1&until=999&limit=5&fields=other', 999],
  ['since=999&bogus=1', 0],
  ['since=999&limit=none', 0],
  ['since=999&until=5', 0],
  ['since=999&cursor=ab', 0],
  ['since=9999999999', 0],
  ['until=7', 7],
])('%s waits for revision %d: for none if parameters are invalid', (query, revision) => {
  const { findAwaitedRevision } = createChangesRoute(getShippedCatalogue(catalogue));
  expect(findAwaitedRevision?.(splitQuery(query))).toBe(revision);
});

describe('/changes/{dataset}', () => {
  const service = useTestServer(async () => publishSix(await createStore()));
  const get = (target: string, headers: Record<string, string> = {}) =>
    service.request(`/changes/${target}`, headers);

  test('lists net changes in the order of the dataset, each record once', async () => {
    const response = await get('quotes?since=1');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('tenor-revision')).toBe('6');
    expect(response.headers.get('link')).toBe(DESCRIBED_BY);
    // The first one of the early day is as it was.
    expect(await response.text()).toBe(
      envelope(
        change('retired', bill(late, 1)),
        change('added', bond(late, 2)),
        change('corrected', bond(early, 2)),
      ),
    );
  });

  test.each([
    ['quotes?since=6', 6, []],
    ['quotes?since=0&until=0', 0, []],
    ['quotes?since=4&until=5', 5, []],
    ['quotes?since=3', 6, [change('corrected', bond(late, 2))]],
    [
      'quotes?since=2&until=3',
      3,
      [change('retired', bill(late, 1)), change('corrected', bill(early, 1))],
    ],
    [
      'quotes?since=0',
      6,
      [
        change('added', bond(late, 2)),
        change('added', bill(early, 1)),
        change('added', bond(early, 2)),
      ],
    ],
    // A copy by fund_id must delete the one and add the other.
    [
      'fund-allocation?since=5',
      6,
      [change('retired', fund('a'), fundAllocation), change('added', fund('A'), fundAllocation)],
    ],
    ['fund-allocation?since=0', 6, [change('added', fund('A'), fundAllocation)]],
  ])('%s leads to revision %d', async (target, revision, expected) => {
    for (const _ of ['store', 'cache']) {
      const response = await get(target);
      expect(response.headers.get('tenor-revision')).toBe(String(revision));
      expect(await response.text()).toBe(envelope(...expected));
    }
  });

  test('pages of one change each stay with the revision of the first one', async () => {
    for (const [target, count] of [
      ['quotes?since=1', 3],
      ['fund-allocation?since=5', 2],
    ] as const) {
      const texts: string[] = [];
      let next: string | undefined = `/changes/${target}&limit=1`;
      while (next) {
        const page = await service.request(next);
        expect(page.headers.get('tenor-revision')).toBe('6');
        const { data } = (await page.json()) as { data: object[] };
        expect(data).toHaveLength(1);
        texts.push(...data.map((entry) => JSON.stringify(entry)));
        next = findLink(page.headers, 'next');
      }
      expect(texts).toHaveLength(count);
      expect(envelope(...texts)).toBe(await (await get(target)).text());
    }
  });

  test('Accept-Datetime names the newest revision, which until may not exceed', async () => {
    const asOf = { 'accept-datetime': instant(3) };
    const response = await get('quotes?since=2', asOf);
    expect(response.headers.get('tenor-revision')).toBe('3');
    expect(response.headers.get('memento-datetime')).toBe(new Date(instant(3)).toUTCString());
    expect(await response.text()).toBe(await (await get('quotes?since=2&until=3')).text());
    expect((await get('quotes?since=1&until=2', asOf)).headers.get('tenor-revision')).toBe('2');
    for (const query of ['since=4', 'since=1&until=4']) {
      const rejected = await get(`quotes?${query}`, asOf);
      expect(rejected.status).toBe(400);
      expect(await errorMessage(rejected)).toEndWith('a revision that there is, from 0 to 3');
    }
    const first = await get('quotes?since=0&limit=1');
    const page = await service.request(findLink(first.headers, 'next') ?? '', asOf);
    expect(await errorMessage(page)).toStartWith('parameter "cursor" is of a later revision');
  });

  test.each([
    [
      'quotes',
      'parameter "since" is missing; it must be the revision that the copy has, or 0 for none',
    ],
    [
      'quotes?since=',
      'parameter "since" is empty; it must be the number of a revision, or 0 for none, in plain digits',
    ],
    [
      'quotes?since=-1',
      'parameter "since" must be the number of a revision, or 0 for none, in plain digits',
    ],
    [
      'quotes?since=01',
      'parameter "since" must be the number of a revision, or 0 for none, in plain digits',
    ],
    ['quotes?since=7', 'parameter "since" must be a revision that there is, from 0 to 6'],
    ['quotes?since=99999999999', 'parameter "since" must be a revision that there is, from 0 to 6'],
    ['quotes?since=1&until=7', 'parameter "until" must be a revision that there is, from 0 to 6'],
    ['quotes?since=3&until=2', 'parameter "until" must not be smaller than "since"'],
    [
      'quotes?since=1&after=2',
      'unknown parameter "after"; allowed: since, until, as_stored, limit, cursor, fields, as_of, format',
    ],
  ])('%s is rejected: %s', async (target, message) => {
    const response = await get(target);
    expect(response.status).toBe(400);
    expect(await errorMessage(response)).toBe(message);
  });
});

describe('the formats of /changes/{dataset}', () => {
  const service = useTestServer(async () => {
    const store = await fillStore(await createStore());
    for (const dataset of catalogue) {
      const [first = {}] = readFixture(dataset);
      await store.publish(dataset, [buildCorrection(dataset, first)]);
    }
    return store;
  });
  const newest = FILLED_DATASETS.length + catalogue.length;

  test.each(catalogue.map(({ name }) => name))(
    '%s: the rows of since=0 are those of the export, after a column for the change',
    async (name) => {
      const target = `/changes/${name}?since=0&limit=10000`;
      const csv = await (await service.request(target, { accept: 'text/csv' })).text();
      const lines = csv.split('\r\n').map((line) => line.replace(/^(change|added),/, ''));
      const exported = await (await service.request(`/exports/${name}.csv`)).text();
      expect(lines.join('\r\n')).toBe(exported);
      const columns = csv.split('\r\n')[0]?.split(',') ?? [];
      expect(columns[0]).toBe('change');
      expect(new Set(columns).size).toBe(columns.length);
    },
  );

  test.each(Object.values(RESPONSE_FORMATS))(
    '$mediaType: every dataset sends the correction, and an empty table',
    async ({ mediaType, contentType, extension }) => {
      for (const { name } of catalogue) {
        for (const since of [FILLED_DATASETS.length, newest]) {
          const target = `/changes/${name}?since=${since}`;
          const response = await service.request(target, { accept: mediaType });
          expect([name, since, response.status]).toEqual([name, since, 200]);
          expect(response.headers.get('content-type')).toBe(contentType);
          if (extension !== 'json')
            expect(response.headers.get('content-disposition')).toBe(
              `attachment; filename="${name}-changes.${extension}"`,
            );
          await response.arrayBuffer();
        }
      }
    },
  );
});
