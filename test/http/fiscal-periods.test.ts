import { describe, expect, test } from 'bun:test';
import { createDeclaredDataset } from '../../src/catalogue/model/create-dataset.ts';
import type { Declaration } from '../../src/catalogue/model/declaration.ts';
import { declareIn } from '../support/declared-rates.ts';
import { createMessage, postMessage } from '../support/mcp-client.ts';
import { createFilledStore } from '../support/store.ts';
import { errorMessage } from '../support/test-server.ts';
import { useTestServer } from '../support/use-test-server.ts';

const declare = (
  name: string,
  kind: 'week' | 'month' | 'quarter' | 'year',
  yearStart?: number,
): Declaration => ({
  name,
  title: name,
  period: { kind, field: 'period', ...(yearStart && { yearStart }) },
  measures: [{ field: 'total', title: 'Total', unit: 'PKR billion', kind: 'flow' }],
});
const FISCAL = declare('fiscal', 'quarter', 7);
const CALENDAR = declare('calendar', 'quarter', 1);
const MONTHLY = declare('monthly', 'month');
const WEEKLY = declare('weekly', 'week');
const ANNUAL = declare('annual', 'year', 4);

const service = useTestServer(async () => {
  const store = await createFilledStore();
  await declareIn(store, FISCAL, CALENDAR, MONTHLY, WEEKLY, ANNUAL);
  const publish = (declaration: Declaration, periods: readonly string[]) =>
    store.publish(
      createDeclaredDataset(declaration),
      periods.map((period, index) => ({ period, total: index })),
    );
  // The same days: July to September 2025, and January to March 2025.
  await publish(FISCAL, ['Q1 FY2026', 'Q3 FY2025']);
  await publish(CALENDAR, ['Q3 2025', 'Q1 2025']);
  await publish(MONTHLY, ['Jul 2025', 'Aug 2025', 'Sep 2025']);
  // 1 January 2021 is in the last week of 2020, 31 December 2025 in the first one of 2026.
  await publish(ANNUAL, ['FY2024', 'FY2025', 'FY2026']);
  await publish(WEEKLY, ['2020-W53', '2021-W01', '2025-W52', '2026-W01']);
  return store;
});

const REQUIREMENT =
  'a quarter such as Q3 FY2024, 2024 or 2024-01 for its first or last quarter, or a day in it as YYYY-MM-DD';

describe('a quarter of fiscal years', () => {
  test.each([
    '/datasets/fiscal?from=PERIOD',
    '/datasets/fiscal?to=PERIOD',
    '/datasets/fiscal?units=pch&from=PERIOD',
    '/datasets/monthly?frequency=quarter&year_start=7&from=PERIOD',
    '/vintages/fiscal?from=PERIOD',
    '/vintages/fiscal?to=PERIOD',
    '/aligned?columns=fiscal.total&from=PERIOD',
    '/aligned?columns=fiscal.total&to=PERIOD',
    '/aligned?columns=monthly.total&frequency=quarter&year_start=7&from=PERIOD',
    '/openbb/datasets/fiscal?from=PERIOD',
  ])('is not requested as 2025-Q3, but by its label or a day: %s', async (target) => {
    const request = (period: string) =>
      service.request(target.replace('PERIOD', encodeURIComponent(period)));
    const response = await request('2025-Q3');
    expect(response.status).toBe(400);
    expect(await errorMessage(response)).toContain('must be a quarter such as Q3 FY2024, ');
    const byLabel = await request('Q1 FY2026');
    expect(byLabel.status).toBe(200);
    expect(await (await request('2025-08-14')).text()).toBe(await byLabel.text());
  });

  test.each([
    ['fiscal.total', 'from', 'Q1 FY2026', ['Q1 FY2026']],
    ['fiscal.total', 'to', 'Q4 FY2025', ['Q3 FY2025']],
    ['fiscal.total', 'from', '2025-03-31', ['Q1 FY2026', 'Q3 FY2025']],
    ['calendar.total', 'from', '2025-Q3', ['Q3 2025']],
    ['calendar.total', 'to', '2025-Q2', ['Q1 2025']],
    ['fiscal.total&frequency=year', 'from', 'FY2026', ['FY2026']],
    ['fiscal.total&frequency=year', 'to', '2025-06-30', ['FY2025']],
  ])('is a bound of a table of %s: %s=%s', async (columns, bound, period, expected) => {
    const target = `/aligned?columns=${columns}&${bound}=${encodeURIComponent(period)}`;
    const { data } = await service.getJson(target);
    expect(data.map((row: { period: string }) => row.period)).toEqual(expected);
  });

  test.each(['year', undefined])(
    'is not requested as 2025-Q3 if it names a year of a table, whose frequency is %p',
    async (frequency) => {
      const years = frequency ? '&frequency=year' : '';
      const response = await service.request(`/aligned?columns=fiscal.total${years}&from=2025-Q3`);
      expect(response.status).toBe(400);
    },
  );

  test('is not an argument of a tool of MCP as 2025-Q3', async () => {
    const call = async (from: string) => {
      const params = { name: 'get_series', arguments: { dataset: 'fiscal', from } };
      const { body, headers } = createMessage('tools/call', params);
      const response = await postMessage(service.address, body, headers);
      return JSON.stringify(await response.json());
    };
    expect(await call('2025-Q3')).toContain(REQUIREMENT);
    expect(await call('Q1 FY2026')).not.toContain('"isError":true');
  });

  test('is described without that form, which quarters of the calendar have', async () => {
    const { paths } = await service.getJson('/openapi.json');
    const describeFrom = (path: string) =>
      paths[path].get.parameters.find(({ name }: { name: string }) => name === 'from').description;
    expect(describeFrom('/datasets/fiscal')).toContain(REQUIREMENT);
    expect(describeFrom('/datasets/fiscal')).not.toContain('2024-Q1');
    expect(describeFrom('/datasets/calendar')).toContain('Q1 2024, 2024-Q1, 2024 or 2024-01 for');
  });
});

