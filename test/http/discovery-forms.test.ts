import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { gunzipSync } from 'node:zlib';
import { tableFromIPC } from '@uwdata/flechette';
import fc from 'fast-check';
import { parquetMetadata, parquetSchema } from 'hyparquet';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import type { AnyRecord } from '../../src/catalogue/model/dataset.ts';
import type { Operation } from '../../src/catalogue/model/operation.ts';
import { RESPONSE_FORMATS } from '../../src/catalogue/model/response-format.ts';
import { fundsOperation, securitiesOperation } from '../../src/catalogue/operations/discovery.ts';
import { encodeRecords } from '../../src/tabular/encode-records.ts';
import { anyRecord } from '../support/arbitrary.ts';
import { fetchRaw } from '../support/fetch-raw.ts';
import { generateQuotes } from '../support/generate-quotes.ts';
import { publishAt } from '../support/publish-at.ts';
import { quote } from '../support/quote-fixture.ts';
import { createStore } from '../support/store.ts';
import { errorMessage, startTestServer, type TestServer } from '../support/test-server.ts';
import { issueSecret } from '../support/use-test-server.ts';
import { DECODERS, type Decoded, type TableName } from '../tabular/decode-formats.ts';

const TABLES = Object.keys(DECODERS) as TableName[];
const FORMS = ['ndjson', ...TABLES] as const;
const lists: readonly (readonly [string, Operation])[] = [
  [securitiesOperation.path, securitiesOperation],
  [fundsOperation.path, fundsOperation],
];
const columns: Readonly<Record<string, readonly string[]>> = {
  [securitiesOperation.path]: ['symbol', 'isin', 'type', 'maturityDate', 'firstDate', 'lastDate'],
  [fundsOperation.path]: [
    'fund_id',
    'frequency',
    'firstPeriod.label',
    'firstPeriod.date',
    'lastPeriod.label',
    'lastPeriod.date',
  ],
};
const days = ['maturityDate', 'firstDate', 'lastDate', 'firstPeriod.date', 'lastPeriod.date'];

const accepting = (form: keyof typeof RESPONSE_FORMATS) => ({
  accept: RESPONSE_FORMATS[form].mediaType,
});

/** The records that a table tells of, by its columns' names alone. */
function recordsOf(form: TableName, { names, rows }: Decoded): AnyRecord[] {
  const plain = (text: string) =>
    form === 'csv' ? text.replace(/^'(?='*[=+\-@＝＋－＠])/, '') : text;
  return rows.map((cells) => {
    const record: Record<string, unknown> = {};
    for (const [index, name] of names.entries()) {
      const cell = cells[index] ?? null;
      const value = typeof cell === 'string' ? plain(cell) : cell;
      const [outer = '', inner] = name.split('.');
      if (inner === undefined) record[outer] = value;
      else if (value === null) record[outer] ??= null;
      else record[outer] = { ...(record[outer] as object | null), [inner]: value };
    }
    return record;
  });
}

const START = '2026-03-01T10:00:00.000Z';
const ODD = ['=1+1', '-', 'a,"b"', '＠ü'];
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

let service: TestServer;
let quotesOnly = '';
beforeAll(async () => {
  const store = await createStore();
  await publishAt(store, START, quotes, { records: [quote({ symbol: 'FIRST' })] });
  await store.publish(quotes, generateQuotes(['2026-06-01', '2026-06-02'], 40));
  await store.publish(
    quotes,
    ODD.map((symbol) => quote({ symbol })),
  );
  await store.publish(fundAllocation, funds);
  quotesOnly = await issueSecret(store, ['quotes']);
  service = await startTestServer(store);
});
afterAll(() => service.stop());

