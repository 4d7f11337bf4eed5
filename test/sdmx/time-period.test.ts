import { describe, expect, test } from 'bun:test';
import { annual, createPeriodKind, quarterly } from '../../src/catalogue/model/period.ts';
import { toFlowId } from '../../src/catalogue/model/sdmx-address.ts';
import { assignIds, toCodeId } from '../../src/sdmx/identifiers.ts';
import {
  createPeriodFilter,
  createPeriodFormatter,
  parseTimePeriod,
} from '../../src/sdmx/time-period.ts';
import { formatDay } from '../../src/shared/calendar.ts';

const day = createPeriodKind('day');
const week = createPeriodKind('week');
const month = createPeriodKind('month');
const fiscalQuarter = createPeriodKind('quarter', 4);
const fiscalYear = createPeriodKind('year', 7);

test.each([
  [day, '2026-01-31', '2026-01-31', undefined],
  [week, '2026-W05', '2026-W05', undefined],
  [month, 'Jan 2026', '2026-01', undefined],
  [quarterly, 'Q4 2025', '2025-Q4', undefined],
  [fiscalQuarter, 'Q1 FY2026', '2025-Q1', '--04-01'],
  [fiscalYear, 'FY2026', '2025-A1', '--07-01'],
  [annual, '2024', '2024', undefined],
  [annual, 'FY24', '2023-A1', '--07-01'],
  [annual, '2023-24', '2023-A1', '--07-01'],
])('%#: a label is written as SDMX has it', (kind, label, text, yearStartDay) => {
  expect(createPeriodFormatter(kind)(label)).toEqual({
    text,
    ...(yearStartDay !== undefined && { yearStartDay }),
  });
});

test.each([
  ['2024', 1, '2024-01-01', '2024-12-31'],
  ['2024-02', 1, '2024-02-01', '2024-02-29'],
  ['2024-02-29', 1, '2024-02-29', '2024-02-29'],
  ['2024-02-29T12:00:00+05:00', 1, '2024-02-29', '2024-02-29'],
  ['2024-Q2', 1, '2024-04-01', '2024-06-30'],
  ['2024-Q2', 7, '2024-10-01', '2024-12-31'],
  ['2024-A1', 7, '2024-07-01', '2025-06-30'],
  ['2024-S2', 1, '2024-07-01', '2024-12-31'],
  ['2024-T3', 1, '2024-09-01', '2024-12-31'],
  ['2024-M02', 1, '2024-02-01', '2024-02-29'],
  ['2024-W01', 1, '2024-01-01', '2024-01-07'],
  ['2024-D366', 1, '2024-12-31', '2024-12-31'],
])('%s in years from month %d means the days from %s to %s', (text, yearStart, first, last) => {
  expect(parseTimePeriod(text, yearStart)?.map(formatDay)).toEqual([first, last]);
});

test.each(['', '24', '0000', '2024-13', '2023-02-29', '2024-Q5', '2024-X1', '2025-W53', '2024-1'])(
  '%j is no period',
  (text) => {
    expect(parseTimePeriod(text)).toBeUndefined();
  },
);

describe('a range of periods', () => {
  test.each([
    // A day means the period that contains it.
    [month, '2024-05-15', '2024-06-15', 'May 2024', 'Jun 2024'],
    [month, '2024', '2024-Q2', 'Jan 2024', 'Jun 2024'],
    // Weeks belong to the year of their Thursday.
    [week, '2025', '2025', '2025-W01', '2025-W52'],
    // Calendar years mean the fiscal ones that begin in them, as these are named.
    [fiscalYear, '2025', '2025', 'FY2026', 'FY2026'],
    [fiscalYear, '2025-A1', '2025-A1', 'FY2026', 'FY2026'],
    [fiscalQuarter, '2025-Q1', '2025-Q4', 'Q1 FY2026', 'Q4 FY2026'],
    [fiscalQuarter, '2025-04', '2025-06', 'Q1 FY2026', 'Q1 FY2026'],
  ])('%#: from %s %s', (kind, start, end, first, last) => {
    expect(createPeriodFilter(kind, { start, end })).toEqual({
      from: kind.toOrdinal(first) ?? 0,
      to: kind.toOrdinal(last) ?? 0,
    });
  });

  test.each([
    ['2023-A1', '2023-A1', ['FY24', '2023']],
    ['2023-A1', undefined, ['FY24', '2023', 'FY25', '2024']],
    [undefined, '2023-A1', ['FY23', 'FY24', '2022', '2023']],
    ['2023-03', '2023-09', ['FY23', 'FY24', '2023']],
    [undefined, undefined, undefined],
  ])('from %s to %s has calendar and fiscal years', (start, end, expected) => {
    const { includes } = createPeriodFilter(annual, { start, end });
    const labels = ['FY23', 'FY24', 'FY25', '2022', '2023', '2024'];
    expect(includes && labels.filter(includes).toSorted()).toEqual(expected?.toSorted());
  });
});

test('ids have the characters of SDMX, and no two values the same', () => {
  expect(toFlowId({ name: 'fx-rates-2' })).toBe('FX_RATES_2');
  expect([...assignIds(['a b', 'a_b', 'a.b', 'é', '', 'a$b-C@'], toCodeId).values()]).toEqual([
    ...['a_b', 'a_b_2', 'a_b_3', '_', '__2', 'a$b-C@'],
  ]);
});
