import { describe, expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import {
  branchlessBankingAgents as agents,
  atmTransactionsAnnualVolume as atms,
} from '../../src/catalogue/datasets/series/index.ts';
import { createDeclaredDataset } from '../../src/catalogue/model/create-dataset.ts';
import type { Declaration } from '../../src/catalogue/model/declaration.ts';
import { isNumberField } from '../../src/catalogue/model/field.ts';
import { RESPONSE_FORMATS } from '../../src/catalogue/model/response-format.ts';
import { UNITS_CODES } from '../../src/catalogue/model/transform-parameters.ts';
import { declareIn, KIBOR, kibor } from '../support/declared-rates.ts';
import { fetchPages } from '../support/follow-links.ts';
import { encodeRow } from '../support/publish-at.ts';
import { quote } from '../support/quote-fixture.ts';
import { createStore, type TestStore } from '../support/store.ts';
import { errorMessage } from '../support/test-server.ts';
import { issueSecret, useTestServer } from '../support/use-test-server.ts';

const DAYS = ['2026-04-30', '2026-05-28', '2026-05-29', '2026-06-01', '2026-06-02'];
const MATURITIES = [
  '2027-06-01',
  '2028-06-01',
  '2029-06-01',
  '2030-06-01',
  '2031-06-01',
  '2032-06-01',
];

/** Six bonds whose yields rise by the day and with the time to maturity; the last day lacks A1. */
const QUOTES = DAYS.flatMap((date, day) =>
  MATURITIES.map((maturityDate, index) =>
    quote({
      date,
      maturityDate,
      symbol: `A${index}`,
      isin: `ZZ000000000${index}`,
      type: 'bond',
      maturityYears: index + 1,
      ytm: 10 + day + index / 10,
      volume: 100 * (day + 1),
    }),
  ).filter(({ symbol }) => day < 4 || symbol !== 'A1'),
);

/** Another symbol of the ISIN of A1, which a column by ISIN leaves out. */
const RENAMED = quote({
  date: '2026-05-29',
  symbol: 'B1',
  isin: 'ZZ0000000001',
  type: 'corporate' as const,
  volume: 7,
});

const RATES = ['2026-05-28', '2026-05-29', '2026-06-02'].flatMap((date, day) =>
  ['1M', '6M', 'a(b):%'].map((tenor) => ({ date, tenor, bid: 11.1 + day, offer: null })),
);

const AGENTS = ['Mar 2026', 'Apr 2026', 'May 2026'].map((period, month) => ({
  period,
  total: 1000 + month,
  provinces: [
    { key: 'punjab', value: 500 + month },
    { key: 'a "b"', value: 7 + month },
  ],
}));

const YEARS = ['FY24', 'FY25'].map((year, index) => ({
  ...atms.example,
  year,
  total: 1000 * (index + 1),
  atm_cash: 0.1 + index,
}));

async function fill(store: TestStore): Promise<void> {
  await store.publish(quotes, [...QUOTES, RENAMED]);
  await declareIn(store, KIBOR);
  await store.publish(kibor, RATES);
  const publisher = store.publisher();
  const rows = AGENTS.map((record, month) => encodeRow(agents, record, month === 2 ? 'P' : 'A'));
  await publisher.publish({ dataset: agents, source: 'a', author: 'a', rows: [rows] });
  publisher.close();
  await store.publish(atms, YEARS);
}

const COLUMNS = {
  bid: 'kibor.bid(tenor=6M)',
  ytm: 'quotes.ytm(symbol=A1)',
  curve: 'curve.yield(tenor=3Y)',
  punjab: 'branchless-banking-agents.provinces.punjab',
};
const aligned = (columns: readonly string[], query = '') =>
  `/aligned?columns=${columns.map(encodeURIComponent).join()}${query}`;

describe('an aligned table', () => {
  let ratesOnly: string;
  let quotesAndRates: string;
  const service = useTestServer(async () => {
    const store = await createStore();
    await fill(store);
    ratesOnly = await issueSecret(store, ['datasets']);
    quotesAndRates = await issueSecret(store, ['datasets', 'quotes']);
    return store;
  });
  const getRows = async (columns: readonly string[], query = '') => {
    const { data } = await service.getJson(aligned(columns, query));
    return (data as Record<string, unknown>[]).map((row) => Object.values(row));
  };
  const getError = async (columns: readonly string[], query = '') => {
    const response = await service.request(aligned(columns, query));
    expect(response.status).toBe(400);
    return errorMessage(response);
  };

  test('has a row for each day on which any column has a record, newest first', async () => {
    const { data } = await service.getJson(aligned([COLUMNS.bid, COLUMNS.ytm]));
    expect(data[0]).toEqual({ period: '2026-06-02', [COLUMNS.bid]: 13.1, [COLUMNS.ytm]: null });
    expect(await getRows([COLUMNS.bid, COLUMNS.ytm])).toEqual([
      ['2026-06-02', 13.1, null],
      ['2026-06-01', null, 13.1],
      ['2026-05-29', 12.1, 12.1],
      ['2026-05-28', 11.1, 11.1],
      ['2026-04-30', null, 10.1],
    ]);
  });

  test('has all rows up to the last day that there can be, whose week and fiscal year end later', async () => {
    for (const query of ['&frequency=week', '&frequency=year&year_start=7'])
      for (const column of [COLUMNS.ytm, COLUMNS.curve]) {
        const rows = await getRows([column], query);
        expect(rows.length).toBeGreaterThan(0);
        expect(await getRows([column], `${query}&to=9999-12-31`)).toEqual(rows);
      }
  });

  test('has the figures of the curve as the curve itself gives them', async () => {
    const rows = await getRows([COLUMNS.curve], '&limit=2');
    const dates = rows.map(([date]) => date);
    expect(dates).toEqual(['2026-06-02', '2026-06-01']);
    const { data } = await service.getJson(`/2.0/bnb/curve?date=${dates}&tenors=3Y`);
    const curves = data as { points: { yield: number }[] }[];
    expect(rows.map(([, figure]) => figure)).toEqual(
      curves.map(({ points: [point] }) => point?.yield),
    );
    expect(rows[0]?.[1]).toBeGreaterThan(14);
  });

  test('is of the coarsest periods by default: means of rates, sums of volumes, the last of the others', async () => {
    const columns = [
      ...[COLUMNS.bid, COLUMNS.ytm, 'quotes.volume(symbol=zz0000000001)', COLUMNS.curve],
      ...[COLUMNS.punjab, `${COLUMNS.punjab}:chg`],
    ];
    const rows = await getRows(columns);
    const [june, may, april, march] = rows;
    // A period after which a dataset has no record may still get some.
    expect(june).toEqual(['Jun 2026', null, null, null, null, null, null]);
    expect(may?.slice(0, 4)).toEqual(['May 2026', 11.6, 12.1, 500]);
    expect(may?.slice(5)).toEqual([502, 1]);
    expect(april?.slice(0, 4)).toEqual(['Apr 2026', null, 10.1, 100]);
    expect(march).toEqual(['Mar 2026', null, null, null, null, 500, null]);
    const days = await getRows([COLUMNS.curve], '&from=2026-05-29&to=2026-05-29');
    expect(may?.[4]).toBe(days[0]?.[1]);
  });

  test('has the labels and figures of years as they are published', async () => {
    const columns = ['total', 'total:pc1', 'atm_cash', 'atm_cash:chg'];
    const rows = await getRows(columns.map((column) => `${atms.name}.${column}`));
    expect(rows).toEqual([
      ['FY25', 2000, 100, 1.1, 1],
      ['FY24', 1000, null, 0.1, null],
    ]);
    expect(await getRows([`${atms.name}.total`], '&from=FY25')).toEqual([['FY25', 2000]]);
    expect(await getRows([`${atms.name}.total`, COLUMNS.ytm], '&to=2024')).toEqual([
      ['FY24', 1000, null],
    ]);
  });

  test('has the figures that each dataset gives of the same periods and units', async () => {
    for (const query of ['', '&frequency=week', '&frequency=month', '&frequency=quarter'])
      for (const units of UNITS_CODES) {
        const target = `/datasets/kibor?tenor=6M&units=${units}${query}`;
        const { data } = await service.getJson(target);
        const rows = await getRows([`${COLUMNS.bid}:${units}`], query);
        expect(rows).toEqual(data.map(({ date, bid }: never) => [date, bid]));
      }
    const { data } = await service.getJson('/2.0/bnb/quote?symbol=A1&from=2000-01-01');
    expect(await getRows(['quotes.volume(symbol=a1)', COLUMNS.ytm])).toEqual(
      data.map(({ date, volume, ytm }: never) => [date, volume, ytm]),
    );
  });

  test('tells the units of its columns, in a header and in files', async () => {
    const columns = [`${COLUMNS.bid}:chg`, COLUMNS.punjab, `${COLUMNS.ytm}:pc1`];
    const response = await service.request(aligned(columns));
    expect(response.headers.get('tenor-units')).toBe('"percentage points", "agents", "percent"');
  });

  test('takes forty columns of many series', async () => {
    const columns = Object.entries(quotes.fields)
      .filter(([, field]) => isNumberField(field))
      .flatMap(([name]) => [0, 1, 2, 3].map((index) => `quotes.${name}(symbol=A${index})`));
    for (const tenor of ['1M', '6M'])
      columns.push(`kibor.bid(tenor=${tenor})`, `kibor.bid(tenor=${tenor}):chg`);
    expect(columns).toHaveLength(40);
    const [, newest] = await getRows(columns, '&to=2026-06-01');
    expect(newest).toHaveLength(41);
    expect(newest?.slice(-4)).toEqual([12.1, 1, 12.1, 1]);
    expect(await getError([...columns, COLUMNS.curve])).toContain('these are 41');
  });

  test('has the status of each figure if it is asked for', async () => {
    const { data } = await service.getJson(
      aligned([COLUMNS.punjab, COLUMNS.ytm], '&status=true&limit=3&to=May 2026'),
    );
    expect(Object.keys(data[0])).toEqual([
      ...['period', COLUMNS.punjab, `${COLUMNS.punjab}.status`],
      ...[COLUMNS.ytm, `${COLUMNS.ytm}.status`],
    ]);
    const statuses = data.map((row: never) => row[`${COLUMNS.punjab}.status`]);
    expect(statuses).toEqual(['P', 'A', 'A']);
    expect(data[0][`${COLUMNS.ytm}.status`]).toBeNull();
    const quarters = aligned([COLUMNS.punjab], '&status=true&frequency=quarter');
    expect((await service.getJson(quarters)).data).toEqual([
      { period: 'Q2 2026', [COLUMNS.punjab]: null, [`${COLUMNS.punjab}.status`]: 'P' },
      { period: 'Q1 2026', [COLUMNS.punjab]: null, [`${COLUMNS.punjab}.status`]: 'A' },
    ]);
  });

  test.each([
    ['&from=2026-05-29', 2],
    ['&to=2026-05-28', 2],
    ['&from=2026-05&to=2026-05', 2],
    ['&from=2026&to=2026', 4],
    ['&to=2026-04', 1],
    ['&to=2025', 0],
    ['&frequency=month&from=2026-05', 2],
    ['&frequency=month&from=2026-05-29&to=2026-W22', 1],
    ['&frequency=quarter&to=Apr 2026', 1],
    ['&frequency=year&year_start=7&from=FY2026', 1],
  ])('takes periods of its own, finer ones and days: %s', async (query, count) => {
    expect(await getRows([COLUMNS.ytm], query)).toHaveLength(count);
  });

  test.each([
    [[COLUMNS.bid, `${COLUMNS.ytm}:chg`, COLUMNS.curve], ''],
    [[COLUMNS.ytm], ''],
    // Neither has more than one record.
    [[COLUMNS.bid, COLUMNS.ytm], '&from=2026-06-01'],
  ])('gives the same rows in pages as at once: %p%s', async (columns, query) => {
    const { data } = await service.getJson(aligned(columns, query));
    const ask = (target: string) => service.request(target);
    for (const limit of [1, 2, 4]) {
      const pages = await fetchPages(ask, aligned(columns, `${query}&limit=${limit}`));
      expect(pages.flat()).toEqual(data);
      expect(pages.every((page) => page.length <= limit)).toBeTrue();
      expect(pages).toHaveLength(Math.ceil(data.length / limit));
    }
  });

  test('takes a share with as many decimals as a computed number has', async () => {
    const share = `&frequency=month&min_share=${String(2 / 3)}`;
    expect(await getRows([COLUMNS.ytm], share)).toEqual(
      await getRows([COLUMNS.ytm], '&frequency=month&min_share=0.666667'),
    );
  });

  test('compares a security with the day before on which any was quoted', async () => {
    const changes = await getRows([`${COLUMNS.ytm}:chg`]);
    expect(changes.map(([, change]) => change)).toEqual([1, 1, 1, null]);
  });

  test('is of the revision that as_of names, and never immutable', async () => {
    expect(await getError([COLUMNS.bid], '&as_of=1')).toContain('no dataset is called kibor');
    expect(await getError([COLUMNS.bid], '&as_of=2')).toContain(
      `"${COLUMNS.bid}": no record of kibor has 6M`,
    );
    const response = await service.request(aligned([COLUMNS.ytm], '&as_of=1'));
    expect(response.headers.get('tenor-revision')).toBe('1');
    expect(response.headers.get('cache-control')).not.toContain('immutable');
  });

  test('needs the scope of every column, also of a table that another token has asked for before', async () => {
    const ask = async (secret: string, columns: string[]) =>
      (await service.request(aligned(columns), { authorization: `Bearer ${secret}` })).status;
    const mixed = [COLUMNS.bid, `${COLUMNS.ytm}:log`];
    expect(await ask(quotesAndRates, mixed)).toBe(200);
    expect(await ask(ratesOnly, mixed)).toBe(403);
    expect(await ask(ratesOnly, [COLUMNS.bid])).toBe(200);
    expect(await ask(ratesOnly, [COLUMNS.curve])).toBe(403);
    expect(await ask(ratesOnly, [`${COLUMNS.curve}:nothing`])).toBe(403);
    expect(await ask(quotesAndRates, [COLUMNS.punjab])).toBe(403);
  });

  test.each([
    [['quotes.ytm(symbol=NONE)'], '', '"quotes.ytm(symbol=NONE)": no record of quotes has NONE'],
    [[`${COLUMNS.punjab}x`], '', 'no record of branchless-banking-agents has provinces.punjabx'],
    [[COLUMNS.bid, 'kibor.bid(tenor=9M)'], '', 'no record of kibor has 9M'],
    [
      [COLUMNS.punjab],
      '&frequency=week',
      'a figure for each month, so that frequency cannot be week',
    ],
    [[COLUMNS.bid], '&from=2026-13', 'parameter "from" must be a day such as 2024-01-31, 2024 or'],
    [
      ['kibor.mid(tenor=6M)'],
      '',
      'parameter "columns" cannot be used: "kibor.mid(tenor=6M)": the m',
    ],
    [[COLUMNS.bid], '&from=2026-06-02&to=2026-06-01', 'must not be later than "to"'],
    [[COLUMNS.bid], '&year_start=7', 'only with "frequency" as quarter or year'],
  ])('rejects %p%s', async (columns, query, message) => {
    expect(await getError(columns, query)).toContain(message);
  });

  test('rejects years that begin in different months until year_start says in which', async () => {
    const quarters = {
      name: 'fiscal',
      title: 'Fiscal',
      measures: [{ ...KIBOR.measures[0] }],
      period: { kind: 'quarter', field: 'quarter', yearStart: 7 },
    } as Declaration;
    await declareIn(service.store, quarters);
    const fiscal = createDeclaredDataset(quarters);
    const records = ['Q3', 'Q4'].map((quarter, bid) => ({ quarter: `${quarter} FY2026`, bid }));
    const seen = await service.store.publish(fiscal, records);
    await service.request('/revisions', { 'tenor-revision': String(seen?.revision) });
    const columns = ['fiscal.bid', `${atms.name}.total`];
    expect(await getError(columns)).toContain(
      'the years of "fiscal.bid" begin in month 7, those of "atm-',
    );
    expect(await getRows(['fiscal.bid', COLUMNS.ytm], '&frequency=quarter&limit=2')).toEqual([
      ['Q4 FY2026', 1, null],
      ['Q3 FY2026', 0, null],
    ]);
    expect(await getError(columns, '&year_start=7')).toContain('month 7');
  });

  test('has columns of values with parentheses and colons, which are encoded twice', async () => {
    const column = `kibor.bid(tenor=${encodeURIComponent('a(b):%').replace(/[()]/g, (each) => `%${each.charCodeAt(0).toString(16)}`)})`;
    expect(await getRows([column], '&limit=1')).toEqual([['2026-06-02', 13.1]]);
  });

  test('has the member of a list whose key has quotes', async () => {
    const [latest] = await getRows(['branchless-banking-agents.provinces.a "b"']);
    expect(latest).toEqual(['May 2026', 9]);
  });

  test('has another tag once titles of its columns are declared anew, and measures that were added', async () => {
    const target = aligned([COLUMNS.bid], '&format=xlsx');
    const getTags = async (seen = '0') => {
      const { headers } = await service.request(target, { 'tenor-revision': seen });
      return [headers.get('etag'), headers.get('tenor-revision')];
    };
    const before = await getTags();
    const mid = { field: 'mid', title: 'Mid', unit: 'percent', kind: 'rate' } as const;
    const { measures } = KIBOR;
    const declaration = { ...KIBOR, title: 'Interbank rates', measures: [...measures, mid] };
    await declareIn(service.store, declaration);
    const after = await getTags(String(Number(before[1]) + 1));
    for (const [index, tag] of before.entries()) expect(after[index]).not.toBe(tag);
    const column = 'kibor.mid(tenor=6M)';
    expect(await getRows([column, COLUMNS.bid], '&limit=1&status=true')).toEqual([
      ['2026-06-02', null, 'A', 13.1, 'A'],
    ]);
    expect(await getError([column], `&as_of=${before[1]}`)).toContain('are bid, offer');
  });

  test.each(Object.keys(RESPONSE_FORMATS))('comes as %s', async (format) => {
    const target = aligned([COLUMNS.bid, COLUMNS.punjab], `&format=${format}&status=true`);
    const response = await service.request(target);
    expect(response.status).toBe(200);
    const bytes = Buffer.from(await response.arrayBuffer());
    if (format === 'csv')
      expect(
        bytes
          .toString()
          .split('\n')
          .slice(0, 2)
          .map((line) => line.trim()),
      ).toEqual([
        `period,${COLUMNS.bid},${COLUMNS.bid}.status,${COLUMNS.punjab},${COLUMNS.punjab}.status`,
        'Jun 2026,,A,,',
      ]);
    if (format === 'arrow' || format === 'parquet') expect(bytes.includes(COLUMNS.bid)).toBeTrue();
    expect(bytes.length).toBeGreaterThan(50);
  });
});
