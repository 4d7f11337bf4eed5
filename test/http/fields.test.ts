import { describe, expect, test } from 'bun:test';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { quotes, TABLE_FIGURES } from '../../src/catalogue/datasets/quotes.ts';
import { mobileMoneyMarketShareValue } from '../../src/catalogue/datasets/series/mobile-money-market-share-value.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { AnyRecord } from '../../src/catalogue/model/dataset.ts';
import { listOperations } from '../../src/openapi/document.ts';
import { MARKET_DATE, writeCurveMarket } from '../support/curve-market.ts';
import { readFixture } from '../support/fixtures.ts';
import { createLoadWorkspace } from '../support/load-workspace.ts';
import { buildCorrection } from '../support/publish-at.ts';
import { errorMessage } from '../support/test-server.ts';
import { useTestServer } from '../support/use-test-server.ts';
import { DECODERS, type TableName } from '../tabular/decode-formats.ts';

const service = useTestServer(async () => {
  const workspace = await createLoadWorkspace();
  for (const dataset of catalogue)
    if (dataset !== quotes) await workspace.store.publish(dataset, readFixture(dataset));
  workspace.writeFile('market.csv', writeCurveMarket());
  await workspace.load(quotes, 'market.csv');
  const [share = {}] = readFixture(mobileMoneyMarketShareValue);
  const corrected = buildCorrection(mobileMoneyMarketShareValue, share);
  await workspace.store.publish(mobileMoneyMarketShareValue, [corrected]);
  return workspace.store;
});

const CURVE = '/2.0/bnb/curve?tenors=1Y,5Y&';
const CHANGES = '/changes/quotes?since=0&limit=3&';

const CORRECTIONS = '/corrections/mobile-money-market-share-value?';
/** The columns that come before or after those of a record, and are no fields of it. */
const CHANGE_COLUMNS = [
  ...['revision', 'publishedAt', 'change', 'version'],
  ...['since', 'published', 'until', 'withdrawn'],
];

/** A target of each operation with fields, and fields that are not in the order of its records. */
const TABLES: readonly (readonly [target: string, fields: readonly string[]])[] = [
  ['/2.0/bnb/quote?', ['ytm', 'date', 'symbol']],
  ['/2.0/bnb/securities?', ['name', 'couponRate', 'symbol', 'firstDate']],
  ['/3.0/funds?', ['lastPeriod', 'name', 'fund_id']],
  ['/2.0/bnb/analytics?symbol=BOND0,BOND1&', ['accrued', 'dirtyPrice', 'date']],
  ['/2.0/bnb/cashflows?symbol=BOND0&', ['amount', 'date']],
  ['/2.0/bnb/price?symbol=BOND0,BOND1&yield=9&', ['dirtyPrice', 'symbol']],
  ['/2.0/bnb/portfolio?positions=BOND0:100&shift=10&', ['dv01', 'symbol']],
  [CURVE, ['zero', 'date', 'tenor']],
  [CHANGES, ['ytm', 'symbol']],
  ['/changes/mobile-money-market-share-value?since=0&', ['operators', 'period']],
  ['/changes/funds?since=0&', ['name']],
  [CORRECTIONS, ['operators', 'period']],
  ['/vintages/quotes?limit=3&', ['ytm', 'symbol']],
  ['/vintages/mobile-money-market-share-value?', ['status', 'operators']],
  ['/vintages/holidays?calendar=ZED&', ['name', 'date']],
  ['/vintages/coupon-rates?symbol=ACMETFC1&', ['rate', 'from']],
  ['/catalogue?', ['coverage', 'fields', 'name', 'title']],
];

test('every operation with fields is tested, and no series takes them', () => {
  const declared = [...catalogue, ...listOperations(catalogue)].filter(
    ({ parameters }) => 'fields' in parameters,
  );
  const names = [
    ...[
      'analytics',
      'cashflows',
      'catalogue',
      'changes',
      'corrections',
      'coupon-rates',
      'curve',
      'datasets',
      'funds',
      'holidays',
    ],
    ...['portfolio', 'price', 'quotes', 'securities', 'vintages'],
  ];
  expect([...new Set(declared.map(({ name }) => name))].sort()).toEqual(names);
});

const getText = async (target: string) => (await service.request(target)).text();

async function getTable(target: string, format: TableName) {
  const response = await service.request(`${target}&format=${format}`);
  return DECODERS[format](new Uint8Array(await response.arrayBuffer()));
}

const nameTop = (column: string) => column.split('.')[0] ?? '';

/** Of the other formats, each table has one. */
const OTHERS = ['arrow', 'parquet', 'xlsx'] as const;
const tables = TABLES.map(
  ([target, fields], index) => [target, fields, OTHERS[index % OTHERS.length] ?? 'csv'] as const,
);

