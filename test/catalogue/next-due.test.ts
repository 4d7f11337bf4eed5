import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import {
  atmTransactionsAnnualVolume as annualSeries,
  settlementTransactionsValue as monthlySeries,
  posTransactionsQuarterlyVolume as quarterlySeries,
} from '../../src/catalogue/datasets/series/index.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import {
  type FundFrequency,
  findLastCoveredDay,
  findNextDue,
  judgeTimeliness,
  type NewestData,
  type NextDue,
} from '../../src/catalogue/model/next-due.ts';
import { createPeriodKind } from '../../src/catalogue/model/period.ts';
import { DAY_MS, formatDay, isWeekend, parseDay } from '../../src/shared/calendar.ts';

/** The yield curve of 300 days, from January 2025 to June 2026. */
const CURVE_FILE = join(import.meta.dirname, '../../../shared/data/pkrv_2025-01_2026-06.csv');

const REAL = { sample: false };

const newestOf = (dataset: Dataset, last: string | null): NewestData => ({
  dataset,
  last,
  lastRevision: REAL,
});

const newestFunds = (lastByFrequency: readonly FundFrequency[]): NewestData => ({
  ...newestOf(fundAllocation, '2026-06-30'),
  lastByFrequency,
});

const monthlyTo = (date: string): FundFrequency => ({ frequency: 'monthly', date });

const formatNextDue = (nextDue: NextDue | null) =>
  nextDue && [nextDue.period, nextDue.dueAt.slice(0, 10), nextDue.lateAt.slice(0, 10)];

/** The newest data of a dataset, and that of the period after it. */
const newestAndNext = fc.oneof(
  fc.integer({ min: 0, max: 40_000 }).map((day) => {
    let next = day + 1;
    while (isWeekend(next)) next += 1;
    return [newestOf(quotes, formatDay(day)), newestOf(quotes, formatDay(next))] as const;
  }),
  fc
    .record({
      dataset: fc.constantFrom<Dataset>(annualSeries, quarterlySeries, monthlySeries),
      year: fc.integer({ min: 1_970, max: 2_098 }),
      part: fc.nat(),
    })
    .map(({ dataset, year, part }) => {
      const { kind } = dataset.period ?? fail();
      const count = kind.periodsPerYear;
      const ordinal = year * count + (part % count);
      return [
        newestOf(dataset, kind.formatLabel(ordinal)),
        newestOf(dataset, kind.formatLabel(ordinal + 1)),
      ] as const;
    }),
);

function fail(): never {
  throw new Error('a series without periods');
}

const findDue = (newest: NewestData): NextDue => findNextDue(newest) ?? fail();
const toTime = (instant: string) => Date.parse(instant);
const judgeAt = (nextDue: NextDue, time: number) => judgeTimeliness(nextDue, new Date(time));

