import { describe, expect, test } from 'bun:test';
import { quotes } from '../../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../../src/catalogue/index.ts';
import type { HttpResponse } from '../../../src/http/responses/response.ts';
import {
  ANALYTICS_UNITS,
  analyticsOperation,
} from '../../../src/operations/analytics/analytics-operation.ts';
import { callTool, type ToolCall } from '../../../src/operations/mcp/call-tool.ts';
import { describeTool, formatCount, formatResult } from '../../../src/operations/mcp/tool.ts';
import { createTools } from '../../../src/operations/mcp/tools/create-tools.ts';

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
      { a: null, list: [{ key: 'y', value: 2 }], note: 'two\nlines' },
    ];
    const { content } = formatResult({ ...RESULT, summary: 's', rows });
    expect(content[0]?.text.split('\n').slice(1)).toEqual([
      'a,period.label,period.date,list.x,note,list.y',
      '1,Jun,,0.5,"a,""b""",',
      ',,,,"two',
      'lines",2',
    ]);
  });

  test('is made smaller if no limit was given and its records are long', async () => {
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
    // At least one, however long it is.
    record.old.text = 'x'.repeat(40_000);
    await callTool(findTool('get_corrections'), { dataset: 'quotes' }, call);
    expect(limits.slice(3)).toEqual([10, 1]);
  });

  test('counts its items, one of them in the singular', () => {
    const counted = [0, 1, 2].map((count) => formatCount(count, 'securities'));
    expect(counted).toEqual(['0 securities', '1 security', '2 securities']);
    expect(formatCount(1, 'quotes')).toBe('1 quote');
  });

  test('has a row for each value that was corrected, and one for a record that was retired', async () => {
    const old = quotes.example;
    const corrections = [
      { revision: 9, change: 'retired', old, new: null },
      { revision: 8, change: 'corrected', old, new: { ...old, ytm: 11, volume: 3 } },
    ];
    const call = createCall(() => corrections);
    const { content } = await callTool(findTool('get_corrections'), { dataset: 'quotes' }, call);
    const [summary, header, ...rows] = content[0]?.text.split('\n') ?? [];
    expect(summary).toStartWith('2 corrections');
    expect(header).toBe('revision,change,date,symbol,value,old,new');
    const key = `${old.date},${old.symbol}`;
    expect(rows.toSorted()).toEqual([
      `8,corrected,${key},volume,${old.volume},3`,
      `8,corrected,${key},ytm,${old.ytm},11`,
      `9,retired,${key},,,`,
    ]);
  });

  test('of an empty database names no revision in its address', async () => {
    const targets: string[] = [];
    const call = createCall((target) => {
      targets.push(target);
      return [{ symbol: 'A', ytm: 1, lastPrice: 1 }];
    });
    const { respondToTarget } = call;
    const empty: ToolCall = {
      ...call,
      respondToTarget: async (...values) => ({
        ...(await respondToTarget(...values)),
        revision: 0,
      }),
    };
    const { address } = await callStructured('get_quotes', {}, empty);
    expect(address).toBe('http://x/2.0/bnb/quote?limit=20');
    await callStructured('compare_dates', { from: '2026-04-07', to: '2026-04-08' }, empty);
    expect(targets.filter((target) => target.includes('as_of'))).toEqual([]);
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

  test('get_fund_allocation reads the same revision, and ends with the last record', async () => {
    const callWith = async (values: object): Promise<[number, object | null]> => {
      const call = createCall(() => FUND);
      const args = { fund_id: 'F', ...values };
      const { data, next } = await callStructured('get_fund_allocation', args, call);
      return [(data as typeof FUND).periods.length, next];
    };
    const next = { fund_id: 'F', limit: 2, as_of: '1' };
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

describe('a comparison of two dates', () => {
  const DATES = { from: '2026-04-07', to: '2026-04-08' };
  type Quotes = Readonly<Record<string, readonly [ytm: number, price: number]>>;
  const compare = async (from: Quotes, to: Quotes) => {
    const call = createCall((target) => {
      const quotes = target.includes(`date=${DATES.from}`) ? from : to;
      return Object.entries(quotes).map(([symbol, [ytm, lastPrice]]) => ({
        symbol,
        ytm,
        lastPrice,
      }));
    });
    const { data } = await callStructured('compare_dates', DATES, call);
    return data as { changes: Record<string, unknown>[]; medianYtmChange: number | null };
  };

  test('has the largest changes first, the median, and what was quoted on one date alone', async () => {
    const from: Quotes = { A: [10, 100], B: [12, 98], C: [9, 101], D: [8, 8], X: [7, 7] };
    const to: Quotes = { A: [10.5, 99], B: [11, 99.5], C: [9, 101.25], D: [8.25, 8], E: [6, 6] };
    const result = await compare(from, { ...to, F: [6, 6] });
    expect(result).toMatchObject({ compared: 4, onlyFrom: 1, onlyTo: 2 });
    const rows = result.changes.map((change) => [
      change.symbol,
      change.ytmFrom,
      change.ytmTo,
      change.ytmChange,
      change.priceChange,
    ]);
    expect(rows).toEqual([
      ['B', 12, 11, -100, 1.5],
      ['A', 10, 10.5, 50, -1],
      ['D', 8, 8.25, 25, 0],
      ['C', 9, 9, 0, 0.25],
    ]);
    // Halfway between 0 and 25, and the middle one of three.
    expect(result.medianYtmChange).toBe(12.5);
    const { D: _, ...three } = to;
    expect((await compare(from, three)).medianYtmChange).toBe(0);
  });

  test('has no change if a yield was not computed or a price not quoted', async () => {
    const { changes, medianYtmChange } = await compare(
      { A: [0, 100], B: [11, 0], C: [0, 0] },
      { A: [10, 0], B: [0, 99], C: [0, 0] },
    );
    const [a, b, c] = changes;
    expect(a).toMatchObject({ ytmFrom: null, ytmTo: 10, priceFrom: 100, priceTo: null });
    expect(b).toMatchObject({ ytmFrom: 11, ytmTo: null, priceFrom: null, priceTo: 99 });
    expect(c).toMatchObject({ ytmFrom: null, ytmTo: null, priceFrom: null, priceTo: null });
    for (const change of changes)
      expect(change).toMatchObject({ ytmChange: null, priceChange: null });
    expect(medianYtmChange).toBeNull();
  });

  test('of more quotes than are compared is an error that says what to give', async () => {
    const link = '</2.0/bnb/quote?cursor=abc&limit=2000>; rel="next"';
    const call = createCall(() => [{ symbol: 'A', ytm: 1, lastPrice: 1 }], [], link);
    await expect(callStructured('compare_dates', DATES, call)).rejects.toThrow(
      'more than 2000 quotes on 2026-04-08; give "type" or "symbol"',
    );
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
    expect(JSON.stringify(inputs).length).toBeLessThan(23_500);
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
function createCall(
  getData: (target: string) => unknown,
  charges: number[] = [],
  link?: string,
): ToolCall {
  return {
    exchange: { charge: (count: number) => charges.push(count) } as never,
    respondToTarget: async (target): Promise<HttpResponse> => ({
      status: 200,
      body: JSON.stringify({ status: 'ok', data: getData(target) }),
      headers: new Headers(link === undefined ? {} : { Link: link }),
      revision: 1,
    }),
    origin: 'http://x',
    revision: null,
  };
}
