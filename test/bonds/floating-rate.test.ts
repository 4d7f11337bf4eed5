import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { getCashFlows } from '../../src/bonds/curve/index.ts';
import {
  accruedInterest,
  type CouponBond,
  cleanPrice,
  computeBondFigures,
  computeFloaterFigures,
  getPeriodDays,
  holdRate,
  type PricingTerms,
  toPricedSecurity,
  yieldToMaturity,
} from '../../src/bonds/index.ts';
import { parseDay } from '../../src/shared/calendar.ts';
import { ANY_DAYS_LEFT, number, settledBond } from './arbitrary.ts';

const toBond = (maturity: string, terms: PricingTerms = {}) =>
  toPricedSecurity('bond', parseDay(maturity), {
    pricing: 'coupon',
    couponRate: 0,
    couponFrequency: 2,
    ...terms,
  }) as CouponBond;

type RateList = readonly (readonly [from: string, rate: number])[];

const hold = (bond: CouponBond, settlement: string, list: RateList) =>
  holdRate(
    bond,
    list.map(([from, rate]) => ({ from: parseDay(from), rate })),
    parseDay(settlement),
  );

const getRunningCoupon = (bond: CouponBond, settlement: string) =>
  getCashFlows(bond, parseDay(settlement)).amounts[0];

/** The interest of 177 days at 14 percent, 4 at 8, and the day that is left of the period, by hand. */
const BY_DAY_COUNT: readonly (readonly [PricingTerms, accrued: number, coupon: number])[] = [
  [{}, (14 * 177 + 8 * 4) / 364, (14 * 177 + 8 * 5) / 364],
  [{ dayCount: 'ACT/ACT' }, (14 * 177 + 8 * 4) / 364, (14 * 177 + 8 * 5) / 364],
  [{ dayCount: 'ACT/365' }, (14 * 177 + 8 * 4) / 365, (14 * 177 + 8 * 5) / 365],
  [{ dayCount: 'ACT/360' }, (14 * 177 + 8 * 4) / 360, (14 * 177 + 8 * 5) / 360],
  // From 17 December to 12 June are 175 days of months of 30.
  [{ dayCount: '30/360' }, (14 * 175 + 8 * 4) / 360, (14 * 175 + 8 * 5) / 360],
  // Half of 8 percent, and 6 more for the days of the first rate.
  [{ dayCount: 'ACT/365', accrual: 'equal' }, (14 * 177 + 8 * 4) / 365, 4 + (6 * 177) / 365],
  [{ dayCount: '30/360', accrual: 'equal' }, (14 * 175 + 8 * 4) / 360, 4 + (6 * 175) / 360],
];

describe.each(BY_DAY_COUNT)(
  'a floater with %j whose rate changes before a coupon',
  (terms, ...by) => {
    const [accrued, coupon] = by;
    const bond = toBond('2028-06-17', terms);
    const rates: RateList = [
      ['2025-12-17', 14],
      ['2026-06-12', 8],
    ];
    const day = '2026-06-16';
    const held = hold(bond, day, rates) as CouponBond;

    test('is paid what is accrued so far and the newest rate for the rest of the period', () => {
      expect(held.couponRate).toBe(8);
      expect(accruedInterest(held, parseDay(day))).toBeCloseTo(accrued, 12);
      expect(getRunningCoupon(held, day)).toBeCloseTo(coupon, 12);
      const amounts = getCashFlows(held, parseDay(day)).amounts.slice(1);
      const regular = { ...bond, couponRate: 8 };
      expect(amounts).toEqual(getCashFlows(regular, parseDay(day)).amounts.slice(1));
    });

    test('has, at the price of a yield, that yield: interest and coupon are of the same rates', () => {
      for (const ytm of [-1, 0, 8, 30]) {
        const price = cleanPrice(held, parseDay(day), ytm);
        const figures = computeFloaterFigures(held, parseDay(day), price);
        expect(figures.ytm).toBeCloseTo(ytm, 7);
        expect(figures.accrued).toBeCloseTo(accrued, 12);
        expect(figures.dirtyPrice).toBeCloseTo(price + accrued, 12);
      }
    });

    test('has the same interest with a rate that is given twice', () => {
      const twice = hold(bond, day, [...rates.slice(0, 1), ['2026-03-31', 14], ...rates.slice(1)]);
      expect(getCashFlows(twice as CouponBond, parseDay(day)).amounts[0]).toBeCloseTo(coupon, 12);
    });

    test('pays the regular coupon of its newest rate from the next period on', () => {
      expect(getRunningCoupon(held, '2026-06-17')).toBe(
        getRunningCoupon({ ...bond, couponRate: 8 }, '2026-06-17'),
      );
      expect(accruedInterest(held, parseDay('2026-06-17'))).toBe(0);
    });

    test('has no coupon before its ex-dividend date, and owes the newest rate for the rest', () => {
      const settlement = '2026-06-15';
      const exDividend = toBond('2028-06-17', { ...terms, exDividendDays: 3 });
      const cumDividend = hold(exDividend, '2026-06-13', rates) as CouponBond;
      expect(getRunningCoupon(cumDividend, '2026-06-13')).toBeCloseTo(coupon, 12);
      const sold = hold(exDividend, settlement, rates) as CouponBond;
      expect(getCashFlows(sold, parseDay(settlement)).days[0]).toBe(parseDay('2026-12-17'));
      const rest = accruedInterest({ ...exDividend, couponRate: 8 }, parseDay(settlement));
      expect(rest).toBeLessThan(0);
      expect(accruedInterest(sold, parseDay(settlement))).toBe(rest);
    });
  },
);

