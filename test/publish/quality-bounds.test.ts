import { describe, expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { ivrBankingAnnualValue as ivr } from '../../src/catalogue/datasets/series/index.ts';
import { findStrayDays, findWeekendDate } from '../../src/publish/quality/day-warnings.ts';
import { findThinDay } from '../../src/publish/quality/history-warnings.ts';
import {
  findImplausibleCoupon,
  findQuoteFigureWarnings,
} from '../../src/publish/quality/plausible-figures.ts';
import {
  findUnusualMoves,
  type QuotedPrice,
} from '../../src/publish/quality/quote-change-warnings.ts';
import { findManyRetired, limitMissingSeries } from '../../src/publish/quality/refusal-rules.ts';
import {
  type ComparedMeasure,
  findUnusualChange,
  isUsualChange,
  isWithinPast,
} from '../../src/publish/quality/unusual-changes.ts';
import { PLAUSIBLE_BOUNDS } from '../../src/publish/quality/warning-rules.ts';
import { findYearsWarnings } from '../../src/publish/quality/years-warnings.ts';
import { quote } from '../support/quote-fixture.ts';

// Each rule exactly at its bound, and beyond it.

const { price, couponRate, share: _, percentOfTotal: __, ...ofQuotes } = PLAUSIBLE_BOUNDS;
const bounded = { bidPrice: price, askPrice: price, lastPrice: price, ...ofQuotes };

test.each(Object.entries(bounded))('%s is plausible within its bounds', (field, [min, max]) => {
  const rulesAt = (value: number) =>
    findQuoteFigureWarnings(quote({ [field]: value })).map(({ rule }): string => rule);
  for (const value of [min, max]) expect(rulesAt(value)).toEqual([]);
  expect(rulesAt(max + 0.01)).toEqual(['implausible-figure']);
  const below = rulesAt(min - 0.01);
  if (field === 'maturityYears') expect(below).toEqual([]);
  else expect(below).toEqual([min === 0 ? 'negative-figure' : 'implausible-figure']);
});

test.each(['bidVolume', 'askVolume', 'volume'])('%s may be 0, and not less', (field) => {
  expect(findQuoteFigureWarnings(quote({ [field]: 0 }))).toEqual([]);
  expect(findQuoteFigureWarnings(quote({ [field]: -1 }))).toMatchObject([
    { rule: 'negative-figure', field, value: -1, text: `${field} -1 is below 0` },
  ]);
});

test('a coupon is plausible within its bounds', () => {
  const [min, max] = couponRate;
  expect([undefined, min, max].map(findImplausibleCoupon)).toEqual([
    ...[undefined, undefined, undefined],
  ]);
  for (const value of [min - 0.01, max + 0.01])
    expect(findImplausibleCoupon(value)).toMatchObject({ rule: 'implausible-figure', value });
});

test.each<[string, number[], string | undefined]>([
  ['just half of the median', [5, 2, 10, 30, 20, 4], undefined],
  [
    'less than half of it',
    [4, 2, 10, 30, 20, 4],
    '4 quotes; the median of the 5 days before it is 10',
  ],
  ['one quote', [1, 9, 1, 10, 30, 20, 1_000], '1 quote; the median of the 5 days before it is 10'],
  ['four days before', [1, 10, 10, 10, 10], undefined],
  ['a median of 4', [1, 4, 4, 4, 4, 4], '1 quote; the median of the 5 days before it is 4'],
  ['a median of 3', [1, 3, 3, 3, 3, 3], undefined],
])('a newest day is thin or not with %s', (_title, counts, text) => {
  const days = counts.map((count, index) => ({ date: `2026-06-${30 - index}`, count }));
  expect(findThinDay(days)?.text).toBe(text && `2026-06-30, the newest day, has ${text}`);
});

test('there is no thin day without a day', () => {
  expect(findThinDay([])).toBeUndefined();
});

test.each<[number[], string | undefined]>([
  [[40, 10], '10 quotes are of day 1, and 40 of day 0'],
  [[39, 10], undefined],
  [[10, 1, 1], '2 quotes are of day 1 and other days, and 10 of day 0'],
  [[9, 1], undefined],
  [[50], undefined],
  [[], undefined],
])('of days with %p quotes, the strays are: %p', (counts, text) => {
  const warning = findStrayDays(new Map(counts.map((count, index) => [`day ${index}`, count])));
  expect(warning?.text).toBe(text);
  if (text) expect(warning).toMatchObject({ rule: 'stray-day', field: 'date', value: 'day 1' });
});

test.each([
  ['2026-06-26', 0, undefined],
  ['2026-06-27', 0, 'Saturday'],
  ['2026-06-28', 0, 'Sunday'],
  ['2026-06-29', 0, undefined],
  ['2026-06-28', 4, undefined],
  ['2026-06-28', 5, 'Sunday'],
])('%s, whose weekday had quotes %d weeks before, is an unusual %p', async (date, weeks, name) => {
  const day = Date.parse(date) / 86_400_000;
  const warning = await findWeekendDate(date, (other) => other === day - 7 * weeks && weeks > 0);
  const text = `${date} is a ${name}, as no other day with records in 4 weeks`;
  expect(warning?.text).toBe(name && text);
});

describe('moves between two quotes', () => {
  const last: QuotedPrice = { day: 100, basis: 'lastPrice', price: 100, ytm: 12, rate: undefined };
  const findRules = (next: Partial<QuotedPrice>, before: Partial<QuotedPrice> = {}) =>
    findUnusualMoves({ ...last, ...before }, { ...last, day: 101, ...next }).map(
      ({ rule }): string => rule,
    );

  test.each<[Partial<QuotedPrice>, string[]]>([
    [{ price: 110 }, []],
    [{ price: 110.1 }, ['price-jump']],
    [{ price: 89.9 }, ['price-jump']],
    [{ price: 110.1, basis: 'bidPrice' }, []],
    [{ price: 110.1, day: 107 }, ['price-jump']],
    [{ price: 110.1, day: 108 }, []],
    [{ price: 89, day: 93 }, ['price-jump']],
    [{ price: 110.1, day: 100 }, []],
    [{ ytm: 14 }, []],
    [{ ytm: 14.1 }, ['ytm-jump']],
    [{ ytm: 9.9 }, ['ytm-jump']],
    [{ ytm: 0 }, []],
    [{ ytm: 14.1, rate: 5 }, ['ytm-jump']],
    [{ price: 101, ytm: 12.3 }, []],
    [{ price: 101.1, ytm: 12.25 }, []],
    [{ price: 101.1, ytm: 12.3 }, ['price-with-ytm']],
    [{ price: 98.9, ytm: 11.7 }, ['price-with-ytm']],
    [{ price: 98.9, ytm: 12.3 }, []],
  ])('to %p: %p', (next, rules) => {
    expect(findRules(next)).toEqual(rules);
  });

  test('of a yield are compared only at one rate, and with a yield', () => {
    expect(findRules({ ytm: 20, rate: 5 }, { rate: 6 })).toEqual([]);
    expect(findRules({ ytm: 20, rate: 5 }, { rate: 5 })).toEqual(['ytm-jump']);
    expect(findRules({ ytm: 20 }, { rate: 5 })).toEqual(['ytm-jump']);
    expect(findRules({ ytm: 20 }, { ytm: 0 })).toEqual([]);
  });
});

test.each([
  [1, 0, 9, false],
  [2, 0, 18, false],
  [2, 0, 17, true],
  [1, 1, 8, false],
  [1, 1, 7, true],
])(
  'retiring %d beside %d corrected and %d unchanged is too many: %p',
  (retired, corrected, unchanged, isMany) => {
    const counts = { added: 50, retired, corrected, unchanged };
    const error = findManyRetired(quotes, counts);
    expect(error?.message).toBe(
      (isMany || undefined) &&
        `nothing was published: --replace would retire ${retired} of ${retired + corrected + unchanged} records of quotes, more than 10 %; --retire-many retires them`,
    );
  },
);

test.each([
  [0, 0, false],
  [4, 9, false],
  [5, 10, true],
  [9, 10, true],
])('a period that lacks %d of %d series is rejected: %p', (count, expected, isRejected) => {
  const missing = Array.from({ length: count }, (_item, index) => `s${index}`);
  const completeness = { place: 2024, expected, missing } as unknown as Parameters<
    typeof limitMissingSeries
  >[1];
  const error = limitMissingSeries(ivr, completeness);
  expect(error?.message.includes(`has ${expected - count} of the ${expected} series`)).toBe(
    isRejected || undefined,
  );
});

describe('a figure that is compared with its past', () => {
  const measure: ComparedMeasure = {
    name: 'a',
    isRate: false,
    isAdditive: false,
    minDifference: 0,
    isDailyFlow: false,
    maxChange: undefined,
    maxUnchanged: undefined,
  };
  const rate = { ...measure, isRate: true, minDifference: 0.5 };
  const flow = { ...measure, isDailyFlow: true };

  test.each<[string, ComparedMeasure, number, number, boolean]>([
    ['the same', measure, -5, -5, true],
    ['less than 1.3 times as much', measure, 10, 12.9, true],
    ['1.3 times as much', measure, 10, 13, false],
    ['1/1.3', measure, 13, 10, false],
    ['0', measure, 10, 0, false],
    ['from 0', measure, 0, 10, false],
    ['less than 20 times a daily flow', flow, 10, 199, true],
    ['20 times a daily flow', flow, 10, 200, false],
    ['a rate 0.4 higher', rate, 1, 1.4, true],
    ['a rate 0.5 higher', rate, 1, 1.5, false],
    ['a negative rate 0.4 lower', rate, -1, -1.4, true],
    ['a rate of another sign', rate, 0.1, -0.1, false],
    ['just the declared change', { ...measure, maxChange: 20 }, 10, 12, true],
    ['more than the declared change', { ...measure, maxChange: 20 }, 10, 12.1, false],
  ])('is usual or not: %s', (_title, compared, before, after, isUsual) => {
    expect(isUsualChange(compared, before, after)).toBe(isUsual);
  });

  const PAST = [10, 10.1, 10.2, 10.1, 10.2, 10.3, 10.2, 10.3];
  test.each<[string, ComparedMeasure, readonly number[], number, number, string | undefined]>([
    ['a jump', measure, PAST, 10.3, 14, 'unusual-change'],
    ['a jump of less than 1.3', measure, PAST, 10.3, 13.3, undefined],
    ['a jump with few changes before', measure, PAST.slice(1), 10.3, 14, undefined],
    ['a jump with few moves before', measure, [9, 9, 9, 9, 9, 9, 10, 10], 10, 90, undefined],
    ['a jump of five times the largest before', measure, [...PAST, 15], 10.3, 14, undefined],
    ['the other sign', measure, [10], 10, -10, 'negative-figure'],
    ['the other sign and another size', measure, [10], 10, -14, undefined],
    ['the other sign, as once before', measure, [10, -1], 10, -10, undefined],
    ['a daily flow of 20 times all others', flow, [1, 10], 5, 200, 'scale-jump'],
    ['a daily flow of less', flow, [1, 10], 5, 199, undefined],
    ['a daily flow of a twentieth', flow, [20, 40], 30, 1, 'scale-jump'],
    ['a daily flow with two figures before', flow, [10], 5, 500, undefined],
    ['a rate 0.6 higher', rate, [1, 1.01, 1, 1.01, 1, 1.01, 1, 1.01], 1, 1.6, 'unusual-change'],
    ['a rate 0.4 higher', rate, [1, 1.01, 1, 1.01, 1, 1.01, 1, 1.01], 1, 1.4, undefined],
    ['a tenth of a rate', rate, [8, 8.01, 8, 8.01, 8, 8.01, 8, 8.01], 8, 8.79, undefined],
    ['more than a tenth', rate, [8, 8.01, 8, 8.01, 8, 8.01, 8, 8.01], 8, 8.81, 'unusual-change'],
    ['more than declared', { ...measure, maxChange: 5 }, [], 100, 105.1, 'change-above-max'],
    ['as much as declared', { ...measure, maxChange: 5 }, [], 100, 105, undefined],
  ])('is warned of or not: %s', (_title, compared, past, before, after, rule) => {
    const history = { label: '2026', previousLabel: '2025', before, after, past };
    expect(findUnusualChange(compared, history)?.rule).toBe(rule as never);
  });

  test('is within its past from the least to the most of at least two', () => {
    const isWithin = (after: number) => isWithinPast([3, 1, 2], after);
    expect([0.9, 1, 3, 3.1].map(isWithin)).toEqual([false, true, true, false]);
    expect(isWithinPast([1], 1)).toBe(false);
  });
});

describe('years to maturity and duration', () => {
  const terms = { pricing: 'coupon', couponRate: 12, couponFrequency: 2 } as const;
  const findRules = (figures: object, days: number, given: object = terms) =>
    findYearsWarnings(quote({ type: 'bond', ytm: 12, ...figures }), days, given).map(
      ({ rule }): string => rule,
    );

  test.each<[object, number, string[], object]>([
    [{ maturityYears: 10, duration: 0 }, 3650, [], terms],
    [{ maturityYears: 10.24, duration: 0 }, 3650, [], terms],
    [{ maturityYears: 10.27, duration: 0 }, 3650, ['maturity-years-off'], terms],
    [{ maturityYears: 9, duration: 0 }, 3650, [], terms],
    [{ maturityYears: 8.7, duration: 0 }, 3650, ['maturity-years-off'], terms],
    [{ maturityYears: 0, duration: 0 }, 0, [], terms],
    [{ maturityYears: 5, duration: 0 }, -1, [], terms],
    [{ maturityYears: 10, duration: 5.73 }, 3650, [], terms],
    [{ maturityYears: 10, duration: 7.25 }, 3650, ['duration-off'], terms],
    [{ maturityYears: 10, duration: 3.25 }, 3650, ['duration-off'], terms],
    [{ maturityYears: 10, duration: 1.1 }, 3650, [], terms],
    [{ maturityYears: 10, duration: 1.2 }, 3650, ['duration-off'], terms],
    [{ maturityYears: 10, duration: 0.5 }, 3650, ['duration-off'], { pricing: 'discount' }],
    [{ maturityYears: 10, duration: 8.92 }, 3650, [], { pricing: 'discount' }],
    [{ maturityYears: 0.5, duration: 0.471698 }, 182.5, [], { pricing: 'discount' }],
    [{ maturityYears: 10, duration: 12.75 }, 3650, ['duration-off'], {}],
    [{ maturityYears: 10, duration: 9.9 }, 3650, [], {}],
    [{ maturityYears: 10, duration: 61 }, 3650, [], terms],
  ])('of %p with %d days left: %p', (figures, days, rules, given) => {
    expect(findRules(figures, days, given)).toEqual(rules);
  });
});
