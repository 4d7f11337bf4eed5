import { describe, expect, test } from 'bun:test';
import { tableFromIPC } from '@uwdata/flechette';
import { parquetMetadata, parquetSchema } from 'hyparquet';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { funds as fundNames } from '../../src/catalogue/datasets/funds.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { securities } from '../../src/catalogue/datasets/securities.ts';
import type { AnyRecord } from '../../src/catalogue/model/dataset.ts';
import type { Operation } from '../../src/catalogue/model/operation.ts';
import { RESPONSE_FORMATS } from '../../src/catalogue/model/response-format.ts';
import { fundsOperation } from '../../src/operations/funds/funds-operation.ts';
import { securitiesOperation } from '../../src/operations/securities/securities-operation.ts';
import { fetchRaw } from '../support/fetch-raw.ts';
import { readFixture } from '../support/fixtures.ts';
import { DESCRIBED_BY } from '../support/follow-links.ts';
import { generateQuotes } from '../support/generate-quotes.ts';
import { publishAt } from '../support/publish-at.ts';
import { quote } from '../support/quote-fixture.ts';
import { createStore } from '../support/store.ts';
import { errorMessage, startTestServer } from '../support/test-server.ts';
import { useTestServer } from '../support/use-test-server.ts';
import { DECODERS, type Decoded, type TableName } from '../tabular/decode-formats.ts';

const TABLES = Object.keys(DECODERS) as TableName[];
const FORMATS = ['ndjson', ...TABLES] as const;
const lists: readonly (readonly [string, Operation])[] = [
  [securitiesOperation.path, securitiesOperation],
  [fundsOperation.path, fundsOperation],
];
const columns: Readonly<Record<string, readonly string[]>> = {
  [securitiesOperation.path]: [
    ...['symbol', 'isin', 'type', 'maturityDate', 'firstDate', 'lastDate', 'name', 'issuer'],
    ...['issueDate', 'couponRate', 'couponFrequency', 'pricing', 'floating'],
    ...['dayCount', 'exDividendDays', 'settlementDays', 'calendar'],
    ...['firstCouponDate', 'lastCouponDate', 'endOfMonth'],
    ...['lastPeriodYield', 'firstPeriodYield', 'accrual'],
  ],
  [fundsOperation.path]: [
    'fund_id',
    'frequency',
    'firstPeriod.label',
    'firstPeriod.date',
    'lastPeriod.label',
    'lastPeriod.date',
    'name',
    'category',
    'manager',
  ],
};
const dayColumns = [
  ...['maturityDate', 'firstDate', 'lastDate', 'firstPeriod.date', 'lastPeriod.date', 'issueDate'],
  ...['firstCouponDate', 'lastCouponDate'],
];
/** The types of other columns that are no text: in Arrow, and in Parquet. */
const OTHER_TYPES: Readonly<Record<string, readonly [typeId: number, type: string]>> = {
  couponRate: [3, 'DOUBLE'],
  couponFrequency: [2, 'INT64'],
  floating: [6, 'BOOLEAN'],
  endOfMonth: [6, 'BOOLEAN'],
  exDividendDays: [2, 'INT64'],
  settlementDays: [2, 'INT64'],
};

const accepting = (format: keyof typeof RESPONSE_FORMATS) => ({
  accept: RESPONSE_FORMATS[format].mediaType,
});

/** CSV has numbers as text, and CSV and spreadsheets booleans. */
function toValue(name: string, text: string): unknown {
  if (name === 'floating' || name === 'endOfMonth') return /^true$/i.test(text);
  return name in OTHER_TYPES ? Number(text) : text;
}

/** The records that a table tells of, by its columns' names alone. */
function toRecords(format: TableName, { names, rows }: Decoded): AnyRecord[] {
  const plain = (text: string) =>
    format === 'csv' ? text.replace(/^'(?='*[=+\-@＝＋－＠])/, '') : text;
  return rows.map((cells) => {
    const record: Record<string, unknown> = {};
    for (const [index, name] of names.entries()) {
      const cell = cells[index] ?? null;
      const value = typeof cell === 'string' ? toValue(name, plain(cell)) : cell;
      const [outer = '', inner] = name.split('.');
      if (inner === undefined) record[outer] = value;
      else if (value === null) record[outer] ??= null;
      else record[outer] = { ...(record[outer] as object | null), [inner]: value };
    }
    return record;
  });
}

