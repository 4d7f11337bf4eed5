import { describe, expect, test } from 'bun:test';
import type { Declaration } from '../../src/catalogue/model/declaration.ts';
import { errorMessage } from '../support/test-server.ts';
import { useDeclaredServer } from './declared-server.ts';

type Measure = Declaration['measures'][number];

const FLOW: Measure = { field: 'paid', title: 'Paid', unit: 'PKR billion', kind: 'flow' };
const RATE: Measure = { field: 'bid', title: 'Bid', unit: 'percent', kind: 'rate' };
const STOCK: Measure = { field: 'held', title: 'Held', unit: 'PKR billion', kind: 'stock' };
const INDEX: Measure = { field: 'level', title: 'Level', unit: '2020 = 100', kind: 'index' };

const declare = (
  name: string,
  period: Omit<Declaration['period'], 'field'>,
  measures: Declaration['measures'],
): Declaration => ({ name, title: name, period: { ...period, field: 'when' }, measures });

const { get, getRecords } = useDeclaredServer([
  [declare('days', { kind: 'day' }, [FLOW]), []],
  [declare('weeks', { kind: 'week' }, [FLOW, INDEX]), []],
  [
    declare('months', { kind: 'month' }, [FLOW, RATE, STOCK]),
    ['Jan', 'Feb', 'Mar', 'Apr'].map((month, index) => ({
      when: `${month} 2026`,
      paid: Number.MAX_SAFE_INTEGER,
      bid: [5e-324, Number.MAX_SAFE_INTEGER][index % 2],
      held: index,
    })),
  ],
  [declare('quarters', { kind: 'quarter' }, [STOCK]), []],
  [declare('fiscal-quarters', { kind: 'quarter', yearStart: 5 }, [FLOW]), []],
  [declare('years', { kind: 'year', yearStart: 7 }, [RATE]), []],
]);

const ALL_UNITS = 'one of lin, chg, ch1, pch, pc1, pca, cch, cca, log';
const ALL_AGGREGATES = 'one of sum, mean, first, last, min, max';
const ALL_FREQUENCIES = 'one of week, month, quarter, year';
const NEEDS_YEARS = 'only with "frequency" as quarter or year';

