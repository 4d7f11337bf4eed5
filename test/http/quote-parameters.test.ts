import { describe, expect, test } from 'bun:test';
import { type Quote, quotes, TABLE_FIGURES } from '../../src/catalogue/datasets/quotes.ts';
import { RESPONSE_FORMATS } from '../../src/catalogue/model/response-format.ts';
import { fetchPages } from '../support/follow-links.ts';
import { generateQuotes } from '../support/generate-quotes.ts';
import { publishAt } from '../support/publish-at.ts';
import { quote } from '../support/quote-fixture.ts';
import { createStore } from '../support/store.ts';
import { errorMessage } from '../support/test-server.ts';
import { useTestServer } from '../support/use-test-server.ts';
import { DECODERS } from '../tabular/decode-formats.ts';

const QUOTES = quotes.paths[0];
const RANGE = 'from=2026-06-01&to=2026-06-03';
const DAYS = ['2026-06-01', '2026-06-02', '2026-06-03'];

describe('several symbols', () => {
  const service = useTestServer(async () => {
    const store = await createStore();
    const records = [
      ...generateQuotes(DAYS, 5),
      // Quoted last on an earlier day; the last two share an ISIN.
      quote({ date: '2026-06-02', symbol: 'OLD', isin: 'ZZ0000000017' }),
      quote({ date: '2026-06-01', symbol: 'TWIN1', isin: 'ZZ0000000025' }),
      quote({ date: '2026-06-01', symbol: 'TWIN2', isin: 'ZZ0000000025' }),
    ];
    await publishAt(store, '2026-07-01T00:00:00Z', quotes, { records });
    const corrected = records.map((record) => ({ ...record, volume: 7 }));
    await publishAt(store, '2026-07-02T00:00:00Z', quotes, { records: corrected });
    return store;
  });
  const read = async (query: string): Promise<Quote[]> => {
    const { data } = await service.getJson(`${QUOTES}?${query}`);
    return data as Quote[];
  };
  const formatKeys = (records: readonly Quote[]) =>
    records.map(({ date, symbol }) => `${date} ${symbol}`);

  test('without a date gives the newest quote of each, in the order of the dataset', async () => {
    expect(formatKeys(await read('symbol=TWIN1,old,S03,S00'))).toEqual([
      '2026-06-03 S00',
      '2026-06-03 S03',
      '2026-06-02 OLD',
      '2026-06-01 TWIN1',
    ]);
  });

  test('takes ISINs, gives each record once, and nothing for an unknown symbol', async () => {
    const expected = ['2026-06-02 OLD', '2026-06-01 TWIN1', '2026-06-01 TWIN2'];
    for (const symbols of [
      'ZZ0000000017,ZZ0000000025',
      'ZZ0000000025,TWIN2,OLD,nobody,TWIN1,old,ZZ0000000017,ZZ0000000009',
    ])
      expect(formatKeys(await read(`symbol=${symbols}`))).toEqual(expected);
    expect(await read('symbol=nobody,noone')).toEqual([]);
    expect(formatKeys(await read('symbol=OLD,old'))).toEqual(expected.slice(0, 1));
  });

  test('equals the union of what each gives alone', async () => {
    const symbols = ['S00', 's02', 'OLD', 'ZZ0000000025', 'TWIN1', 'nobody'];
    for (const filter of [
      '',
      '&date=2026-06-02',
      `&${RANGE}`,
      '&type=tbill',
      `&${RANGE}&type=tbill`,
      '&as_of=1',
    ]) {
      const singles: Quote[] = [];
      for (const symbol of symbols) singles.push(...(await read(`symbol=${symbol}${filter}`)));
      const several = await read(`symbol=${symbols}${filter}`);
      expect(several.length).toBeGreaterThan(0);
      expect(new Set(formatKeys(several))).toEqual(new Set(formatKeys(singles)));
      expect(new Set(formatKeys(several)).size).toBe(several.length);
    }
  });

  test('of a range of one day equals that of the day', async () => {
    const day = '2026-06-02';
    const ofDay = await read(`date=${day}`);
    expect(ofDay.length).toBeGreaterThan(0);
    expect(await read(`from=${day}&to=${day}`)).toEqual(ofDay);
  });

  test('pages and counts each record once', async () => {
    for (const filter of ['', `&${RANGE}`, `&${RANGE}&sort=asc`, `&${RANGE}&as_of=1`]) {
      const target = `${QUOTES}?symbol=ZZ0000000025,TWIN1,S01,OLD,S04,ZZ0000000017${filter}`;
      const complete = await service.request(target, { prefer: 'count=exact' });
      const { data } = (await complete.json()) as { data: Quote[] };
      expect(complete.headers.get('tenor-total-count')).toBe(String(data.length));
      for (const limit of [1, 2, 3]) {
        const pages = await fetchPages(service.request, `${target}&limit=${limit}`);
        expect(pages.flat()).toEqual(data);
        expect(pages).toHaveLength(Math.ceil(data.length / limit));
      }
    }
  });

  test('are at most 50, none of them empty', async () => {
    const symbols = Array.from({ length: 51 }, (_, index) => `X${index}`);
    expect((await service.request(`${QUOTES}?symbol=${symbols.slice(1)}`)).status).toBe(200);
    const allNames = [...symbols.slice(2), 'S00'];
    expect(formatKeys(await read(`symbol=${allNames}`))).toEqual(['2026-06-03 S00']);
    for (const text of [symbols.join(), 'S00,', ',S00', 'S00,,S01', ',', 'S00, S01', 'S00 ,S01']) {
      const response = await service.request(`${QUOTES}?symbol=${text}`);
      expect([text, response.status]).toEqual([text, 400]);
      expect(await errorMessage(response)).toBe(
        'parameter "symbol" must be at most 50 symbols or ISINs, separated by commas, and without space around each',
      );
    }
  });

  test('sort=asc is the reverse of a range', async () => {
    for (const filter of ['', '&symbol=S02', '&symbol=S02,OLD,TWIN1', '&type=tbill', '&as_of=1']) {
      const newestFirst = await read(`${RANGE}${filter}`);
      expect(await read(`${RANGE}${filter}&sort=desc`)).toEqual(newestFirst);
      expect(newestFirst.length).toBeGreaterThan(1);
      expect(await read(`${RANGE}${filter}&sort=asc`)).toEqual(newestFirst.toReversed());
      const pages = await fetchPages(
        service.request,
        `${QUOTES}?${RANGE}${filter}&sort=asc&limit=2`,
      );
      expect(pages.flat()).toEqual(newestFirst.toReversed());
    }
  });

  test.each([
    [
      'sort=asc',
      'parameter "sort" can be "asc" only with "from" or "to"; give one of them, or leave it out',
    ],
    [
      'sort=asc&symbol=S00',
      'parameter "sort" can be "asc" only with "from" or "to"; give one of them, or leave it out',
    ],
    [
      'sort=asc&date=2026-06-01',
      'parameter "sort" can be "asc" only with "from" or "to"; give one of them, or leave it out',
    ],
    [`sort=up&${RANGE}`, 'parameter "sort" must be one of desc, asc'],
    [
      'fields=date',
      'parameter "fields" cannot be used with JSON, which has all fields; give "format" as one of csv, ndjson, arrow, parquet, xlsx',
    ],
    [
      'fields=date&format=json',
      'parameter "fields" cannot be used with JSON, which has all fields; give "format" as one of csv, ndjson, arrow, parquet, xlsx',
    ],
    ...[
      ['date,', ''],
      ['Date', '; "Date" is not one of them'],
      ['date,date', '; one comes twice'],
      ['date,price', '; "price" is not one of them'],
      ['date, symbol', ''],
    ].map(([fields, problem]) => [
      `format=csv&fields=${fields}`,
      `parameter "fields" must be names separated by commas, each once, of ${Object.keys({ ...quotes.fields, ...TABLE_FIGURES }).join(', ')}${problem}`,
    ]),
  ])('%s is rejected', async (query, message) => {
    const response = await service.request(`${QUOTES}?${query}`);
    expect([response.status, await errorMessage(response)]).toEqual([400, message]);
  });

  test('fields are the columns of every flat format, in the order of records', async () => {
    const target = `${QUOTES}?symbol=S00,S01&fields=ytm,date,symbol`;
    const expected = (await read('symbol=S00,S01')).map(({ date, symbol, ytm }) => ({
      date,
      symbol,
      ytm,
    }));
    expect(await (await service.request(`${target}&format=csv`)).text()).toBe(
      `date,symbol,ytm\r\n${expected.map((record) => `${Object.values(record).join()}\r\n`).join('')}`,
    );
    const ndjson = await service.request(target, { accept: RESPONSE_FORMATS.ndjson.mediaType });
    expect(await ndjson.text()).toBe(
      expected.map((record) => `${JSON.stringify(record)}\n`).join(''),
    );
    for (const format of ['arrow', 'parquet', 'xlsx'] as const) {
      const response = await service.request(`${target}&format=${format}`);
      const { names } = await DECODERS[format](new Uint8Array(await response.arrayBuffer()));
      expect([format, names]).toEqual([format, ['date', 'symbol', 'ytm']]);
    }
  });

  test('fields have tags of their own, and stay on the next page', async () => {
    const target = `${QUOTES}?limit=2&format=csv&fields=`;
    const readTag = async (fields: string) =>
      (await service.request(target + fields)).headers.get('etag');
    expect(await readTag('date')).not.toBe(await readTag('symbol'));
    const { headers } = await service.request(`${target}symbol`);
    const next = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? '';
    expect(await (await service.request(next)).text()).toBe('symbol\r\nS02\r\nS03\r\n');
  });
});