test('the page of conventions has the interest and the coupon of a changed rate by day count', () => {
  const page = readFileSync('docs/explanation/conventions.md', 'utf8');
  for (const [{ dayCount, accrual }, accrued, coupon] of BY_DAY_COUNT.slice(1)) {
    if (accrual) continue;
    const row = page.split('\n').find((line) => line.startsWith(`| \`${dayCount}\` | (14`));
    const printed = row?.split('|').flatMap((cell) => cell.match(/= ([\d.]+) $/)?.[1] ?? []);
    expect(printed).toEqual([accrued.toFixed(5), coupon.toFixed(5)]);
  }
});

describe('the rates of a coupon period, from 5 May to 5 November', () => {
  const day = '2026-07-01';
  const bond = toBond('2028-11-05');
  const accrue = (...list: RateList) => {
    const held = hold(bond, day, list);
    return held && accruedInterest(held, parseDay(day));
  };
  const days = (sum: number) => expect.closeTo(sum / 368, 12);

  test.each<[RateList, number | undefined]>([
    [[], undefined],
    [[['2025-11-05', 12]], undefined],
    [[['2026-04-30', 12]], undefined],
    [[['2026-05-01', 12]], 12 * 57],
    [[['2026-05-05', 12]], 12 * 57],
    [[['2026-05-06', 12]], 12 * 57],
    [[['2026-05-09', 12]], 12 * 57],
    [[['2026-05-10', 12]], undefined],
    [[['2026-07-02', 12]], undefined],
    [
      [
        ['2026-05-05', 12],
        ['2026-07-02', 10],
      ],
      12 * 57,
    ],
    [
      [
        ['2026-05-05', 12],
        ['2026-07-01', 10],
      ],
      12 * 57,
    ],
    [
      [
        ['2026-05-05', 12],
        ['2026-06-04', 10],
      ],
      12 * 30 + 10 * 27,
    ],
    // A rate of the period before does not hold beyond it.
    [
      [
        ['2025-11-05', 12],
        ['2026-05-06', 11],
      ],
      11 * 57,
    ],
    [
      [
        ['2026-04-30', 12],
        ['2026-05-09', 11],
      ],
      11 * 57,
    ],
  ])('%j are known from the one that begins within four days of it', (list, sum) => {
    expect(accrue(...list)).toEqual(sum === undefined ? undefined : days(sum));
  });

  test.each<[RateList, number]>([
    [
      [
        ['2026-05-05', 14],
        ['2026-05-06', 8],
      ],
      14 + 8 * 56,
    ],
    [
      [
        ['2026-05-05', 14],
        ['2026-05-09', 8],
      ],
      14 * 4 + 8 * 53,
    ],
    [
      [
        ['2026-05-05', 14],
        ['2026-05-10', 8],
      ],
      14 * 5 + 8 * 52,
    ],
    [
      [
        ['2026-05-04', 14],
        ['2026-05-05', 8],
      ],
      8 * 57,
    ],
    [
      [
        ['2026-05-03', 14],
        ['2026-05-07', 8],
      ],
      14 * 2 + 8 * 55,
    ],
    [
      [
        ['2026-05-06', 14],
        ['2026-05-08', 8],
      ],
      14 * 3 + 8 * 54,
    ],
    [
      [
        ['2026-05-05', 14],
        ['2026-05-07', 11],
        ['2026-05-09', 8],
      ],
      14 * 2 + 11 * 2 + 8 * 53,
    ],
    [
      [
        ['2026-05-05', 14],
        ['2026-05-07', 0],
        ['2026-05-09', 8],
      ],
      14 * 2 + 8 * 53,
    ],
    [
      [
        ['2026-05-05', 14],
        ['2026-05-09', 0],
      ],
      14 * 4,
    ],
    [
      [
        ['2026-05-05', -1],
        ['2026-05-09', 8],
      ],
      -4 + 8 * 53,
    ],
  ])('%j count each for its own days, in the first four of them too', (list, sum) => {
    expect(accrue(...list)).toEqual(days(sum));
  });

  test('that are negative pay no coupon that is known', () => {
    for (const list of [
      [['2026-05-05', -1]],
      [
        ['2026-05-05', 14],
        ['2026-06-04', -1],
      ],
      [
        ['2026-05-05', -99],
        ['2026-06-04', 1],
      ],
    ] as RateList[])
      expect(() => accrue(...list)).toThrow(/^not a coupon/);
  });

  test('are of no use after maturity', () => {
    for (const settlement of ['2028-11-05', '2028-11-06'])
      expect(() => hold(bond, settlement, [['2028-11-05', 12]])).toThrow(RangeError);
    expect(hold(bond, '2028-11-04', [['2028-05-05', 12]])?.couponRate).toBe(12);
  });
});

