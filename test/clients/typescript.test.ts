import { beforeAll, describe, expect, test } from 'bun:test';
import type {
  Format,
  FundAllocationRecord,
  MobileMoneyAccountsMaleRecord,
  QuotesRecord,
  SeriesName,
  Tenor,
} from '../../clients/typescript/src/index.ts';
import type { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import type { mobileMoneyAccountsMale } from '../../src/catalogue/datasets/series/index.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { DatasetRecord } from '../../src/catalogue/model/dataset.ts';
import { PATHS } from '../../src/client/generated.ts';
import { readFixture } from '../support/fixtures.ts';
import { createFilledStore, createStore, FILLED_DATASETS } from '../support/store.ts';
import { startTestServer } from '../support/test-server.ts';
import { useTestServer } from '../support/use-test-server.ts';
import { catchError, createClient } from './typescript-support.ts';

const service = useTestServer(createFilledStore);
let tenor: Tenor;
beforeAll(() => {
  tenor = createClient(service);
});

/** Each dataset's fixture is a revision. */
const LAST = FILLED_DATASETS.length;

describe('the client and the service', () => {
  test('agree on the records of quotes, funds and every series', async () => {
    const everyQuote = await tenor.quotes({ from: '0001-01-01', limit: 10_000 });
    const expected = await service.getJson('/2.0/bnb/quote?from=0001-01-01&limit=10000');
    expect(everyQuote.data).toEqual(expected.data);
    expect(everyQuote.data.length).toBeGreaterThan(0);
    const { data: funds } = await tenor.funds();
    for (const { fund_id, frequency } of funds) {
      // Only its name is known.
      if (frequency === null) continue;
      const { data } = await tenor.fundAllocation({ fund_id });
      expect(data).toEqual(
        (await service.getJson(`/3.0/funds/allocation?fund_id=${fund_id}`)).data,
      );
    }
    // A series that was just added is unknown to the client until `npm run docs`.
    const series = catalogue.filter(({ name, shape }) => shape === 'series' && name in PATHS);
    expect(series.length).toBeGreaterThanOrEqual(10);
    for (const { name, paths } of series) {
      const { data } = await tenor.series(name as SeriesName);
      expect(data).toEqual((await service.getJson(paths[0])).data);
    }
  });

  test('agree on the types of records', () => {
    const same: Same<QuotesRecord, DatasetRecord<typeof quotes>> &
      Same<FundAllocationRecord, DatasetRecord<typeof fundAllocation>> &
      Same<MobileMoneyAccountsMaleRecord, DatasetRecord<typeof mobileMoneyAccountsMale>> = true;
    expect(same).toBe(true);
  });

  test('agree on datasets, securities and revisions', async () => {
    const { data: entries } = await tenor.catalogue();
    expect(entries.map(({ name }) => name)).toEqual(catalogue.map(({ name }) => name));
    const { data: securities } = await tenor.securities();
    const fixture = new Set(readFixture(quotes).map(({ symbol }) => String(symbol)));
    const quoted = securities.filter(({ lastDate }) => lastDate !== null);
    expect(quoted.map(({ symbol }) => symbol)).toEqual([...fixture].sort());
    const { data: revisions } = await tenor.revisions({ limit: 2 });
    expect(revisions.map(({ revision }) => revision)).toEqual([LAST, LAST - 1]);
    const all = await tenor.revisions.all({ limit: 5 }).toArray();
    expect(all.map(({ revision }) => revision)).toEqual(
      Array.from({ length: LAST }, (_, index) => LAST - index),
    );
    const { data: older } = await tenor.revisions({ before: 11, dataset: 'quotes' });
    expect(older.map(({ revision }) => revision)).toEqual([1]);
    const { data: first } = await tenor.revision(1, { limit: 1 });
    expect(first).toMatchObject({ revision: 1, dataset: 'quotes', changes: [{ change: 'added' }] });
  });

  test('agree on totals, next pages and remaining requests', async () => {
    const { data, meta } = await tenor.quotes({ from: '0001-01-01', limit: 1 }, { count: true });
    const all = await tenor.quotes({ from: '0001-01-01' });
    expect(data.length).toBe(1);
    expect(meta).toMatchObject({ revision: LAST, total: all.data.length, cached: false });
    expect(meta.next).toStartWith(`${service.address}/2.0/bnb/quote?`);
    expect(all.meta).toMatchObject({ next: undefined, total: undefined });
    await using limited = await startTestServer(await createStore(), {
      rateLimit: { count: 9, windowMs: 3_600_000 },
    });
    expect((await createClient(limited).quotes()).meta.rateLimitLeft).toBe(8);
  });

  test('agree on pages, which have every record once and in order for any page size', async () => {
    const { data: complete } = await tenor.quotes({ from: '0001-01-01', limit: 10_000 });
    for (const limit of [1, 2, complete.length, complete.length + 1]) {
      const parameters = { from: '0001-01-01', limit };
      expect(await tenor.quotes.all(parameters).toArray()).toEqual([...complete]);
      const pages = await Array.fromAsync(tenor.quotes.pages(parameters));
      expect(pages).toHaveLength(Math.ceil(complete.length / limit));
      const [
        {
          meta: { cursor },
        } = await tenor.quotes(parameters),
      ] = pages;
      if (cursor === undefined) continue;
      const remaining = await tenor.quotes.all({ ...parameters, cursor }).toArray();
      expect(remaining).toEqual(complete.slice(limit));
    }
    const newest = complete.filter(({ date }) => date === complete[0]?.date);
    expect(await tenor.quotes.all({ limit: 1 }).toArray()).toEqual(newest);
    expect((await tenor.asOf('2000-01-01').quotes()).data).toEqual([]);
  });

  test('agree on errors', async () => {
    const unauthorized = createClient(service, { token: 'not-a-token' });
    expect(await catchError(unauthorized.quotes())).toMatchObject({
      kind: 'unauthorized',
      status: 401,
    });
    const invalid = await catchError(tenor.quotes({ limit: 0 }));
    expect(invalid).toMatchObject({ kind: 'bad_request', status: 400 });
    expect(invalid.message).toContain('parameter "limit" must be');
    expect(invalid.requestId).toBeString();
    const noFund = { kind: 'no_fund_id', status: 200, message: 'no fund_id provided' };
    expect(await catchError(tenor.fundAllocation({ fund_id: '' }))).toMatchObject(noFund);
    const unknown = await catchError(tenor.fundAllocation({ fund_id: 'none' }));
    expect(unknown).toMatchObject({ kind: 'no_record_found', status: 200 });
    expect(await catchError(tenor.revision(999))).toMatchObject({ kind: 'not_found' });
    const name = 'none' as SeriesName;
    expect(await catchError(tenor.export(name, 'csv'))).toMatchObject({ kind: 'not_found' });
    const download = tenor.download('fund-allocation', 'xlsx', { fund_id: 'none' });
    expect(await catchError(download)).toMatchObject({ kind: 'no_record_found' });
  });
});

describe('another format', () => {
  const signatures: Record<Format, string> = {
    csv: 'date,symbol,isin,',
    ndjson: '{"date":',
    arrow: '\xff\xff\xff\xff',
    parquet: 'PAR1',
    xlsx: 'PK\x03\x04',
  };

  test.each(Object.keys(signatures) as Format[])('%s starts with its signature', async (format) => {
    const response = await tenor.download('quotes', format, { limit: 2 });
    const bytes = new Uint8Array(await response.arrayBuffer());
    const start = String.fromCharCode(...bytes.subarray(0, signatures[format].length));
    expect(start).toBe(signatures[format]);
  });

  test('has the same records in a response and in an export', async () => {
    const { data } = await tenor.quotes({ from: '0001-01-01', limit: 2 });
    const page = await tenor.download('quotes', 'ndjson', { from: '0001-01-01', limit: 2 });
    expect(parseLines(await page.text())).toEqual([...data]);
    const exported = await tenor.export('quotes', 'ndjson');
    const records = await tenor.quotes.all({ from: '0001-01-01' }).toArray();
    expect(parseLines(await exported.text())).toEqual(records);
  });
});

function parseLines(text: string): unknown[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** True if two types are identical. */
type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