test('a quarter of calendar years is requested as 2025-Q3, also for fiscal years made of it', async () => {
  const getPeriods = async (query: string) => {
    const { data } = await service.getJson(`/datasets/calendar?${query}`);
    return data.map(({ period }: { period: string }) => period);
  };
  expect(await getPeriods('from=2025-Q3')).toEqual(['Q3 2025']);
  const years = 'frequency=year&year_start=7&complete=true';
  expect((await service.request(`/datasets/calendar?${years}`)).status).toBe(400);
  expect(await getPeriods('frequency=year&year_start=7&from=2025-Q3')).toEqual(['FY2026']);
});

describe('a week', () => {
  test.each([
    ['from=2021', ['2026-W01', '2025-W52', '2021-W01']],
    ['from=2021-01', ['2026-W01', '2025-W52', '2021-W01']],
    ['to=2025', ['2025-W52', '2021-W01', '2020-W53']],
    ['from=2025-12&to=2025-12', ['2025-W52']],
    ['from=2026-01&to=2026-01', ['2026-W01']],
    ['to=2025-12-31', ['2026-W01', '2025-W52', '2021-W01', '2020-W53']],
    ['from=2021-01-01&to=2021-01-01', ['2020-W53']],
  ])('belongs to the month and the year of its Thursday: %s', async (query, weeks) => {
    const records = (await service.getJson(`/datasets/weekly?${query}`)).data;
    expect(records.map(({ period }: { period: string }) => period)).toEqual(weeks);
    const rows = (await service.getJson(`/aligned?columns=weekly.total&${query}`)).data;
    expect(rows.map(({ period }: { period: string }) => period)).toEqual(weeks);
  });

  test('of 2026 is not before one of 2025', async () => {
    const response = await service.request('/datasets/weekly?from=2026&to=2025');
    expect(response.status).toBe(400);
  });
});

describe('a fiscal year', () => {
  test.each(['/datasets/annual?', '/aligned?columns=annual.total&', '/vintages/annual?'])(
    'is requested by a month in it, but not by a plain year: %s',
    async (target) => {
      const { data } = await service.getJson(`${target}from=2024-03&to=2024-04`);
      expect(data.map(({ period }: { period: string }) => period)).toEqual(['FY2025', 'FY2024']);
      const response = await service.request(`${target}from=2024`);
      expect(response.status).toBe(400);
    },
  );
});
