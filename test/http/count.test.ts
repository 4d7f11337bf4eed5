import { describe, expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { prefersExactCount } from '../../src/http/request/request-headers.ts';
import { fetchRaw } from '../support/fetch-raw.ts';
import { readFixture } from '../support/fixtures.ts';
import { findLink } from '../support/follow-links.ts';
import { generateQuotes } from '../support/generate-quotes.ts';
import { getKey, publishAt } from '../support/publish-at.ts';
import { quote } from '../support/quote-fixture.ts';
import { createFilledStore, createStore, FILLED_DATASETS } from '../support/store.ts';
import { startTestServer } from '../support/test-server.ts';
import { useTestServer } from '../support/use-test-server.ts';

const PATH = '/2.0/bnb/quotes';
const COUNT = { prefer: 'count=exact' };

test.each([
  [null, false],
  ['', false],
  ['count=exact', true],
  ['Count=exact', true],
  ['count="exact"', true],
  ['count = exact', true],
  ['count=exact; strict', true],
  [' count=exact ,', true],
  ['respond-async, count=exact', true],
  ['handling=lenient, wait=10 , count=exact, x', true],
  ['x="a, b", count=exact', true],
  ['count=none', false],
  ['count=estimated', false],
  ['count', false],
  ['count=', false],
  ['count=exactly', false],
  ['count=exact1', false],
  ['recount=exact', false],
  ['count-exact', false],
  ['exact', false],
  // A parameter of another preference, and a text in quotes, are none.
  ['respond-async; count=exact', false],
  ['x="a, count=exact"', false],
  ['x="a\\", count=exact"', false],
  // Of one that is given twice, the first counts.
  ['count=none, count=exact', false],
  ['count=exact, count=none', true],
])('Prefer: %j requests a count: %p', (prefer, expected) => {
  expect(prefersExactCount(prefer)).toBe(expected);
});

describe('Tenor-Total-Count', () => {
  const service = useTestServer(async () => {
    const store = await createStore();
    const records = generateQuotes(['2026-06-01', '2026-06-02', '2026-06-03'], 7);
    await publishAt(store, '2026-06-04T00:00:00Z', quotes, { records });
    await publishAt(store, '2026-06-05T00:00:00Z', quotes, {
      records: generateQuotes(['2026-06-04'], 5),
      retiredKeys: [getKey(quotes, quote({ date: '2026-06-03', symbol: 'S05' }))],
    });
    return store;
  });

  const totalOf = ({ headers }: { headers: Headers }) => headers.get('tenor-total-count');

  test.each([
    ['', 5, 7],
    ['type=tbill', 2, 3],
    ['symbol=S06', 1, 1],
    ['date=2026-06-03', 6, 7],
    ['date=2026-06-02&type=bond', 2, 2],
    ['from=2026-06-02', 18, 14],
    ['from=2026-06-01&to=2026-06-03', 20, 21],
    ['from=2026-06-01&symbol=s05', 2, 3],
    ['symbol=nobody', 0, 0],
  ])('of "%s" is %d, and %d as of an earlier instant', async (query, now, earlier) => {
    for (const [past, expected] of [
      [{}, now],
      [{ 'accept-datetime': '2026-06-04T12:00:00Z' }, earlier],
      [{ 'accept-datetime': '2026-06-01T12:00:00Z' }, 0],
    ] as const) {
      // Every page has the total of all pages.
      let next: string | undefined = `${PATH}?${query}&limit=3`.replace('?&', '?');
      while (next !== undefined) {
        const reply = await fetchRaw(service, next, { ...past, ...COUNT });
        expect([next, totalOf(reply)]).toEqual([next, String(expected)]);
        expect(reply.headers.get('preference-applied')).toBe('count=exact');
        next = findLink(reply.headers, 'next');
      }
    }
  });

  test.each(['application/json', 'application/x-ndjson', 'text/csv'])(
    'is sent in %s with Prefer: count=exact alone, also from the cache',
    async (accept) => {
      const [plain, counted] = [{ accept }, { accept, ...COUNT }];
      for (const [target, order] of [
        [`${PATH}?limit=2`, [plain, counted, plain, counted]],
        [`${PATH}?limit=4`, [counted, plain, counted, plain]],
      ] as const) {
        const replies = [];
        for (const requestHeaders of order) {
          const reply = await fetchRaw(service, target, requestHeaders);
          expect(totalOf(reply)).toBe(requestHeaders === counted ? '5' : null);
          expect(reply.headers.get('vary')).toContain('Prefer');
          replies.push({ bytes: reply.bytes, tag: reply.headers.get('etag') });
        }
        // The count is no part of what is sent.
        for (const reply of replies) expect(reply).toEqual(replies[0] as typeof reply);
      }
    },
  );

  test('is sent to HEAD and with a 304', async () => {
    const { headers } = await fetchRaw(service, PATH, COUNT, 'HEAD');
    expect(totalOf({ headers })).toBe('5');
    const conditions = { ...COUNT, 'if-none-match': headers.get('etag') ?? '' };
    const unchanged = await fetchRaw(service, PATH, conditions);
    expect([unchanged.status, totalOf(unchanged)]).toEqual([304, '5']);
    const plain = await fetchRaw(service, PATH, { ...conditions, prefer: '' });
    expect([plain.status, totalOf(plain)]).toEqual([304, null]);
  });

  test('is absent from errors and from operations without a count', async () => {
    for (const target of [`${PATH}?limit=0`, '/nowhere', '/revisions', '/openapi.json']) {
      const reply = await fetchRaw(service, target, COUNT);
      expect([totalOf(reply), reply.headers.get('preference-applied')]).toEqual([null, null]);
    }
  });

  test('stays the same on all pages, whatever is published meanwhile', async () => {
    const query = 'date=2026-06-01&limit=6';
    const { headers } = await fetchRaw(service, `${PATH}?${query}`, COUNT);
    await service.store.publish(quotes, [quote({ date: '2026-06-01', symbol: 'S99' })]);
    const reply = await fetchRaw(service, findLink(headers, 'next') ?? '', COUNT);
    const anew = await fetchRaw(service, `/2.0/bnb/quote?${query}`, COUNT);
    expect([{ headers }, reply, anew].map(totalOf)).toEqual(['7', '7', '8']);
  });
});

test('every dataset that has an operation of its own responds with Tenor-Total-Count and an ETag', async () => {
  await using service = await startTestServer(await createFilledStore());
  for (const dataset of FILLED_DATASETS) {
    const [path] = dataset.paths;
    if (path.startsWith('/vintages/')) continue;
    const fixture = readFixture(dataset);
    const totals: Record<string, number> = {
      series: fixture.length,
      reference: dataset.name === 'securities' ? 5 : 5,
      fund: 1,
      quotes: fixture.filter(({ date }) => date === '2026-04-08').length,
    };
    const query = dataset.shape === 'fund' ? `?fund_id=${fixture[0]?.fund_id}` : '';
    const { headers } = await fetchRaw(service, `${path}${query}`, COUNT);
    const totalCount = [dataset.name, headers.get('tenor-total-count')];
    expect(totalCount).toEqual([dataset.name, String(totals[dataset.shape])]);
    expect(headers.get('etag')).toMatch(/^"[!#-~]+"$/);
  }
  const nobody = await fetchRaw(service, '/3.0/funds/allocation?fund_id=nobody', COUNT);
  expect(nobody.headers.get('tenor-total-count')).toBe('0');
});
