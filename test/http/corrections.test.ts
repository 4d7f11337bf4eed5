import { describe, expect, test } from 'bun:test';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { securities } from '../../src/catalogue/datasets/securities.ts';
import type { AnyRecord, Dataset } from '../../src/catalogue/model/dataset.ts';
import { RESPONSE_FORMATS } from '../../src/catalogue/model/response-format.ts';
import { serializeRecord } from '../../src/schema/serialize-record.ts';
import { fetchRaw } from '../support/fetch-raw.ts';
import { DESCRIBED_BY, fetchPages } from '../support/follow-links.ts';
import { getKey, publishAt } from '../support/publish-at.ts';
import { quote } from '../support/quote-fixture.ts';
import { getRaw } from '../support/raw-http.ts';
import { createStore, type TestStore } from '../support/store.ts';
import { errorMessage, startTestServer, TOKEN } from '../support/test-server.ts';
import { useTestServer } from '../support/use-test-server.ts';
import { DECODERS, type TableName } from '../tabular/decode-formats.ts';

const [early, late] = ['2026-06-01', '2026-06-02'];
const bond = (date: string, lastPrice: number) => quote({ symbol: 'Bond', date, lastPrice });
const bill = (lastPrice: number) =>
  quote({ symbol: 'BILL', isin: 'ZZ7', date: early, lastPrice, type: 'bond' });
const fund = (fund_id: string, frequency: string) => ({
  ...fundAllocation.example,
  fund_id,
  frequency,
});
const instant = (revision: number) => `2026-01-0${revision}T00:00:00.000Z`;

/** Quotes in 1, 2, 4 and 5, funds in 3 and 6: bill and both bonds corrected, bill retired. */
async function publishSix(store: TestStore): Promise<void> {
  const records = [bond(early, 1), bond(late, 1), bill(1)];
  await publishAt(store, instant(1), quotes, { records });
  await publishAt(store, instant(2), quotes, {
    records: [bond(early, 2), bond(late, 2), bill(2)],
  });
  await publishAt(store, instant(3), fundAllocation, {
    records: [fund('A', 'monthly'), fund('b', 'monthly')],
  });
  await publishAt(store, instant(4), quotes, { retiredKeys: [getKey(quotes, bill(1))] });
  await publishAt(store, instant(5), quotes, { records: [bill(1), bond(late, 1)] });
  await publishAt(store, instant(6), fundAllocation, {
    records: [fund('A', 'yearly'), fund('b', 'yearly')],
  });
}

const serializeCorrection = (
  revision: number,
  dataset: Dataset,
  old: object,
  replacement?: object,
) => {
  const [before, after] = [old, replacement].map(
    (record) => record && serializeRecord(dataset, { ...record }),
  );
  const change = after ? 'corrected' : 'retired';
  return `{"revision":${revision},"publishedAt":"${instant(revision)}","change":"${change}","old":${before},"new":${after ?? null}}`;
};
const QUOTE_CORRECTIONS = [
  serializeCorrection(5, quotes, bond(late, 2), bond(late, 1)),
  serializeCorrection(4, quotes, bill(2)),
  serializeCorrection(2, quotes, bond(late, 1), bond(late, 2)),
  serializeCorrection(2, quotes, bill(1), bill(2)),
  serializeCorrection(2, quotes, bond(early, 1), bond(early, 2)),
];

const TABLES = Object.keys(DECODERS) as TableName[];

interface Correction {
  readonly old: AnyRecord;
  readonly new: AnyRecord | null;
}

