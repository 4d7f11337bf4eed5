import { beforeAll, describe, expect, test } from 'bun:test';
import type { Tenor } from '../../clients/typescript/src/index.ts';
import { describeOperations } from '../../scripts/clients/describe-operations.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { buildOpenApiDocument } from '../../src/openapi/document.ts';
import { createFilledStore, FILLED_DATASETS } from '../support/store.ts';
import { useTestServer } from '../support/use-test-server.ts';
import { catchError, createClient, ok, startScriptedServer } from './typescript-support.ts';

const service = useTestServer(createFilledStore);
let tenor: Tenor;
beforeAll(() => {
  tenor = createClient(service);
});

/** The member for each operation without the envelope; health, data packages, SDMX and links are for others. */
const OTHER_MEMBERS: Readonly<Record<string, string | undefined>> = {
  exports: 'export',
  events: 'follow',
  datapackage: undefined,
  'sdmx-data': undefined,
  'sdmx-structure': undefined,
  link: undefined,
  live: undefined,
  ready: undefined,
  'ledger-checkpoint': 'verify',
  'ledger-tile': 'verify',
  'ledger-entry': 'verify',
};
/** Operations with the envelope that one member reads. */
const SHARED_MEMBERS: Readonly<Record<string, string>> = {
  'ledger-proof': 'query',
  'ledger-keys': 'verify',
  'link-signature': 'query',
  'shared-keys': 'query',
};

describe('the client', () => {
  test('has a member for every operation of the service, which pages if that does', () => {
    const { operations } = describeOperations(catalogue);
    const series = catalogue.filter(({ shape }) => shape === 'series').map(({ name }) => name);
    const client = tenor as unknown as Record<string, object | undefined>;
    for (const { name, parameters } of operations) {
      if (series.includes(name)) continue;
      const member =
        client[SHARED_MEMBERS[name] ?? name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase())];
      expect([name, typeof member]).toEqual([name, 'function']);
      const isPaged = 'cursor' in (parameters.properties as object);
      expect([name, 'all' in (member ?? {})]).toEqual([name, isPaged]);
    }
    const document = buildOpenApiDocument(catalogue, '') as {
      paths: Record<string, { get: { operationId: string } }>;
    };
    const described = new Set(operations.map(({ name }) => name));
    const others = Object.values(document.paths)
      .map(({ get }) => get.operationId)
      .filter((name) => !described.has(name) && !/^dataset-|-2$/.test(name));
    expect(others.sort()).toEqual(Object.keys(OTHER_MEMBERS).sort());
    for (const name of Object.values(OTHER_MEMBERS)) {
      if (name) expect(typeof client[name]).toBe('function');
    }
  });

  test('reads securities and funds by text and in pages, curves and analytics', async () => {
    const everything = await tenor.securities();
    expect(everything.data.length).toBeGreaterThan(1);
    const pages = await Array.fromAsync(tenor.securities.pages({ limit: 1 }));
    expect(pages.flatMap(({ data }) => data)).toEqual([...everything.data]);
    const symbol = everything.data.find(({ lastDate }) => lastDate !== null)?.symbol ?? '';
    const { data } = await tenor.securities({ q: symbol });
    expect(data.map((security) => security.symbol)).toContain(symbol);
    expect(await tenor.funds.all({ q: 'no fund has this' }).toArray()).toEqual([]);
    const { data: curves } = await tenor.curve({ tenors: ['1Y', '2Y'] });
    expect(curves[0]?.points.map(({ tenor: name }) => name)).toEqual(['1Y', '2Y']);
    expect(await tenor.curve.all({ tenors: ['1Y', '2Y'] }).toArray()).toEqual([...curves]);
    const figures = await tenor.analytics.all({ symbol: [symbol], from: '2000-01-01' }).toArray();
    expect(figures.length).toBeGreaterThan(0);
  });

  test('sends faces of positions without exponents', async () => {
    await using server = startScriptedServer(ok([]));
    await server.client().portfolio({ A: 1e6 / 3, B: 1e-10, C: -0.5, D: 1e15 });
    const { searchParams } = new URL(server.requests[0]?.target ?? '', 'http://x');
    expect(searchParams.get('positions')).toBe(
      'A:333333.3333333333,B:0.0000000001,C:-0.5,D:1000000000000000',
    );
  });

  test('reads any operation by its name, with the parameters of its path', async () => {
    const { data } = await tenor.query('changes', { dataset: 'quotes', since: 0, limit: 1 });
    expect(data).toEqual([{ change: 'added', record: expect.anything() }]);
    expect((await tenor.query('revision', { n: 1 })).data.revision).toBe(1);
    const missing = tenor.query('changes', { since: 0 } as never);
    expect(await catchError(missing)).toMatchObject({ name: 'TypeError' });
    const unknown = catchError(tenor.query('nothing' as 'quotes'));
    expect((await unknown).message).toStartWith('there is no "nothing"; there are quotes, ');
    const csv = await tenor.download('changes', 'csv', { dataset: 'quotes', since: 0 });
    expect(await csv.text()).toStartWith('change,date,symbol,');
  });

  test('reads as of the number of a revision, but for revisions', async () => {
    const past = tenor.asOf(1);
    expect((await past.quotes()).meta.revision).toBe(1);
    expect((await past.revisions()).data.length).toBe(FILLED_DATASETS.length);
    const exported = await past.export('quotes', 'csv');
    expect(exported.headers.get('tenor-revision')).toBe('1');
    const ahead = await catchError(tenor.asOf(FILLED_DATASETS.length + 1).quotes());
    expect(ahead).toMatchObject({ kind: 'bad_request' });
  });
});