const START = '2026-03-01T10:00:00.000Z';
const ODD = ['=1+1', '-', 'a;"b"', '＠ü'];
const fund = fundAllocation.example;
const funds = [
  fund,
  { ...fund, fund_id: '@none', periods: [], rows: [] },
  {
    ...fund,
    fund_id: 'one',
    periods: fund.periods.slice(0, 1),
    rows: fund.rows.map((row) => ({ ...row, values: row.values.slice(0, 1) })),
  },
];

const service = useTestServer(async () => {
  const store = await createStore();
  await publishAt(store, START, quotes, { records: [quote({ symbol: 'FIRST' })] });
  await store.publish(quotes, generateQuotes(['2026-06-01', '2026-06-02'], 40));
  // Not checked, because one has a comma, which new symbols may not have.
  await publishAt(store, Date.now(), quotes, { records: ODD.map((symbol) => quote({ symbol })) });
  await store.publish(fundAllocation, funds);
  await store.publish(securities, readFixture(securities));
  await store.publish(fundNames, [{ ...fundNames.example, fund_id: 'one', category: null }]);
  return store;
});

describe.each(lists)('%s', (path) => {
  test.each(TABLES)('in %s decodes to the records of the JSON', async (format) => {
    const { bytes } = await fetchRaw(service, path, accepting(format));
    const table = await DECODERS[format](bytes);
    expect(table.names).toEqual(columns[path] ?? []);
    const { data } = await service.getJson(path);
    expect(toRecords(format, table)).toEqual(data);
    expect(data.length).toBeGreaterThan(2);
  });

  test('in NDJSON has a line for each record, spelled as in the JSON', async () => {
    const { text } = await fetchRaw(service, path, accepting('ndjson'));
    const { text: json } = await fetchRaw(service, path);
    expect(text.endsWith('\n')).toBe(true);
    expect(json).toBe(`{"status":"ok","data":[${text.trimEnd().split('\n').join()}]}`);
  });

  test('has columns of type date for days, of numbers and booleans, and of text', async () => {
    const types = (columns[path] ?? []).map(
      (name) => OTHER_TYPES[name] ?? (dayColumns.includes(name) ? [8, 'DATE'] : [5, 'UTF8']),
    );
    const arrow = tableFromIPC((await fetchRaw(service, path, accepting('arrow'))).bytes);
    expect(arrow.schema.fields.map(({ type }) => Number(type.typeId))).toEqual(
      types.map(([id]) => Number(id)),
    );
    const { bytes } = await fetchRaw(service, path, accepting('parquet'));
    const { children } = parquetSchema(parquetMetadata(new Uint8Array(bytes).buffer));
    const stored = children.map(({ element }) => String(element.converted_type ?? element.type));
    expect(stored).toEqual(types.map(([, type]) => String(type)));
  });

  test('responds as of an instant in every format', async () => {
    for (const format of TABLES) {
      const past = { ...accepting(format), 'accept-datetime': START };
      const { headers, bytes } = await fetchRaw(service, path, past);
      expect(headers.get('tenor-revision')).toBe('1');
      expect(headers.get('memento-datetime')).toBe(new Date(START).toUTCString());
      expect(headers.get('link')).toBe(`${DESCRIBED_BY}, <${path}>; rel="original timegate"`);
      const table = await DECODERS[format](bytes);
      const { data } = await service.getJson(path, { 'accept-datetime': START });
      expect(toRecords(format, table)).toEqual(data);
      expect(data).toHaveLength(path === securitiesOperation.path ? 1 : 0);
      const before = { ...accepting(format), 'accept-datetime': '1970-01-01T00:00:00Z' };
      const none = await DECODERS[format]((await fetchRaw(service, path, before)).bytes);
      expect(none).toEqual({ names: columns[path] ?? [], rows: [] });
    }
  });

  test('sends Tenor-Total-Count with Prefer: count=exact', async () => {
    const { data } = await service.getJson(path);
    for (const format of ['json', ...FORMATS] as const) {
      const plain = await fetchRaw(service, path, accepting(format));
      expect(plain.headers.has('tenor-total-count')).toBe(false);
      const requestHeaders = { ...accepting(format), prefer: 'count=exact' };
      const { headers, bytes } = await fetchRaw(service, path, requestHeaders);
      expect(headers.get('tenor-total-count')).toBe(String(data.length));
      expect(headers.get('preference-applied')).toBe('count=exact');
      expect(bytes).toEqual(plain.bytes);
    }
  });
});