describe('/corrections/{dataset}', () => {
  const service = useTestServer(async () => {
    const store = await createStore();
    await publishSix(store);
    return store;
  });

  const body = async (target: string, headers?: Record<string, string>) =>
    (await service.request(`/corrections/${target}`, headers)).text();
  const envelope = (texts: readonly string[]) => `{"status":"ok","data":[${texts.join()}]}`;

  test('lists every correction and retirement, newest revision first, then by key', async () => {
    const response = await service.request('/corrections/quotes');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('private, no-cache');
    expect(response.headers.get('vary')).toContain('Accept-Datetime');
    expect(response.headers.get('tenor-revision')).toBe('6');
    expect(response.headers.has('memento-datetime')).toBe(false);
    expect(response.headers.get('link')).toBe(DESCRIBED_BY);
    expect(await response.text()).toBe(envelope(QUOTE_CORRECTIONS));
  });

  test.each([
    ['symbol=bond', [0, 2, 4]],
    ['symbol=zz7', [1, 3]],
    ['symbol=zz7,bond', [0, 1, 2, 3, 4]],
    ['symbol=nobody,ZZ7,bill,Bill', [1, 3]],
    [`symbol=BOND,bill&to=${early}&before=4`, [3, 4]],
    [`from=${late}`, [0, 2]],
    [`to=${early}`, [1, 3, 4]],
    [`from=${early}&to=${early}&symbol=Bond`, [4]],
    ['before=5', [1, 2, 3, 4]],
    ['before=3&limit=1', [2]],
    ['limit=2', [0, 1]],
  ])(
    'quotes?%s lists corrections %j, from the store and from the cache',
    async (query, expected) => {
      for (const _ of ['store', 'cache']) {
        const texts = expected.map((index) => QUOTE_CORRECTIONS[index] as string);
        expect(await body(`quotes?${query}`)).toBe(envelope(texts));
      }
    },
  );

  test('several symbols come in pages that fit together', async () => {
    const pages = await fetchPages(service.request, '/corrections/quotes?symbol=zz7,bond&limit=2');
    expect(pages.map((page) => page.length)).toEqual([2, 2, 1]);
    expect(pages.flat()).toEqual(QUOTE_CORRECTIONS.map((text) => JSON.parse(text)));
  });

  test('several symbols select records of reference data, ignoring letter case', async () => {
    const store = await createStore();
    const publish = (at: number, name: string) =>
      publishAt(store, instant(at), securities, {
        records: ['A', 'b', 'C'].map((symbol) => ({ ...securities.example, symbol, name })),
      });
    await publish(1, 'first');
    await publish(2, 'second');
    await using other = await startTestServer(store);
    const list = async (symbols: string) => {
      const { data } = await other.getJson(`/corrections/securities?symbol=${symbols}`);
      return data.map(({ old }: { old: { symbol: string } }) => old.symbol);
    };
    expect(await list('c,B')).toEqual(['b', 'C']);
    expect(await list('a')).toEqual(['A']);
    expect(await list('x,y')).toEqual([]);
  });

  test('fund_id selects one fund, ignoring letter case; without it every fund is listed', async () => {
    const [a, b] = ['A', 'b'].map((id) =>
      serializeCorrection(6, fundAllocation, fund(id, 'monthly'), fund(id, 'yearly')),
    ) as [string, string];
    expect(await body('fund-allocation')).toBe(envelope([a, b]));
    expect(await body('fund-allocation?fund_id=a')).toBe(envelope([a]));
    expect(await body('fund-allocation?fund_id=B')).toBe(envelope([b]));
    expect(await body('fund-allocation?fund_id=nobody')).toBe(envelope([]));
  });

  test('Accept-Datetime leaves out corrections that were published later', async () => {
    const asOf = (revision: number) => ({ 'accept-datetime': instant(revision) });
    const counts = [0, 0, 3, 3, 4, 5, 5];
    for (const revision of [1, 2, 3, 4, 5, 6]) {
      const response = await service.request('/corrections/quotes?limit=9', asOf(revision));
      expect(response.headers.get('tenor-revision')).toBe(String(revision));
      const memento = new Date(instant(revision)).toUTCString();
      expect(response.headers.get('memento-datetime')).toBe(memento);
      expect(response.headers.get('link')).toBe(
        `${DESCRIBED_BY}, </corrections/quotes?limit=9>; rel="original timegate"`,
      );
      const texts = QUOTE_CORRECTIONS.slice(QUOTE_CORRECTIONS.length - (counts[revision] ?? 0));
      expect(await response.text()).toBe(envelope(texts));
    }
    const before = await service.request('/corrections/quotes', {
      'accept-datetime': '2025-01-01T00:00:00Z',
    });
    expect(before.headers.get('tenor-revision')).toBe('0');
    expect(await before.text()).toBe(envelope([]));
  });

  test.each(TABLES)('in %s the old record is a row, and the new one the next', async (format) => {
    const { headers, bytes } = await fetchRaw(service, `/corrections/quotes?format=${format}`);
    const { contentType, extension } = RESPONSE_FORMATS[format];
    expect(headers.get('content-type')).toBe(contentType);
    expect(headers.get('content-disposition')).toContain(`"quotes-corrections.${extension}"`);
    const { names, rows } = await DECODERS[format](bytes);
    expect(names).toEqual([
      ...['revision', 'publishedAt', 'change', 'version'],
      ...Object.keys(quotes.fields),
    ]);
    const { data } = await service.getJson('/corrections/quotes');
    const expected = data.flatMap(({ old, new: later, ...correction }: Correction) =>
      [old, later].flatMap((record, index) =>
        record ? { ...correction, version: index === 0 ? 'old' : 'new', ...record } : [],
      ),
    );
    const toTexts = (values: readonly unknown[]) => values.map(String);
    expect(rows.map(toTexts)).toEqual(
      expected.map((row: AnyRecord) => toTexts(names.map((name) => row[name]))),
    );
    expect(rows).toHaveLength(9);
  });

  test('in NDJSON has a line for each correction, as in JSON, by format and by Accept', async () => {
    const byFormat = await service.request('/corrections/quotes?format=ndjson');
    const accept = RESPONSE_FORMATS.ndjson.mediaType;
    const byAccept = await service.request('/corrections/quotes', { accept });
    const lines = QUOTE_CORRECTIONS.map((line) => `${line}\n`).join('');
    for (const response of [byFormat, byAccept]) {
      expect(response.headers.get('vary')).toStartWith('Accept, ');
      expect(await response.text()).toBe(lines);
    }
    expect(byFormat.headers.get('etag')).toBe(byAccept.headers.get('etag'));
  });

  test('a fund has a row for each class and period, before and after', async () => {
    const target = '/corrections/fund-allocation?fund_id=A&format=csv';
    const { names, rows } = await DECODERS.csv((await fetchRaw(service, target)).bytes);
    const { periods, rows: classes } = fundAllocation.example;
    const versions = rows.map((cells) => cells[names.indexOf('version')]);
    const cells = periods.length * classes.length;
    expect(versions).toEqual([...Array(cells).fill('old'), ...Array(cells).fill('new')]);
    const frequencies = rows.map((row) => row[names.indexOf('frequency')]);
    expect(new Set(frequencies.slice(0, cells))).toEqual(new Set(['monthly']));
    expect(new Set(frequencies.slice(cells))).toEqual(new Set(['yearly']));
  });

  test.each([
    ['quotes?type=bond', 'type', 'symbol, from, to, before, limit, cursor, fields, as_of, format'],
    ['datasets?fund_id=A', 'fund_id', 'before, limit, cursor, fields, as_of, format'],
    ['fund-allocation?symbol=A', 'symbol', 'fund_id, before, limit, cursor, as_of, format'],
    ['payments-market-players?symbol=A', 'symbol', 'before, limit, cursor, fields, as_of, format'],
  ])('%s is rejected, because the dataset has no such parameter', async (target, name, allowed) => {
    const response = await service.request(`/corrections/${target}`);
    expect(response.status).toBe(400);
    expect(await errorMessage(response)).toBe(`unknown parameter "${name}"; allowed: ${allowed}`);
  });
  test.each([
    ...['a,', ',a', 'a,%20b', Array(51).fill('a').join()].map((symbols) => [
      `symbol=${symbols}`,
      'parameter "symbol" must be at most 50 symbols or ISINs, separated by commas, and without space around each',
    ]),
    [
      'from=2026-02-30',
      'parameter "from" must be a calendar day as YYYY-MM-DD, or 2026-04 or 2026 for its first day',
    ],
    ['from=2026-06-02&to=2026-06-01', 'parameter "from" must not be later than "to"'],
    [
      'before=0',
      'parameter "before" must be a whole number from 1 to 9007199254740991, in plain digits',
    ],
  ])('quotes?%s is rejected: %s', async (query, message) => {
    const authorized = `Authorization: Bearer ${TOKEN}`;
    const target = `/corrections/quotes?${query}`;
    const { status, body } = await getRaw(service.address, target, authorized);
    expect(status).toBe(400);
    expect(JSON.parse(body)).toEqual({ status: 'error', message });
  });
});