describe('a transform that cannot be is an error that names what can be', () => {
  test.each([
    [
      'weeks?frequency=week',
      'the periods of the data, which are of a week: one of month, quarter, year',
    ],
    [
      'months?frequency=week',
      'the periods of the data, which are of a month: one of quarter, year',
    ],
    ['months?frequency=month', 'which are of a month: one of quarter, year'],
    ['quarters?frequency=quarter', 'which are of a quarter: one of year'],
    ['years?frequency=year', 'which are of a year: none is coarser'],
    ['years?frequency=month&year_start=7', 'which are of a year: none is coarser'],
    ['days?frequency=day', ALL_FREQUENCIES],
    ['days?frequency=Month', ALL_FREQUENCIES],
    ['days?frequency=monthly', ALL_FREQUENCIES],
    ['days?frequency=', `"frequency" is empty; it must be ${ALL_FREQUENCIES}`],
    ['days?frequency=month&frequency=month', '"frequency" is given more than once'],
    ['months?frequency=year&aggregate=sum', 'cannot be sum, because bid is of the kind rate'],
    [
      'months?frequency=year&aggregate=sum&format=csv&fields=held,when',
      'because held is of the kind stock',
    ],
    ['weeks?frequency=year&aggregate=sum', 'level is of the kind index'],
    ['quarters?frequency=year&aggregate=sum', 'give one of mean, first, last, min, max'],
    ['days?frequency=year&aggregate=avg', ALL_AGGREGATES],
    ['days?frequency=year&aggregate=', ALL_AGGREGATES],
    ['days?aggregate=mean', '"aggregate" can be used only with "frequency"'],
    ['days?aggregate=mean&units=pch', '"aggregate" can be used only with "frequency"'],
    ['days?fields=observed&format=csv', '"observed" can be used only with "frequency"'],
    ['days?min_share=0.5', '"min_share" can be used only with "frequency"'],
    ['days?partial=true&units=pch', '"partial" can be used only with "frequency"'],
    ['months?frequency=year&aggregate=mean&min_share=1.5', '"min_share" must be a share from 0 to'],
    ['months?frequency=year&aggregate=mean&partial=yes', '"partial" must be one of true, false'],
    ['months?frequency=year&min_share=0.5', 'because paid is summed'],
    ['months?frequency=year&min_share=0.5', 'give "aggregate" as one of mean, first'],
    ['days?year_start=7', NEEDS_YEARS],
    ['days?year_start=7&units=pc1', NEEDS_YEARS],
    ['days?frequency=month&year_start=7', NEEDS_YEARS],
    ['days?frequency=week&year_start=1', NEEDS_YEARS],
    [
      'quarters?frequency=year&year_start=2',
      '"year_start" must be one of 1, 4, 7, 10: the quarters',
    ],
    ['fiscal-quarters?frequency=year&year_start=1', '"year_start" must be one of 2, 5, 8, 11'],
    ...['0', '13', '-1', '1.0', '1e0', 'NaN', 'July', ''].map((text) => [
      `days?frequency=year&year_start=${text}`,
      'a whole number from 1 to 12',
    ]),
    ...['yoy', 'PCH', 'NaN', 'Infinity', 'pch,pc1', ''].map((text) => [
      `days?units=${text}`,
      ALL_UNITS,
    ]),
    ['days?units=pch&units=pch', '"units" is given more than once'],
    ['months?frequency=year&from=2026&to=2025', '"from" must not be later than "to"'],
    ['months?frequency=year&from=Feb 2026&to=2025-12-31', '"from" must not be later than "to"'],
    ['months?frequency=year&year_start=7&from=26', '"from" must be a year such as FY2024'],
    ['months?frequency=year&from=FY2026', '"from" must be a year such as 2024'],
    ['months?frequency=year&to=Q1 2026', '"to" must be a year such as 2024'],
    ['days?frequency=month&from=2026-02-30', '"from" must be a month such as Jan 2024, 2024-01'],
    ['months?frequency=year&unit=pch', 'unknown parameter "unit"; allowed: from, to, limit,'],
  ] as [string, string][])('%s: %s', async (target, message) => {
    const response = await get(`/datasets/${target}`);
    expect([response.status, await errorMessage(response)]).toEqual([
      400,
      expect.stringContaining(message),
    ]);
  });
});

test('periods of a range have labels of the result or of the data, or are days in them', async () => {
  for (const from of ['Q1 2026', '2026-Q1', 'Feb 2026', '2026-02', '2026-03-31']) {
    const target = `/datasets/months?frequency=quarter&from=${from}&to=${from}`;
    expect((await getRecords(target)).map(({ when }) => when)).toEqual(['Q1 2026']);
  }
});

test('flows alone can be summed, and a dataset without records has none', async () => {
  const [, first] = await getRecords(
    '/datasets/months?frequency=quarter&aggregate=sum&format=ndjson&fields=when,paid',
  );
  expect(first).toEqual({ when: 'Q1 2026', paid: 3 * Number.MAX_SAFE_INTEGER });
  for (const target of ['days?units=chg', 'days?units=pc1', 'weeks?frequency=year&units=pca'])
    expect(await getRecords(`/datasets/${target}`)).toEqual([]);
});

test('figures at the limits of doubles give null, never Infinity or NaN', async () => {
  const texts = await Promise.all(
    ['chg', 'pch', 'pca', 'cch', 'cca', 'log'].map(async (units) => {
      const { status, body } = await get(`/datasets/months?units=${units}`).then(async (sent) => ({
        status: sent.status,
        body: await sent.text(),
      }));
      expect(status).toBe(200);
      return body;
    }),
  );
  expect(texts.join()).not.toMatch(/Infinity|NaN/);
  const [newest] = JSON.parse(texts[2] ?? '').data;
  expect(newest).toEqual({ when: 'Apr 2026', paid: 0, bid: null, held: expect.any(Number) });
});