describe('more than 50 symbols', () => {
  const symbols = Array.from({ length: 60 }, (_, index) => `S${index}`);
  const page = (...records: [symbol: string, day: number][]) =>
    ok(
      records.map(([symbol, day]) => ({ symbol, date: `2026-06-${day}` })),
      { 'tenor-revision': '7' },
    );

  test('are read in order from one revision, and each record once', async () => {
    const first = page(['S0', 30], ['S0', 29]);
    const second = page(['S55', 30], ['S0', 29], ['S51', 29]);
    await using server = startScriptedServer(first, first, second);
    const all = server.client().quotes.all({ symbol: symbols, from: '2026-06-01' });
    const records = await all.toArray();
    expect(records.map(({ symbol, date }) => `${symbol} ${date.slice(-2)}`)).toEqual([
      'S0 30',
      'S55 30',
      'S0 29',
      'S51 29',
    ]);
    const queries = server.requests.map(({ target }) => new URL(target, 'http://x').searchParams);
    expect(queries.map((query) => query.get('symbol')?.split(',').length)).toEqual([50, 50, 10]);
    expect(queries.map((query) => query.get('as_of'))).toEqual([null, '7', '7']);
  });

  test('are merged backwards if the oldest come first', async () => {
    const first = page(['S0', 29], ['S0', 30]);
    await using server = startScriptedServer(first, first, page(['S51', 29], ['S55', 30]));
    const all = server.client().quotes.all({ symbol: symbols, from: '2026-06-01', sort: 'asc' });
    const records = await all.toArray();
    expect(records.map(({ symbol }) => symbol)).toEqual(['S51', 'S0', 'S55', 'S0']);
  });

  test('of which few differ are one request', async () => {
    await using server = startScriptedServer(page(['S0', 30]));
    const symbol = [...symbols.slice(0, 50), ...symbols.slice(0, 10)];
    expect(await server.client().quotes.all({ symbol }).toArray()).toHaveLength(1);
    const queries = server.requests.map(({ target }) => new URL(target, 'http://x').searchParams);
    expect(queries.map((query) => query.get('symbol'))).toEqual([symbols.slice(0, 50).join()]);
  });

  test('or fewer are sent as they were given, for which their cursors are valid', async () => {
    await using server = startScriptedServer(page(['S0', 30]));
    const all = server.client().quotes.all({ symbol: ['S0', 'S0'], cursor: 'c' });
    expect(await all.toArray()).toHaveLength(1);
    const [request] = server.requests;
    expect(new URL(request?.target ?? '', 'http://x').searchParams.get('symbol')).toBe('S0,S0');
  });

  test('cannot continue from a cursor', () => {
    const parameters = { symbol: symbols, cursor: 'c' };
    expect(() => tenor.quotes.all(parameters)).toThrow('cursor is for up to 50 symbols');
  });
});
