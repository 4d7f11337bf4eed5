import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Client } from '@modelcontextprotocol/client';
import { datasets } from '../../../src/catalogue/datasets/datasets.ts';
import { quotes } from '../../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../../src/catalogue/index.ts';
import { createDeclaredDataset } from '../../../src/catalogue/model/create-dataset.ts';
import type { Dataset } from '../../../src/catalogue/model/dataset.ts';
import { describeTool } from '../../../src/operations/mcp/tool.ts';
import { createTools } from '../../../src/operations/mcp/tools/create-tools.ts';
import { KIBOR } from '../../support/declared-rates.ts';
import { readFixture } from '../../support/fixtures.ts';
import { connectMcpClient, PROTOCOL_VERSIONS } from '../../support/mcp-client.ts';
import { publishHistory } from '../../support/published-history.ts';
import { createStore } from '../../support/store.ts';
import { issueSecret, useTestServer } from '../../support/use-test-server.ts';

const [{ fund_id: FUND_ID } = {}] = readFixture(
  catalogue.find(({ shape }) => shape === 'fund') as never,
);
const [{ symbol: SYMBOL } = {}] = readFixture(quotes);
const SERIES = catalogue.filter(({ shape }) => shape === 'series').map(({ name }) => name);

/** A call of every tool. */
const CALLS: Readonly<Record<string, Record<string, unknown>>> = {
  describe_datasets: {},
  find_securities: {},
  get_quotes: { from: '2000-01-01' },
  get_curve: {},
  get_analytics: { symbol: SYMBOL, from: '2000-01-01' },
  get_price: { symbol: SYMBOL, yield: '11' },
  get_portfolio: { positions: `${SYMBOL}:1000000` },
  compare_dates: { from: '2026-04-07', to: '2026-04-08' },
  find_funds: {},
  get_fund_allocation: { fund_id: FUND_ID },
  get_series: { dataset: SERIES[0] },
  get_aligned: { columns: `quotes.ytm(symbol=${SYMBOL}):chg,quotes.volume(symbol=${SYMBOL})` },
  get_corrections: { dataset: 'quotes' },
  get_vintages: { dataset: 'quotes' },
  list_revisions: {},
};

/** The tools whose data is that of one response. */
const DERIVED = ['describe_datasets', 'compare_dates'];

test('the page about the tools names each of them', async () => {
  const page = await Bun.file('docs/how-to/mcp.md').text();
  const named = [...page.matchAll(/`([a-z]+(?:_[a-z]+)+)`[,|\s]/g)].map(([, name]) => name);
  expect(named).toEqual(expect.arrayContaining(Object.keys(CALLS)));
});

describe('the tools of /mcp and HTTP', () => {
  const service = useTestServer(async () => {
    const store = await createStore();
    await publishHistory(store);
    return store;
  });

  describe.each(PROTOCOL_VERSIONS)('for a client of version %s', (version) => {
    let client: Client;
    beforeAll(async () => {
      client = await connectMcpClient(service.address, version);
    });
    afterAll(() => client.close());

    test('are listed in one order, each with what it takes and gives', async () => {
      expect(client.getNegotiatedProtocolVersion()).toBe(version);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(Object.keys(CALLS));
      for (const { inputSchema, outputSchema, annotations } of tools) {
        expect(inputSchema.properties).toHaveProperty('as_of');
        expect(outputSchema?.required).toContain('units');
        expect(annotations?.readOnlyHint).toBe(true);
      }
    });

    test.each(Object.entries(CALLS))(
      '%s gives what HTTP gives at its address, now and as of a revision',
      async (name, args) => {
        for (const as_of of [undefined, '13']) {
          const result = await client.callTool({ name, arguments: { ...args, as_of } });
          expect(result.isError).toBeUndefined();
          const { address, data, revision, truncated, next } = getStructured(result);
          expect(revision).toBe(as_of === undefined ? catalogue.length + 1 : 13);
          expect([truncated, next]).toEqual([false, null]);
          const response = await service.request(address.replace(service.address, ''));
          expect(response.status).toBe(200);
          const body = (await response.json()) as { data: unknown };
          if (!DERIVED.includes(name)) expect(data).toEqual(body.data);
        }
      },
    );
  });
});

