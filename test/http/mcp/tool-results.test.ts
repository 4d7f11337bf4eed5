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