describe('the next due data', () => {
  test('of days is judged by the newest ones, and is unknown if they do not tell', () => {
    const dataset: Dataset = {
      ...monthlySeries,
      period: { field: 'period', kind: createPeriodKind('day') },
      schedule: quotes.schedule,
    };
    const findAfter = (...recentDays: string[]) =>
      formatNextDue(findNextDue({ ...newestOf(dataset, '2026-11-13'), recentDays }));
    // Fridays; then Thursdays and Fridays, which are business days of their own weeks.
    expect(findAfter('2026-11-13', '2026-11-06')).toEqual([
      '2026-11-20',
      '2026-11-24',
      '2026-11-27',
    ]);
    expect(findAfter('2026-11-13', '2026-11-12', '2026-11-06', '2026-11-05')?.[0]).toBe(
      '2026-11-19',
    );
    expect(findAfter('2026-11-13', '2026-10-13', '2026-09-11')).toBeNull();
    expect(formatNextDue(findNextDue(newestOf(dataset, '2026-11-13')))?.[0]).toBe('2026-11-20');
  });

  test.each([
    // Friday, so that Monday's quotes are due by the end of Tuesday.
    ['2026-11-13', '2026-11-16', '2026-11-18', '2026-11-21', quotes],
    ['2026-11-12', '2026-11-13', '2026-11-17', '2026-11-20', quotes],
    // A Saturday session.
    ['2026-11-14', '2026-11-16', '2026-11-18', '2026-11-21', quotes],
    ['2026-12-30', '2026-12-31', '2027-01-02', '2027-01-07', quotes],
    ['Jan 2024', 'Feb 2024', '2024-04-15', '2024-04-30', monthlySeries],
    ['Jan 2023', 'Feb 2023', '2023-04-15', '2023-04-30', monthlySeries],
    ['Q4 2025', 'Q1 2026', '2026-06-20', '2026-07-10', quarterlySeries],
    ['2025', '2026', '2027-05-11', '2027-06-10', annualSeries],
    ['FY25', 'FY26', '2026-11-08', '2026-12-08', annualSeries],
    ['2024-25', '2025-26', '2026-11-08', '2026-12-08', annualSeries],
  ])('after %s comes %s, due from %s and late from %s', (last, period, due, late, dataset) => {
    expect(formatNextDue(findNextDue(newestOf(dataset, last)))).toEqual([period, due, late]);
  });

  test('is nothing for an empty dataset, and for one that ends with sample data', () => {
    for (const dataset of catalogue) {
      expect(findNextDue(newestOf(dataset, null))).toBeNull();
      const sample = { ...newestOf(dataset, '2026'), lastRevision: { sample: true } };
      expect(findNextDue(sample)).toBeNull();
    }
  });

  test('is on time before it is due, due before it is late, and late from then on', () => {
    fc.assert(
      fc.property(newestAndNext, ([newest]) => {
        const nextDue = findDue(newest);
        const [dueAt, lateAt] = [toTime(nextDue.dueAt), toTime(nextDue.lateAt)];
        expect(judgeAt(nextDue, dueAt - 1)).toEqual({ timeliness: 'on-time', daysDue: 0 });
        expect(judgeAt(nextDue, dueAt)).toEqual({ timeliness: 'due', daysDue: 0 });
        expect(judgeAt(nextDue, lateAt - 1).timeliness).toBe('due');
        expect(judgeAt(nextDue, lateAt)).toEqual({
          timeliness: 'late',
          daysDue: (lateAt - dueAt) / DAY_MS,
        });
      }),
    );
  });

  test('never becomes less late as time passes', () => {
    const order = ['on-time', 'due', 'late'];
    const time = fc.integer({ min: 0, max: 50_000 * DAY_MS });
    fc.assert(
      fc.property(newestAndNext, time, time, ([newest], a, b) => {
        const nextDue = findDue(newest);
        const [before, after] = [Math.min(a, b), Math.max(a, b)].map((at) => judgeAt(nextDue, at));
        if (!before || !after) throw new Error('two judgements');
        expect(after.daysDue).toBeGreaterThanOrEqual(before.daysDue);
        expect(order.indexOf(after.timeliness)).toBeGreaterThanOrEqual(
          order.indexOf(before.timeliness),
        );
      }),
    );
  });

  test('is on time right after a period was published before it was due', () => {
    fc.assert(
      fc.property(newestAndNext, ([newest, next]) => {
        const { dueAt, period } = findDue(newest);
        expect(next.last).toBe(period);
        expect(judgeAt(findDue(next), toTime(dueAt)).timeliness).toBe('on-time');
      }),
    );
  });

  test('is due only after its period has ended', () => {
    fc.assert(
      fc.property(newestAndNext, ([newest, next]) => {
        const lastDay = parseDay(findLastCoveredDay(next) ?? '');
        expect(toTime(findDue(newest).dueAt)).toBeGreaterThan((lastDay + 1) * DAY_MS);
      }),
    );
  });

  test('of quotes is a business day, and due and late by the end of one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 40_000 }), (day) => {
        const { period, dueAt, lateAt } = findDue(newestOf(quotes, formatDay(day)));
        const ends = [dueAt, lateAt].map((instant) => toTime(instant) / DAY_MS - 1);
        expect([parseDay(period), ...ends].filter(isWeekend)).toEqual([]);
      }),
    );
  });

  test('of quotes is not late after four weekdays of holidays, as at the Eid of 2025', () => {
    const nextDue = findDue(newestOf(quotes, '2025-03-27'));
    expect(judgeAt(nextDue, toTime('2025-04-03T23:00:00Z')).timeliness).toBe('due');
    expect(judgeAt(nextDue, toTime('2025-04-04T00:00:00Z')).timeliness).toBe('late');
  });
});