describe.each(lists)('%s', (path, operation) => {
  test.each(TABLES)('as %s decodes to the records of the JSON', async (form) => {
    const { bytes } = await fetchRaw(service, path, accepting(form));
    const table = await DECODERS[form](bytes);
    expect(table.names).toEqual(columns[path] ?? []);
    const { data } = await service.getJson(path);
    expect(recordsOf(form, table)).toEqual(data);
    expect(data.length).toBeGreaterThan(2);
  });

  test('as NDJSON has a line for each record, as in the JSON', async () => {
    const { text } = await fetchRaw(service, path, accepting('ndjson'));
    const { text: json } = await fetchRaw(service, path);
    expect(text.endsWith('\n')).toBe(true);
    expect(json).toBe(`{"status":"ok","data":[${text.trimEnd().split('\n').join()}]}`);
  });

  test('has days as days, and all else as text', async () => {
    const isDay = (columns[path] ?? []).map((name) => days.includes(name));
    const arrow = tableFromIPC((await fetchRaw(service, path, accepting('arrow'))).bytes);
    expect(arrow.schema.fields.map(({ type }) => type.typeId === 8)).toEqual(isDay);
    const { bytes } = await fetchRaw(service, path, accepting('parquet'));
    const { children } = parquetSchema(parquetMetadata(new Uint8Array(bytes).buffer));
    const types = children.map(({ element }) => element.converted_type);
    expect(types).toEqual(isDay.map((is) => (is ? 'DATE' : 'UTF8')));
  });

  test.each(FORMS)('as %s says what it is, and is a file with a name', async (form) => {
    const { status, headers } = await fetchRaw(service, path, accepting(form));
    const { contentType, extension } = RESPONSE_FORMATS[form];
    expect([status, headers.get('content-type')]).toEqual([200, contentType]);
    const name = `${operation.name}.${extension}`;
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${name}"`);
    expect(headers.get('vary')?.split(', ')).toContain('Accept');
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect(headers.get('etag')).toMatch(new RegExp(`^"\\w+-${form}"$`));
    const json = await fetchRaw(service, path);
    expect(json.headers.get('content-type')).toBe(RESPONSE_FORMATS.json.contentType);
    expect(json.headers.has('content-disposition')).toBe(false);
    expect(json.headers.get('vary')?.split(', ')).toContain('Accept');
  });

  test('is not sent again to those who have that form, and is to those who have another', async () => {
    const { headers: json } = await fetchRaw(service, path);
    for (const form of FORMS) {
      const { headers } = await fetchRaw(service, path, accepting(form));
      const ask = (known: Record<string, string>) =>
        fetchRaw(service, path, { ...accepting(form), ...known });
      const same = await ask({ 'if-none-match': headers.get('etag') ?? '' });
      expect([same.status, same.text, same.headers.get('etag')]).toEqual([
        304,
        '',
        headers.get('etag'),
      ]);
      expect(same.headers.has('content-disposition')).toBe(false);
      expect((await ask({ 'if-none-match': json.get('etag') ?? '' })).status).toBe(200);
      const modified = headers.get('last-modified') ?? '';
      expect(modified).toBe(json.get('last-modified') ?? 'none');
      const later = new Date(Date.parse(modified) + 1_000).toUTCString();
      expect((await ask({ 'if-modified-since': later })).status).toBe(304);
      expect((await ask({ 'if-unmodified-since': new Date(0).toUTCString() })).status).toBe(412);
    }
  });

  test('is told as it stood at an instant, in every form', async () => {
    for (const form of TABLES) {
      const then = { ...accepting(form), 'accept-datetime': START };
      const { headers, bytes } = await fetchRaw(service, path, then);
      expect(headers.get('tenor-revision')).toBe('1');
      expect(headers.get('memento-datetime')).toBe(new Date(START).toUTCString());
      expect(headers.get('link')).toBe(`<${path}>; rel="original timegate"`);
      const table = await DECODERS[form](bytes);
      const { data } = await service.getJson(path, { 'accept-datetime': START });
      expect(recordsOf(form, table)).toEqual(data);
      expect(data).toHaveLength(path === securitiesOperation.path ? 1 : 0);
      const before = { ...accepting(form), 'accept-datetime': '1970-01-01T00:00:00Z' };
      const none = await DECODERS[form]((await fetchRaw(service, path, before)).bytes);
      expect(none).toEqual({ names: columns[path] ?? [], rows: [] });
    }
  });

  test('is a table without rows where nothing was ever published', async () => {
    const empty = await startTestServer(await createStore());
    for (const form of TABLES) {
      const { status, bytes } = await fetchRaw(empty, path, accepting(form));
      expect(status).toBe(200);
      expect(await DECODERS[form](bytes)).toEqual({ names: columns[path] ?? [], rows: [] });
    }
    expect((await fetchRaw(empty, path, accepting('ndjson'))).text).toBe('');
    await empty.stop();
  });

  test('tells how many there are in all, if asked', async () => {
    const { data } = await service.getJson(path);
    for (const form of ['json', ...FORMS] as const) {
      const plain = await fetchRaw(service, path, accepting(form));
      expect(plain.headers.has('tenor-total-count')).toBe(false);
      const asked = { ...accepting(form), prefer: 'count=exact' };
      const { headers, bytes } = await fetchRaw(service, path, asked);
      expect(headers.get('tenor-total-count')).toBe(String(data.length));
      expect(headers.get('preference-applied')).toBe('count=exact');
      expect(bytes).toEqual(plain.bytes);
    }
  });

  test('is refused in JSON, whatever form is asked for', async () => {
    for (const form of FORMS) {
      const refusals = [
        await service.request(`${path}?limit=5`, accepting(form)),
        await service.request(path, { ...accepting(form), 'accept-datetime': 'yesterday' }),
        await service.request(path, { ...accepting(form), authorization: '' }),
      ];
      expect(refusals.map(({ status }) => status)).toEqual([400, 400, 401]);
      for (const { headers } of refusals) {
        expect(headers.get('content-type')).toBe(RESPONSE_FORMATS.json.contentType);
        expect(headers.has('content-disposition')).toBe(false);
      }
    }
  });
});