describe('the tools of /mcp', () => {
  let secret = '';
  const service = useTestServer(async () => {
    const store = await createStore();
    await publishHistory(store);
    secret = await issueSecret(store, ['funds']);
    return store;
  });
  let client: Client;
  beforeAll(async () => {
    client = await connectMcpClient(service.address, PROTOCOL_VERSIONS[0]);
  });
  afterAll(() => client.close());

  async function readAll(name: string, args: Record<string, unknown>): Promise<unknown[]> {
    const all: unknown[] = [];
    const revisions = new Set<number>();
    for (let next: object | null = args; next; ) {
      const result = await client.callTool({ name, arguments: { ...next } });
      const { data, ...structured } = getStructured(result);
      all.push(...(data as unknown[]));
      expect(structured.truncated).toBe(structured.next !== null);
      revisions.add(structured.revision);
      next = structured.next;
    }
    expect(revisions.size).toBe(1);
    return all;
  }

  test('get_curve says why there is no curve', async () => {
    const args = { date: '2026-01-01' };
    const { content } = await client.callTool({ name: 'get_curve', arguments: args });
    expect(JSON.stringify(content)).toContain('curve of 2026-01-01, no quotes');
  });

  test.each([
    ['get_quotes', { from: '2000-01-01', limit: 2 }, '/2.0/bnb/quote?from=2000-01-01'],
    ['find_securities', { limit: 1 }, '/2.0/bnb/securities'],
    ['get_series', { dataset: SERIES[0], limit: 1 }, `/datasets/${SERIES[0]}`],
    ['get_corrections', { dataset: 'quotes', limit: 1 }, '/corrections/quotes'],
    ['get_vintages', { dataset: 'quotes', limit: 9 }, '/vintages/quotes'],
    [
      'get_vintages',
      { dataset: SERIES[0], release: 'first', limit: 1 },
      `/vintages/${SERIES[0]}?release=first`,
    ],
    ['list_revisions', { limit: 4 }, '/revisions'],
    ['list_revisions', { limit: 4, as_of: 9 }, '/revisions?before=10'],
    ['list_revisions', { limit: 4, as_of: 9, before: 14 }, '/revisions?before=10'],
    ['list_revisions', { limit: 4, as_of: 9, before: 6 }, '/revisions?before=6'],
    ['list_revisions', { limit: 5, before: 6 }, '/revisions?before=6'],
  ])('%s with %p leads to everything by next', async (name, args, target) => {
    const { data } = await service.getJson(target);
    expect(data.length).toBeGreaterThan(1);
    expect(await readAll(name, args)).toEqual(data);
  });

  test('get_series reads every series of the catalogue, with its units', async () => {
    for (const dataset of SERIES) {
      const result = await client.callTool({ name: 'get_series', arguments: { dataset } });
      const { data, units } = getStructured(result);
      expect(data).toEqual((await service.getJson(`/datasets/${dataset}`)).data);
      expect(Object.keys(units).length).toBeGreaterThan(0);
    }
  });

  test('get_fund_allocation cuts periods and the values of each row alike', async () => {
    const args = { fund_id: FUND_ID, limit: 1, offset: 1 };
    const result = await client.callTool({ name: 'get_fund_allocation', arguments: args });
    const { data } = await service.getJson(`/3.0/funds/allocation?fund_id=${FUND_ID}`);
    const cut = getStructured(result).data as typeof data;
    expect(cut.periods).toEqual(data.periods.slice(1, 2));
    expect(cut.rows[0].values).toEqual(data.rows[0].values.slice(1, 2));
  });

  test('describe_datasets names a tool for each dataset, and describes one in full', async () => {
    const all = getStructured(await client.callTool({ name: 'describe_datasets' }));
    const tools = (all.data as { name: string; tool: string }[]).map(({ tool }) => tool);
    expect(tools).toHaveLength(catalogue.length + readFixture(datasets).length);
    for (const tool of tools) expect(CALLS).toHaveProperty(tool);
    const one = getStructured(
      await client.callTool({ name: 'describe_datasets', arguments: { dataset: 'quotes' } }),
    );
    expect(one.data).toMatchObject([{ name: 'quotes', notes: quotes.notes, tool: 'get_quotes' }]);
    expect(one.units.ytm).toBe('percent');
  });

  test('compare_dates computes changes in basis points and per 100', async () => {
    const result = await client.callTool({
      name: 'compare_dates',
      arguments: { ...CALLS.compare_dates, symbol: SYMBOL, as_of: 13 },
    });
    const { data } = getStructured(result) as { data: { changes: Record<string, number>[] } };
    const [change = {}] = data.changes;
    const { ytmFrom = 0, ytmTo = 0, ytmChange, priceFrom = 0, priceTo = 0, priceChange } = change;
    expect(data).toMatchObject({ compared: 1, onlyFrom: 0, onlyTo: 0 });
    expect(ytmChange).toBeCloseTo((ytmTo - ytmFrom) * 100, 4);
    expect(priceChange).toBeCloseTo(priceTo - priceFrom, 4);
  });

  test.each([
    ['get_quotes', { foo: 1 }, 'unknown argument "foo"; allowed: symbol, date, from'],
    ['get_quotes', { date: '2026-02-30' }, 'argument "date" must be a calendar day'],
    ['get_quotes', { date: '' }, 'argument "date" must be a calendar day'],
    ['get_quotes', { date: null }, 'argument "date" must be a calendar day'],
    ['get_quotes', { limit: 201 }, 'argument "limit" must be a whole number from 1 to 200'],
    ['get_quotes', { symbol: ['A'] }, 'argument "symbol" must be at most 50 symbols'],
    ['get_quotes', { symbol: 'A\0' }, 'argument "symbol" must be at most 50 symbols'],
    ['get_quotes', { symbol: '\ud800' }, 'argument "symbol" must be at most 50 symbols'],
    ['get_quotes', { date: '2026-04-08', to: '2026-04-08' }, '"date" cannot be used with'],
    ['get_quotes', { as_of: 99 }, '"as_of" is the number of a revision that does not exist'],
    ['list_revisions', { as_of: 99 }, '"as_of" is the number of a revision that does not exist'],
    ['get_quotes', { cursor: 'x' }, '"cursor" is not one that this service gave out'],
    ['get_series', { dataset: 'quotes' }, 'argument "dataset" must be one of atm-'],
    ['get_fund_allocation', { fund_id: 'none' }, 'no_record_found: find_funds lists'],
    ['get_corrections', { dataset: 'funds', symbol: 'A' }, 'unknown parameter "symbol"'],
    ['get_vintages', { dataset: 'quotes', release: 'last' }, 'argument "release" must be first'],
    ['get_vintages', { dataset: 'quotes', dimensions: { a: ['b'] } }, 'unknown dimension "a"'],
    ['compare_dates', { from: '2026-04-12', to: '2026-04-08' }, 'the nearest earlier date'],
    ['compare_dates', { from: '1999-01-01', to: '2026-04-08' }, 'nor are there on any earlier'],
  ])('%s with %p gives the model an error to read', async (name, args, message) => {
    const { isError, content } = await client.callTool({ name, arguments: args });
    expect(isError).toBe(true);
    expect(content).toEqual([{ type: 'text', text: expect.stringContaining(message) }]);
  });

  test('an unknown tool is an error of the protocol, which names those that there are', async () => {
    const call = client.callTool({ name: 'drop_tables', arguments: {} });
    await expect(call).rejects.toThrow('unknown tool "drop_tables"; there are describe_datasets');
  });

  test('a token reads what its scopes allow, and gets an error that names what it lacks', async () => {
    const limited = await connectMcpClient(service.address, PROTOCOL_VERSIONS[0], secret);
    const allowed = await limited.callTool({ name: 'find_funds' });
    expect(allowed.isError).toBeUndefined();
    const described = await limited.callTool({ name: 'describe_datasets' });
    const names = (getStructured(described).data as { name: string }[]).map(({ name }) => name);
    expect(names).toEqual(['fund-allocation', 'funds', 'datasets']);
    for (const [name, args] of [
      ['get_quotes', {}],
      ['describe_datasets', { dataset: 'quotes' }],
    ] as const) {
      const { isError, content } = await limited.callTool({ name, arguments: args });
      expect(isError).toBe(true);
      expect(JSON.stringify(content)).toContain('forbidden: this token lacks the scope');
    }
    await limited.close();
  });
});

interface Structured {
  readonly revision: number;
  readonly units: Readonly<Record<string, string>>;
  readonly truncated: boolean;
  readonly next: object | null;
  readonly address: string;
  readonly data: unknown;
}

function getStructured({ structuredContent }: { structuredContent?: unknown }): Structured {
  return structuredContent as Structured;
}

test('the list of tools hardly grows with the datasets that are declared', () => {
  const declared = Array.from({ length: 1_000 }, (_, index) =>
    createDeclaredDataset({ ...KIBOR, name: `kibor-${index}` }),
  );
  const measure = (datasets: readonly Dataset[]) =>
    JSON.stringify(createTools(datasets).map(describeTool)).length;
  expect(measure([...catalogue, ...declared])).toBeLessThan(1.2 * measure(catalogue));
});