describe.skipIf(!existsSync(CURVE_FILE))(
  'the days of a real market (skipped without ../shared/data)',
  () => {
    test('are never late if each is loaded the next morning, and seldom due', () => {
      const lines = readFileSync(CURVE_FILE, 'utf8').trim().split('\n').slice(1);
      const days = [...new Set(lines.map((line) => parseDay(line.slice(0, 10))))];
      const [first = 0, last = 0] = [Math.min(...days), Math.max(...days)];
      const mornings = Array.from({ length: last - first }, (_, index) => first + index + 1);
      const counts = { 'on-time': 0, due: 0, late: 0 };
      for (const morning of mornings) {
        const newest = Math.max(...days.filter((day) => day < morning));
        const nextDue = findDue(newestOf(quotes, formatDay(newest)));
        counts[judgeAt(nextDue, (morning + 0.2) * DAY_MS).timeliness] += 1;
      }
      expect(counts).toEqual({ 'on-time': 515, due: 18, late: 0 });
    });
  },
);

describe('the next due data of funds', () => {
  test.each([
    ['weekly', '2026-06-26', '2026-07-03'],
    ['monthly', '2026-01-31', '2026-02-28'],
    ['Monthly ', '2026-02-28', '2026-03-31'],
    ['monthly', '2028-01-31', '2028-02-29'],
    ['quarterly', '2026-06-30', '2026-09-30'],
    ['half-yearly', '2026-06-30', '2026-12-31'],
    ['annual', '2026-06-30', '2027-06-30'],
  ])('that report %s, last on %s, is that of %s', (frequency, date, period) => {
    expect(findNextDue(newestFunds([{ frequency, date }]))?.period).toBe(period);
  });

  test('is that of the frequency that is due first', () => {
    const quarterlyFund = { frequency: 'quarterly', date: '2026-06-30' };
    const nextDue = findNextDue(newestFunds([quarterlyFund, monthlyTo('2026-07-31')]));
    expect(formatNextDue(nextDue)).toEqual(['2026-08-31', '2026-09-16', '2026-09-26']);
    const stopped = findNextDue(newestFunds([quarterlyFund, monthlyTo('2026-11-30')]));
    expect(formatNextDue(stopped)).toEqual(['2026-09-30', '2026-10-16', '2026-10-26']);
  });

  test('no longer awaits a frequency that missed three periods while other funds reported', () => {
    const findPeriod = (ended: FundFrequency) =>
      findNextDue(newestFunds([ended, { frequency: 'quarterly', date: '2026-06-30' }]))?.period;
    expect(findPeriod(monthlyTo('2026-04-30'))).toBe('2026-05-31');
    expect(findPeriod(monthlyTo('2026-03-31'))).toBe('2026-09-30');
  });

  test('is unknown if the frequency is', () => {
    for (const frequency of ['now and then', '', 'constructor', '__proto__'])
      expect(findNextDue(newestFunds([{ frequency, date: '2026-06-30' }]))).toBeNull();
    expect(findNextDue(newestFunds([]))).toBeNull();
  });
});

describe('announced instants', () => {
  const findDue = (schedule: Dataset['schedule'], dataset: Dataset, last: string) => {
    const { period, dueAt, lateAt } = findNextDue(newestOf({ ...dataset, schedule }, last)) ?? {};
    return [period, dueAt, lateAt];
  };
  const monthlyOn = (...dates: readonly string[]) => ({
    ...({ cadence: 'monthly', delayDays: 45, toleranceDays: 15 } as const),
    dates,
  });
  // Usually, April is due on 14 June, and May on 15 July.
  const DATES = ['2026-06-10T10:00:00+05:00', '2026-07-20T10:00:00+05:00'];

  test('take the place of the usual one that they are nearest to, tolerance included', () => {
    const schedule = monthlyOn(...DATES);
    expect(findDue(schedule, monthlySeries, 'Mar 2026')).toEqual([
      'Apr 2026',
      '2026-06-10T05:00:00.000Z',
      '2026-06-26T00:00:00.000Z',
    ]);
    expect(findDue(schedule, monthlySeries, 'Apr 2026')).toEqual([
      'May 2026',
      '2026-07-20T05:00:00.000Z',
      '2026-08-05T00:00:00.000Z',
    ]);
  });

  test('are not those of other periods', () => {
    expect(findDue(monthlyOn(...DATES), monthlySeries, 'May 2026')[1]).toBe(
      '2026-08-15T00:00:00.000Z',
    );
    const daily = { cadence: 'daily', delayDays: 1, toleranceDays: 1 } as const;
    const dates = ['2026-06-30T05:00:00Z'];
    expect(findDue({ ...daily, dates }, quotes, '2026-06-26')[1]).toBe('2026-06-30T05:00:00.000Z');
    expect(findDue({ ...daily, dates }, quotes, '2026-06-29')[1]).toBe('2026-07-02T00:00:00.000Z');
  });
});