describe('/catalogue', () => {
  /** A value of an entry by the name of its column. */
  const getCell = (entry: AnyRecord, name: string): unknown => {
    const value = name
      .split('.')
      .reduce<unknown>((parent, key) => (parent as AnyRecord | null)?.[key], entry);
    return Array.isArray(value) ? JSON.stringify(value) : value;
  };

  test.each(TABLES)('in %s has a row for each dataset, with its lists as JSON', async (format) => {
    const { headers, bytes } = await fetchRaw(service, `/catalogue?format=${format}`);
    expect(headers.get('content-disposition')).toContain('filename="catalogue.');
    const { names, rows } = await DECODERS[format](bytes);
    expect(names).toEqual(expect.arrayContaining(['name', 'period.kind', 'fields']));
    expect(names.slice(-13)).toEqual([
      ...['coverage.first', 'coverage.last', 'coverage.count'],
      ...['revision', 'publishedAt', 'source', 'sample'].map((name) => `lastRevision.${name}`),
      ...['nextDue.period', 'nextDue.dueAt', 'nextDue.lateAt'],
      ...['yearStart', 'source', 'licence'],
    ]);
    const { data } = await service.getJson('/catalogue');
    const toText = (cell: unknown) => String(cell ?? '').toLowerCase();
    expect(rows.map((cells) => cells.map(toText))).toEqual(
      data.map((entry: AnyRecord) => names.map((name) => toText(getCell(entry, name)))),
    );
    expect(rows.length).toBeGreaterThan(10);
  });

  test('in NDJSON has a line for each dataset, spelled as in the JSON', async () => {
    const { text } = await fetchRaw(service, '/catalogue', accepting('ndjson'));
    const { text: json } = await fetchRaw(service, '/catalogue');
    expect(json).toBe(`{"status":"ok","data":[${text.trimEnd().split('\n').join()}]}`);
  });
});

test('a text that a spreadsheet would run as a formula is escaped in CSV', async () => {
  const { names, rows } = await DECODERS.csv(
    (await fetchRaw(service, securitiesOperation.path, accepting('csv'))).bytes,
  );
  const symbols = rows.map((cells) => cells[names.indexOf('symbol')]);
  expect(symbols).toEqual(expect.arrayContaining(["'=1+1", "'-", 'a;"b"', "'＠ü"]));
});

test('XLSX responds 406 in JSON for a text that is too long for a cell', async () => {
  const store = await createStore();
  // A cell of a spreadsheet holds 32,767 characters.
  const frequency = 'x'.repeat(32_768);
  await store.publish(fundAllocation, [{ ...fund, frequency }]);
  await using other = await startTestServer(store);
  for (const target of [fundsOperation.path, `/3.0/funds/allocation?fund_id=${fund.fund_id}`]) {
    const response = await other.request(target, accepting('xlsx'));
    expect(response.status).toBe(406);
    expect(response.headers.get('content-type')).toBe(RESPONSE_FORMATS.json.contentType);
    expect(response.headers.get('vary')?.split(', ')).toContain('Accept');
    expect(response.headers.has('etag')).toBe(false);
    expect(await errorMessage(response)).toMatch(
      /cannot be sent as xlsx, because it has a text of 32768/,
    );
    expect((await other.request(target, accepting('csv'))).status).toBe(200);
  }
});

test('the OpenAPI document lists formats, headers and preferences of each list', async () => {
  const { paths, components } = await service.getJson('/openapi.json');
  const { parameters, responses } = paths['/2.0/bnb/quote'].get;
  // Each operation names the values of its own parameters.
  const resolve = ({ schema, ...parameter }: { schema?: { $ref?: string } }) => {
    const name = schema?.$ref?.split('/').at(-1);
    return { ...parameter, schema: name === undefined ? schema : components.schemas[name] };
  };
  const isShared = ({ $ref, name = '' }: { $ref?: string; name?: string }) =>
    $ref !== undefined || ['as_of', 'format'].includes(name);
  for (const [path] of lists) {
    const own = paths[path].get;
    expect(Object.keys(own.responses[200].content)).toEqual(Object.keys(responses[200].content));
    expect(own.responses[200].headers).toEqual(responses[200].headers);
    expect(own.parameters.slice(4).map(resolve)).toEqual(parameters.filter(isShared).map(resolve));
    const names = own.parameters.map(({ name }: { name?: string }) => name).filter(Boolean);
    expect(names).toEqual(['q', 'limit', 'cursor', 'fields', 'as_of', 'format']);
  }
  for (const path of ['/revisions', '/revisions/{n}']) {
    const { content } = paths[path].get.responses[200];
    expect(Object.keys(content)).toEqual([RESPONSE_FORMATS.json.mediaType]);
  }
});
