import { describe, expect, test } from 'bun:test';
import { annual, monthly, quarterly } from '../../../src/catalogue/model/period.ts';
import {
  createDayTicks,
  createPeriodTicks,
  thinTicks,
} from '../../../src/explorer/charts/ticks.ts';

const NEWEST_MONTH = monthly.toOrdinal('Jun 2026') ?? 0;
const createMonthTicks = createPeriodTicks(monthly.formatLabel, 12);

describe('createPeriodTicks', () => {
  test('steps by parts of a year or by whole years, never by five months', () => {
    for (let width = 60; width <= 1_600; width += 20) {
      const ticks = createMonthTicks(NEWEST_MONTH - 41, NEWEST_MONTH, width);
      const [last, previous] = [ticks.at(-1), ticks.at(-2)];
      if (last && previous) expect([1, 2, 3, 6, 12, 24]).toContain(last.value - previous.value);
      expect(ticks.some(({ label }) => label === 'Jan')).toBe(true);
    }
  });

  test('have the newest of years, which have no first period', () => {
    const years = createPeriodTicks(annual.formatLabel, 1)(2001, 2026, 200);
    expect(years.at(-1)).toEqual({ value: 2026, label: '2026', group: undefined });
  });

  test('labels every column where its short label fits', () => {
    const newest = quarterly.toOrdinal('Q2 2026') ?? 0;
    const ticks = createPeriodTicks(quarterly.formatLabel, 4)(newest - 9, newest, 290);
    expect(ticks.map(({ label, group }) => `${label} ${group}`)).toEqual(
      Array.from({ length: 10 }, (_, index) => quarterly.formatLabel(newest - 9 + index)),
    );
  });

  test('leaves room between labels', () => {
    for (let width = 60; width <= 1_600; width += 20) {
      const ticks = createMonthTicks(NEWEST_MONTH - 200, NEWEST_MONTH, width);
      expect(ticks.length * 3 * 6.6).toBeLessThan(width);
    }
  });
});

describe('createDayTicks', () => {
  test('names the year of the first tick, whatever month it is', () => {
    const ticks = createDayTicks(Date.parse('2025-07-02'), Date.parse('2026-06-30'), 600);
    expect(ticks[0]?.group).toBe('2025');
    expect(ticks.at(-1)?.group).toBe('2026');
    expect(ticks.find(({ value }) => value === Date.parse('2026-01-01'))?.label).toBe('Jan');
  });

  test('labels whole years by themselves', () => {
    const ticks = createDayTicks(Date.parse('2010-01-01'), Date.parse('2026-06-30'), 800);
    expect(ticks[0]).toEqual({ value: Date.parse('2010-01-01'), label: '2010' });
  });
});

test('thinTicks keeps the last tick, and those that are far enough before it', () => {
  const ticks = [0, 10, 40, 50, 100].map((value) => ({ value, label: String(value) }));
  const remaining = thinTicks(ticks, (value) => value, 45);
  expect(remaining.map(({ value }) => value)).toEqual([0, 50, 100]);
});