test('a period of 30/360 that ends on the 31st has the days of its rates, which add up to its own', () => {
  const bond = toBond('2027-07-31', { dayCount: '30/360', couponFrequency: 1 });
  const held = hold(bond, '2027-03-31', [
    ['2026-07-31', 12],
    ['2026-12-31', 9],
  ]) as CouponBond;
  // 150 and 90 days of months of 30, whereas there are 153 and 90.
  expect(accruedInterest(held, parseDay('2027-03-31'))).toBeCloseTo((12 * 150 + 9 * 90) / 360, 12);
  expect(getRunningCoupon(held, '2027-03-31')).toBeCloseTo(100 + (12 * 150 + 9 * 210) / 360, 12);
});

test.each<[string, PricingTerms, string, RateList, accrued: number, coupon: number]>([
  [
    'a short first period, from its day of issue',
    { issueDate: '2026-02-04' },
    '2026-04-15',
    [
      ['2026-02-04', 12],
      ['2026-04-05', 6],
    ],
    (12 * 60 + 6 * 10) / 362,
    (12 * 60 + 6 * 30) / 362,
  ],
  [
    'a first period whose day is named',
    { issueDate: '2026-02-04', firstCouponDate: '2026-05-05' },
    '2026-04-15',
    [
      ['2026-02-04', 12],
      ['2026-04-05', 6],
    ],
    (12 * 60 + 6 * 10) / 362,
    (12 * 60 + 6 * 30) / 362,
  ],
  [
    'a last period, with the principal',
    { lastCouponDate: '2028-05-05', dayCount: 'ACT/365' },
    '2028-08-15',
    [
      ['2028-05-05', 12],
      ['2028-08-05', 6],
    ],
    (12 * 92 + 6 * 10) / 365,
    100 + (12 * 92 + 6 * 92) / 365,
  ],
])('%s accrues and is paid at each rate for its days', (_, terms, day, list, accrued, coupon) => {
  const held = hold(toBond('2028-11-05', terms), day, list) as CouponBond;
  expect(accruedInterest(held, parseDay(day))).toBeCloseTo(accrued, 12);
  expect(getRunningCoupon(held, day)).toBeCloseTo(coupon, 12);
});

describe('any floater', () => {
  const floater = fc
    .record({
      settled: settledBond(ANY_DAYS_LEFT, fc.constant(0)),
      dayCount: fc.constantFrom('ACT/ACT', 'ACT/365', 'ACT/360', '30/360'),
      exDividendDays: fc.constantFrom(0, 7),
      rates: fc.array(fc.record({ part: number(0, 1), rate: number(0, 25) }), {
        minLength: 1,
        maxLength: 5,
      }),
    })
    .map(({ settled: { bond, settlement }, rates, exDividendDays: days, ...terms }) => {
      const floating = {
        ...bond,
        ...terms,
        ...(days > 0 && { exDividend: { days } }),
      } as CouponBond;
      const [start = 0] = getPeriodDays(floating, settlement);
      const sorted = rates
        .map(({ part, rate }) => ({ from: start + Math.floor(part * (settlement - start)), rate }))
        .sort((a, b) => a.from - b.from);
      const dated = [{ ...sorted[0], from: start } as (typeof sorted)[0], ...sorted.slice(1)];
      return { bond: floating, settlement, rates: dated };
    });

  test('has, at the price of a yield, that yield, and at one rate the figures of a bond', () => {
    fc.assert(
      fc.property(floater, number(-2, 40), ({ bond, settlement, rates }, ytm) => {
        const held = holdRate(bond, rates, settlement) as CouponBond;
        const price = cleanPrice(held, settlement, ytm);
        fc.pre(price > 1 && bond.maturity - settlement > 30);
        expect(yieldToMaturity(held, settlement, price)).toBeCloseTo(ytm, 5);
        const only = [{ from: rates[0]?.from ?? 0, rate: 7 }];
        const fixed = computeBondFigures({ ...bond, couponRate: 7 }, settlement, price);
        const same = holdRate(bond, only, settlement) as CouponBond;
        expect(fixed).toMatchObject(computeFloaterFigures(same, settlement, price));
      }),
    );
  });

  test('is paid a coupon between those of its lowest and its highest rate', () => {
    fc.assert(
      fc.property(floater, ({ bond, settlement, rates }) => {
        const listed = rates.map(({ rate }) => rate);
        const held = holdRate(bond, rates, settlement) as CouponBond;
        const [lowest, coupon, highest] = [
          { ...bond, couponRate: Math.min(...listed) },
          held,
          { ...bond, couponRate: Math.max(...listed) },
        ].map((each) => getCashFlows(each, settlement).amounts.reduce((a, b) => a + b, 0));
        expect(coupon).toBeGreaterThanOrEqual(Number(lowest) - 1e-9);
        expect(coupon).toBeLessThanOrEqual(Number(highest) + 1e-9);
      }),
    );
  });
});
