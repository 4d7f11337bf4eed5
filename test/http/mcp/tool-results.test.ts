import { describe, expect, test } from 'bun:test';
import { catalogue } from '../../../src/catalogue/index.ts';
import {
  ANALYTICS_UNITS,
  analyticsOperation,
} from '../../../src/catalogue/operations/analytics.ts';
import { callTool, type ToolCall } from '../../../src/http/operations/mcp/call-tool.ts';
import { formatResult } from '../../../src/http/operations/mcp/format-result.ts';
import { describeTool } from '../../../src/http/operations/mcp/tool.ts';
import { createTools } from '../../../src/http/operations/mcp/tools/create-tools.ts';
import type { HttpResponse } from '../../../src/http/responses/response.ts';

const RESULT = { revision: 5, units: {}, next: null, address: 'http://x/y', data: [] };
const tools = createTools(catalogue);
const findTool = (name: string) => tools.find((tool) => tool.name === name) as (typeof tools)[0];

describe('the result of a tool', () => {
  test('says in a text what it is, of which revision, and how to go on', () => {
    const next = { limit: 2, cursor: 'c' };
    const { content } = formatResult({ ...RESULT, next, summary: '2 quotes', rows: [] });
    expect(content[0]?.text).toBe(
      '2 quotes (revision 5); there is more: call again with {"limit":2,"cursor":"c"}',
    );
  });

  test('has its rows as CSV, with a column for each nested value', () => {
    const rows = [
      {
        a: 1,
        period: { label: 'Jun', date: null },
        list: [{ key: 'x', value: 0.5 }],
        note: 'a,"b"',
      },
      { a: null, list: [{ key: 'y', value: 2 }] },
    ];
    const { content } = formatResult({ ...RESULT, summary: 's', rows });
    expect(content[0]?.text.split('\n').slice(1)).toEqual([
      'a,period.label,period.date,list.x,note,list.y',
      '1,Jun,,0.5,"a,""b""",',
      ',,,,,2',
    ]);
  });

  test('is made smaller where no limit was given and its records are long', async () => {
    const limits: number[] = [];
    const record = { revision: 1, old: { text: 'x'.repeat(4_000) }, new: null };
    const call = createCall((target) => {
      const limit = Number(new URL(target, 'http://x').searchParams.get('limit'));
      limits.push(limit);
      return Array(limit).fill(record);
    });
    await callTool(findTool('get_corrections'), { dataset: 'quotes' }, call);
    expect(limits).toEqual([10, 3]);
    await callTool(findTool('get_corrections'), { dataset: 'quotes', limit: 20 }, call);
    expect(limits).toEqual([10, 3, 20]);
  });

  test('costs a request for each target beyond the first', async () => {
    const charges: number[] = [];
    const call = createCall(() => [{ symbol: 'A', ytm: 1, lastPrice: 1 }], charges);
    const values = { from: '2026-04-07', to: '2026-04-08' };
    await callTool(findTool('compare_dates'), values, call);
    expect(charges).toEqual([1]);
  });
});

describe('the next call of a tool', () => {
  const RECORDS = Array.from({ length: 5 }, (_, index) => ({ period: `p${index}` }));
  const FUND = {
    fund_id: 'F',
    periods: RECORDS.map(({ period }) => ({ label: period, date: period })),
    rows: [{ label: 'Cash', values: [0, 1, 2, 3, 4] }],
  };
  const [{ name: series } = { name: '' }] = catalogue.filter(({ shape }) => shape === 'series');

  test.each([
    ['get_series', { dataset: series }, RECORDS],
    ['get_fund_allocation', { fund_id: 'F' }, FUND],
  ])('%s reads the same revision, and ends with the last record', async (name, args, data) => {
    const callWith = async (values: object): Promise<[number, object | null]> => {
      const call = createCall(() => data);
      const { data: page, next } = await callStructured(name, { ...args, ...values }, call);
      const items = Array.isArray(page) ? page : (page as typeof FUND).periods;
      return [items.length, next];
    };
    const next = { ...args, limit: 2, as_of: '1' };
    expect(await callWith({ limit: 2 })).toEqual([2, { ...next, offset: 2 }]);
    expect(await callWith({ limit: 2, offset: 2 })).toEqual([2, { ...next, offset: 4 }]);
    // The last page, one that ends with the last record, and one beyond it.
    expect(await callWith({ limit: 2, offset: 4 })).toEqual([1, null]);
    expect(await callWith({ limit: 2, offset: 3 })).toEqual([2, null]);
    expect(await callWith({ limit: 2, offset: 5 })).toEqual([0, null]);
    expect(await callWith({})).toEqual([5, null]);
  });

  test('of two dates reads both at the revision that the first read found', async () => {
    const targets: string[] = [];
    const call = createCall((target) => {
      targets.push(target);
      return ['A', 'B'].map((symbol) => ({ symbol, ytm: 1, lastPrice: 1 }));
    });
    const values = { from: '2026-04-07', to: '2026-04-08', limit: 1 };
    const { next } = await callStructured('compare_dates', values, call);
    const readAsOf = (target: string) => new URL(target, 'http://x').searchParams.get('as_of');
    expect(targets.map(readAsOf)).toEqual([null, '1']);
    expect(next).toEqual({ ...toTexts(values), limit: 1, offset: 1, as_of: '1' });
    targets.length = 0;
    await callTool(findTool('compare_dates'), { ...values, as_of: '2026-06-30' }, call);
    expect(targets.map(readAsOf)).toEqual(['2026-06-30', '1']);
  });
});

async function callStructured(name: string, values: object, call: ToolCall) {
  const result = await callTool(findTool(name), { ...values }, call);
  if (!('structuredContent' in result)) throw new Error(result.content[0]?.text);
  return result.structuredContent;
}

const toTexts = (values: object) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));

describe('the list of tools', () => {
  test('is short enough for a model to read', () => {
    const inputs = tools.map(describeTool).map(({ outputSchema: _, ...tool }) => tool);
    expect(JSON.stringify(inputs).length).toBeLessThan(16_000);
  });

  test('has a series that was just added', () => {
    const [series] = catalogue.filter(({ shape }) => shape === 'series');
    const added = createTools([...catalogue, { ...series, name: 'added-series' } as never]);
    for (const name of ['get_series', 'get_corrections', 'describe_datasets', 'list_revisions'])
      expect(
        JSON.stringify(added.find((tool) => tool.name === name)?.parameters.dataset),
      ).toContain('added-series');
  });

  test('names the units that the descriptions of analytics name', () => {
    const { properties } = analyticsOperation.dataSchema.items as {
      properties: Record<string, { description: string }>;
    };
    for (const [name, unit] of Object.entries(ANALYTICS_UNITS))
      expect(properties[name]?.description).toContain(unit.replace('per 100', '100'));
  });
});

/** A call for which every target has this data. */
function createCall(getData: (target: string) => unknown, charges: number[] = []): ToolCall {
  return {
    data: {} as ToolCall['data'],
    client: { charge: (count: number) => charges.push(count) } as never,
    respondToTarget: (_, __, target): HttpResponse => ({
      status: 200,
      body: JSON.stringify({ status: 'ok', data: getData(target) }),
      headers: new Headers(),
      revision: 1,
    }),
    origin: 'http://x',
    revision: null,
  };
}