describe.each(tables)('%s', (target, fields, other) => {
  test.each(['csv', other] as const)(
    'has only the columns of its fields in %s, in the order of all columns',
    async (format) => {
      const all = await getTable(target, format);
      const selected = await getTable(`${target}fields=${fields}`, format);
      const isSelected = (name: string) =>
        CHANGE_COLUMNS.includes(name) || fields.includes(nameTop(name));
      const indexes = all.names.flatMap((name, index) => (isSelected(name) ? [index] : []));
      expect(indexes.length).toBeGreaterThanOrEqual(fields.length);
      expect(selected).toEqual({
        names: indexes.map((index) => all.names[index] ?? ''),
        rows: all.rows.map((cells) => indexes.map((index) => cells[index] ?? null)),
      });
      expect(all.rows.length).toBeGreaterThan(1);
    },
  );

  test('takes every column that it has', async () => {
    const { names } = await getTable(target, 'arrow');
    const own = new Set(names.filter((name) => !CHANGE_COLUMNS.includes(name)).map(nameTop));
    expect(await getTable(`${target}fields=${[...own]}`, 'arrow')).toEqual(
      await getTable(target, 'arrow'),
    );
  });

  test('names a field that it does not have, and those that it has', async () => {
    const response = await service.request(`${target}format=csv&fields=${fields[0]},price`);
    const { names } = await getTable(target, 'csv');
    const own = new Set(names.filter((name) => !CHANGE_COLUMNS.includes(name)).map(nameTop));
    const all = [...own, ...(target.includes('/quote?') ? Object.keys(TABLE_FIGURES) : [])];
    expect([response.status, await errorMessage(response)]).toEqual([
      400,
      `parameter "fields" must be names separated by commas, each once, of ${all.join(', ')}; "price" is not one of them`,
    ]);
  });

  test.each([
    ['fields=', 'parameter "fields" is empty; it must be names'],
    ['format=csv&fields=FIRST,FIRST', 'one comes twice'],
    ['format=csv&fields=FIRST,', 'names separated by commas'],
    ['format=csv&fields=FIRST,%20FIRST', 'names separated by commas'],
    ['format=csv&fields=FIRST&fields=FIRST', 'parameter "fields" is given more than once'],
    ['fields=FIRST', 'parameter "fields" cannot be used with JSON, which has all fields'],
    ['format=json&fields=FIRST', 'give "format" as one of csv, ndjson, arrow, parquet, xlsx'],
  ])('rejects %s', async (query, message) => {
    const text = query.replaceAll('FIRST', fields[0] ?? '');
    const response = await service.request(`${target}${text}`);
    expect(response.status).toBe(400);
    expect(await errorMessage(response)).toContain(message);
  });
});

describe('in NDJSON', () => {
  const parseLines = (text: string) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as AnyRecord);

  test('a line has only the fields', async () => {
    const all = parseLines(await getText('/3.0/funds?format=ndjson'));
    const expected = all.map(({ fund_id, lastPeriod }) => ({ fund_id, lastPeriod }));
    expect(await getText('/3.0/funds?format=ndjson&fields=lastPeriod,fund_id')).toBe(
      expected.map((record) => `${JSON.stringify(record)}\n`).join(''),
    );
  });

  test('the points of a curve have the fields that are theirs', async () => {
    const [all = {}] = parseLines(await getText(`${CURVE}format=ndjson`));
    const points = (all.points as AnyRecord[]).map(({ tenor, zero }) => ({ tenor, zero }));
    const [curve] = parseLines(await getText(`${CURVE}format=ndjson&fields=zero,date,tenor`));
    expect(curve).toEqual({ date: MARKET_DATE, points });
    expect(await getText(`${CURVE}format=ndjson&fields=used,date`)).toBe(
      `{"date":"${MARKET_DATE}","used":${all.used}}\n`,
    );
  });

  test('a change has its record with only the fields', async () => {
    const all = parseLines(await getText(`${CHANGES}format=ndjson`)) as { record: AnyRecord }[];
    expect(parseLines(await getText(`${CHANGES}format=ndjson&fields=ytm,symbol`))).toEqual(
      all.map(({ record: { symbol, ytm }, ...change }) => ({ ...change, record: { symbol, ytm } })),
    );
  });
});

test('a correction in NDJSON has both records with only the fields', async () => {
  const text = await getText(`${CORRECTIONS}format=ndjson&fields=period`);
  const { old, new: later, change } = JSON.parse(text);
  expect([change, Object.keys(old), Object.keys(later)]).toEqual([
    'corrected',
    ['period'],
    ['period'],
  ]);
});

test('fields have an ETag of their own, and stay on the next page', async () => {
  const read = (fields: string) =>
    service.request(`/2.0/bnb/securities?limit=2&format=csv&fields=${fields}`);
  const [symbols, names] = [await read('symbol'), await read('name')];
  expect(symbols.headers.get('etag')).not.toBe(names.headers.get('etag'));
  const next = /<([^>]*)>; rel="next"/.exec(symbols.headers.get('link') ?? '')?.[1] ?? '';
  expect(await getText(next)).toMatch(/^symbol\r\n\w+\r\n\w+\r\n$/);
  // A cursor is for records, whatever their fields.
  expect(await getText(next.replace('fields=symbol', 'fields=name'))).toStartWith('name\r\n');
});

test('a table whose columns are no fields of its records takes none', async () => {
  const [fund] = readFixture(fundAllocation) as [{ fund_id: string }];
  for (const target of [
    `${fundAllocation.paths[0]}?fund_id=${fund.fund_id}&format=csv`,
    '/3.0/alternate/payments-market-players?format=csv',
    '/changes/fund-allocation?since=0&format=csv',
    '/exports/quotes.csv?as_of=1',
  ]) {
    const response = await service.request(`${target}&fields=date`);
    expect(response.status).toBe(400);
    expect(await errorMessage(response)).toStartWith('unknown parameter "fields"; allowed: ');
  }
});

test('a text that is no name is in no message', async () => {
  const secret = 'tenor_0123456789abcdef0123456789abcdef';
  const response = await service.request(`/2.0/bnb/quote?format=csv&fields=${secret}`);
  expect(await errorMessage(response)).not.toContain(secret);
});
