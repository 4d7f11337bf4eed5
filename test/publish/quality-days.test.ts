import { describe, expect, test } from 'bun:test';
import { createRandom } from '../../scripts/sample/random.ts';
import {
  findDayWarnings,
  findStrayDays,
  findWeekendDate,
} from '../../src/publish/quality/day-warnings.ts';
import { findYearsWarnings } from '../../src/publish/quality/years-warnings.ts';
import { parseDay } from '../../src/shared/calendar.ts';
import { type Quote, quote } from '../support/quote-fixture.ts';

const findRules = (...days: readonly Quote[][]) => findDayWarnings(days).map(({ rule }) => rule);

/** A market of 60 securities, of which some are listed and some move from one day to the next. */
function simulateMarket(days: number, options: { movingShare: number; listedShare: number }) {
  const random = createRandom(`quiet ${options.movingShare} ${options.listedShare}`);
  const last = Array.from({ length: 60 }, (_, index) => quote({ symbol: `S${index}` }));
  return Array.from({ length: days }, (_, day) =>
    last.flatMap((before, index): Quote[] => {
      const date = `day ${String(day).padStart(4, '0')}`;
      const hasMoved = random.uniform() < options.movingShare;
      const size = Math.ceil(10 ** (5 * random.uniform()));
      const next = {
        ...before,
        date,
        bidPrice: hasMoved ? before.bidPrice + random.normal() / 100 : before.bidPrice,
        bidVolume: size,
        askVolume: Math.ceil(10 ** (5 * random.uniform())),
        volume: hasMoved ? size : 0,
      };
      last[index] = next;
      return random.uniform() < options.listedShare ? [next] : [];
    }),
  ).toReversed();
}

describe('a market that is quiet', () => {
  test.each([
    { movingShare: 1, listedShare: 1 },
    { movingShare: 0.5, listedShare: 1 },
    { movingShare: 0.3, listedShare: 1 },
    { movingShare: 0.02, listedShare: 1 },
    { movingShare: 0, listedShare: 1 },
    { movingShare: 0.5, listedShare: 0.5 },
    { movingShare: 0.2, listedShare: 0.8 },
  ])('is not warned of in four years, with %p', (options) => {
    const market = simulateMarket(1000, options);
    const rules = market.flatMap((_, index) => findRules(...market.slice(index, index + 3)));
    expect(rules).toEqual([]);
  });
});

describe('a day', () => {
  const day = (date: string, alter: (index: number) => Partial<Quote> = () => ({})) =>
    Array.from({ length: 40 }, (_, index) =>
      quote({ date, symbol: `S${index}`, bidPrice: 90 + index / 100, ...alter(index) }),
    );

  test('that repeats prices is stale only if they moved on the day before', () => {
    const [before, moved] = [
      day('2026-06-26'),
      day('2026-06-29', (index) => ({ bidPrice: 91 + index / 100 })),
    ];
    const repeat = (quotes: readonly Quote[]) =>
      quotes.map((record) => ({ ...record, date: '2026-06-30' }));
    expect(findRules(repeat(moved), moved, before)).toEqual(['stale-prices']);
    expect(findRules(repeat(before), before, before)).toEqual([]);
    // Three of forty moved.
    const some = repeat(moved).map((record, index) =>
      index < 3 ? { ...record, bidPrice: 99 } : record,
    );
    expect(findRules(some, moved, before)).toEqual([]);
  });

  test('on which a third of the securities matured lacks none', () => {
    const before = day('2026-06-29', (index) => ({
      maturityDate: index < 20 ? '2026-06-30' : '2026-12-03',
    }));
    expect(findRules(day('2026-06-30').slice(20), before, before)).toEqual([]);
    const alive = day('2026-06-29');
    expect(findRules(day('2026-06-30').slice(20), alive, alive)).toEqual(['securities-gone']);
    expect(findRules(day('2026-06-30').slice(13), alive, alive)).toEqual([]);
  });

  test('at a weekend is unusual if none of that weekday in the four weeks before has quotes', async () => {
    const saturday = '2026-06-27';
    const find = (...weeks: number[]) =>
      findWeekendDate(saturday, async (other) => weeks.includes((parseDay(saturday) - other) / 7));
    expect(await find(5)).toMatchObject({ rule: 'weekend-date', value: saturday });
    expect(await find(4)).toBeUndefined();
    expect(await find(1)).toBeUndefined();
    expect(await findWeekendDate('2026-06-26', async () => false)).toBeUndefined();
  });

  test('has strays if nearly all quotes of a load are of another one', () => {
    const find = (...counts: [string, number][]) => findStrayDays(new Map(counts))?.text;
    expect(find(['2026-06-30', 40], ['2026-06-29', 2])).toBe(
      '2 quotes are of 2026-06-29, and 40 of 2026-06-30',
    );
    expect(find(['2026-06-30', 40])).toBeUndefined();
    expect(find(['2026-06-30', 40], ['2026-06-29', 11])).toBeUndefined();
    expect(find(['2026-06-30', 9], ['2026-06-29', 1])).toBeUndefined();
  });
});

describe('years to maturity and durations', () => {
  const find = (differing: Partial<Quote>, daysLeft: number, couponRate?: number) =>
    findYearsWarnings(
      quote(differing),
      daysLeft,
      couponRate === undefined ? undefined : { couponRate, pricing: 'coupon' },
    ).map(({ rule }) => rule);
  const bond = { type: 'bond', ytm: 12 } as const;

  test('may be rounded, cut off, or counted in years of 360 days', () => {
    for (const maturityYears of [4.99, 5, 4.9, 4, 5.06])
      expect(find({ ...bond, maturityYears, duration: 0 }, 4.99 * 365)).toEqual([]);
    expect(find({ ...bond, maturityYears: 4.5, duration: 0 }, 4.99 * 365)).toEqual([
      'maturity-years-off',
    ]);
  });

  test('may be those of Macaulay, and of floaters, but not longer than the time to maturity', () => {
    const maturityYears = 10;
    // At par with coupons of 12, ten years have a modified duration of 5.73, and one of Macaulay of 6.08.
    for (const duration of [5.73, 6.08, 0.5, 0])
      expect(find({ ...bond, maturityYears, duration }, 3650, 12)).toEqual([]);
    for (const duration of [3.5, 9.5])
      expect(find({ ...bond, maturityYears, duration }, 3650, 12)).toEqual(['duration-off']);
    expect(find({ ...bond, maturityYears, duration: 9.5 }, 3650)).toEqual([]);
    expect(find({ ...bond, maturityYears, duration: 13.5 }, 3650)).toEqual(['duration-off']);
  });
});
