import { describe, expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { fetchRaw } from '../support/fetch-raw.ts';
import { DESCRIBED_BY, fetchPages, findLink, parseRecords } from '../support/follow-links.ts';
import { generateQuotes } from '../support/generate-quotes.ts';
import { getKey, publishAt } from '../support/publish-at.ts';
import { quote } from '../support/quote-fixture.ts';
import { getRaw } from '../support/raw-http.ts';
import { createStore } from '../support/store.ts';
import { TOKEN } from '../support/test-server.ts';
import { useTestServer } from '../support/use-test-server.ts';

const PATH = '/2.0/bnb/quote';
const days = ['2026-06-01', '2026-06-02', '2026-06-03'];
const latest = generateQuotes(['2026-06-04'], 120);
const odd = quote({ date: '2026-01-01', isin: 'ÄÖ |{"<>"}', type: 'bond' });

const service = useTestServer(async () => {
  const store = await createStore();
  const alike = ['Twin', 'TWIN', 'twin'].map((symbol) => quote({ date: '2026-06-02', symbol }));
  const odds = ['o1', 'o2', 'o3'].map((symbol) => ({ ...odd, symbol }));
  const records = [...generateQuotes(days, 7), ...alike, ...odds];
  await publishAt(store, '2026-06-04T00:00:00Z', quotes, { records });
  // Later than the instant of the as-of requests below.
  const later = [
    ...latest,
    ...generateQuotes(['2026-06-02'], 4).map((each) => ({ ...each, lastPrice: 1 })),
  ];
  await publishAt(store, '2026-06-05T00:00:00Z', quotes, {
    records: later,
    retiredKeys: [getKey(quotes, quote({ date: '2026-06-03', symbol: 'S05' }))],
  });
  return store;
});

describe('Link headers of quotes', () => {
  const next = async (target: string) => {
    const { headers } = await service.request(target);
    return [findLink(headers, 'next') ?? '', findLink(headers, 'first')] as const;
  };

  test.each([
    PATH,
    '/2.0/bnb/quotes?limit=2',
    `${PATH}?limit=1&type=all&from=2026-06-01`,
    `${PATH}?from=2026-06-01&%73ymbol=%7a%5A1&limit=1`,
  ])('keep the spelling of path and parameters of %s', async (target) => {
    const [to, first] = await next(target);
    const joint = target.includes('?') ? '&' : '?';
    expect(to).toStartWith(`${target}${joint}cursor=`);
    expect(to.slice(target.length + 8)).toMatch(/^[\w-]+$/);
    expect(first).toBe(target);
  });

  test('are the same for a question mark without parameters', async () => {
    expect(await next(`${PATH}?`)).toEqual(await next(PATH));
    const pages = await fetchPages(service.request, `${PATH}?`);
    expect(pages).toEqual([latest.slice(0, 100), latest.slice(100)]);
  });

  test('replace the cursor at any position and in any encoding', async () => {
    const [to] = await next(`${PATH}?from=2026-06-01&limit=2`);
    const cursor = to.split('cursor=')[1];
    const [after] = await next(to);
    for (const query of [
      `cursor=${cursor}&from=2026-06-01&limit=2`,
      `from=2026-06-01&cursor=${cursor}&limit=2`,
      `from=2026-06-01&limit=2&%63ursor=${cursor}`,
      `from=2026-06-01&limit=2&cursor=%${cursor?.charCodeAt(0).toString(16)}${cursor?.slice(1)}`,
    ]) {
      expect(await next(`${PATH}?${query}`)).toEqual([after, `${PATH}?from=2026-06-01&limit=2`]);
    }
  });

  test('are valid URIs, whatever characters the target has', async () => {
    const authorized = `Authorization: Bearer ${TOKEN}`;
    const past = 'Accept-Datetime: 2999-01-01T00:00:00Z';
    const requested = `${PATH}?limit=1&date=2026-01-01&symbol=ÄÖ+|{"<>"}`;
    const pages = [];
    for (let target: string | undefined = requested; target !== undefined; ) {
      const reply = await getRaw(service.address, target, authorized, past);
      expect(reply.status).toBe(200);
      pages.push(...parseRecords(reply.body).map(({ symbol }) => symbol));
      const link = reply.headers.get('link') ?? '';
      expect(link.replaceAll(/<[\w.~:/?@!$&'()*+,;=%-]*>; rel="[a-z ]+"(, |$)/g, '')).toBe('');
      target = /<([^>]*)>; rel="next"/.exec(link)?.[1];
    }
    expect(pages).toEqual(['o1', 'o2', 'o3']);
  });

  test('are the same in responses to HEAD, with a 304 and in every format', async () => {
    const target = `${PATH}?limit=2`;
    const { headers } = await fetchRaw(service, target);
    const link = headers.get('link');
    expect(link).toContain('rel="next"');
    expect(link).toEndWith(`, ${DESCRIBED_BY}`);
    const conditions = { 'if-none-match': headers.get('etag') ?? '' };
    const replies = [
      await fetchRaw(service, target, {}, 'HEAD'),
      await fetchRaw(service, target, conditions),
      await fetchRaw(service, target, { accept: 'text/csv' }),
      await fetchRaw(service, target, { accept: 'application/vnd.apache.parquet' }),
      await fetchRaw(service, target, { prefer: 'count=exact' }),
    ];
    expect(replies.map((reply) => reply.headers.get('link'))).toEqual(replies.map(() => link));
    const past = await fetchRaw(service, target, { 'accept-datetime': '2999-01-01T00:00:00Z' });
    expect(past.headers.get('link')).toBe(`${link}, <${target}>; rel="original timegate"`);
  });

  test('lead to no page from a series, and are absent for a missing fund and an error', async () => {
    const series = await service.request('/3.0/alternate/atm-transactions-annual-volume');
    expect(series.headers.get('link')).toBe(DESCRIBED_BY);
    for (const target of ['/3.0/funds/allocation?fund_id=x', `${PATH}?limit=0`])
      expect((await service.request(target)).headers.has('link')).toBe(false);
  });
});