test('a form needs the scope that the list needs', async () => {
  const bearer = { authorization: `Bearer ${quotesOnly}` };
  for (const form of FORMS) {
    const asked = { ...accepting(form), ...bearer };
    expect((await service.request(securitiesOperation.path, asked)).status).toBe(200);
    const refused = await service.request(fundsOperation.path, asked);
    expect([refused.status, await errorMessage(refused)]).toEqual([403, 'forbidden']);
  }
});

test('a form is sent in fewer bytes where that is welcome', async () => {
  const plain = await fetchRaw(service, securitiesOperation.path, accepting('csv'));
  const asked = { ...accepting('csv'), 'accept-encoding': 'gzip' };
  const { headers, bytes } = await fetchRaw(service, securitiesOperation.path, asked);
  expect(headers.get('content-encoding')).toBe('gzip');
  expect(headers.get('etag')).toEndWith('-csv-gzip"');
  expect(bytes.length).toBeLessThan(plain.bytes.length);
  expect(gunzipSync(bytes).toString()).toBe(plain.text);
});

test('a text that would be run as a formula is made harmless in CSV', async () => {
  const { names, rows } = await DECODERS.csv(
    (await fetchRaw(service, securitiesOperation.path, accepting('csv'))).bytes,
  );
  const symbols = rows.map((cells) => cells[names.indexOf('symbol')]);
  expect(symbols).toEqual(expect.arrayContaining(["'=1+1", "'-", 'a,"b"', "'＠ü"]));
});

test('what a form cannot hold is refused, and other forms have it', async () => {
  const store = await createStore();
  // A cell of a spreadsheet holds 32,767 characters.
  const frequency = 'x'.repeat(32_768);
  await store.publish(fundAllocation, [{ ...fundAllocation.example, frequency }]);
  const own = await startTestServer(store);
  const refused = await own.request(fundsOperation.path, accepting('xlsx'));
  expect(refused.status).toBe(406);
  expect(refused.headers.get('content-type')).toBe(RESPONSE_FORMATS.json.contentType);
  expect(refused.headers.get('vary')?.split(', ')).toContain('Accept');
  expect(await errorMessage(refused)).toContain('cannot be written as xlsx, because it has a text');
  expect((await own.request(fundsOperation.path, accepting('csv'))).status).toBe(200);
  await own.stop();
});

test.each(['/catalogue', '/revisions', '/revisions/1'])('%s is always JSON', async (path) => {
  const json = await fetchRaw(service, path);
  expect(json.headers.get('vary')?.split(', ')).not.toContain('Accept');
  for (const form of FORMS) {
    const { status, headers, text } = await fetchRaw(service, path, accepting(form));
    expect([status, headers.get('etag')]).toEqual([200, json.headers.get('etag')]);
    expect(headers.get('content-type')).toBe(RESPONSE_FORMATS.json.contentType);
    expect(text).toBe(json.text);
  }
});

test('the OpenAPI document has the forms, headers and preferences of each', async () => {
  const { paths } = await service.getJson('/openapi.json');
  const { parameters, responses } = paths['/2.0/bnb/quote'].get;
  const isHeader = ({ $ref }: { $ref?: string }) => $ref !== undefined;
  for (const [path] of lists) {
    const own = paths[path].get;
    expect(Object.keys(own.responses[200].content)).toEqual(Object.keys(responses[200].content));
    expect(own.responses[200].headers).toEqual(responses[200].headers);
    expect(own.parameters).toEqual(parameters.filter(isHeader));
  }
  for (const path of ['/catalogue', '/revisions', '/revisions/{n}']) {
    const { content } = paths[path].get.responses[200];
    expect(Object.keys(content)).toEqual([RESPONSE_FORMATS.json.mediaType]);
  }
});

test('funds decode to their records whatever those are', async () => {
  const anyFund = fc.tuple(anyRecord(fundAllocation), fc.boolean()).map(([record, isBlank]) => {
    const { fund_id, frequency } = record;
    const periods = isBlank ? [] : (record.periods as readonly object[]);
    const firstPeriod = periods.at(-1) ?? null;
    return { fund_id, frequency, firstPeriod, lastPeriod: periods[0] ?? null };
  });
  await fc.assert(
    fc.asyncProperty(fc.array(anyFund, { maxLength: 6 }), async (entries) => {
      const texts = entries.map((entry) => JSON.stringify(entry));
      for (const form of TABLES) {
        const chunks = await Array.fromAsync(encodeRecords(fundsOperation, form, texts));
        const table = await DECODERS[form](Buffer.concat(chunks));
        expect([form, recordsOf(form, table)]).toEqual([form, entries]);
      }
    }),
    { numRuns: 30 },
  );
});
