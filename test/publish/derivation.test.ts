import { describe, expect, test } from 'bun:test';
import { generateMarket } from '../../scripts/sample/market/generate-market.ts';
import { computeYield, modifiedDuration, type PricingTerms } from '../../src/bonds/index.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { DERIVED_FIELDS, deriveFields } from '../../src/publish/derivation/derive-fields.ts';
import {
  type DraftQuote,
  getQuoteDays,
  mapFigure,
  resolveSettledSecurity,
  validateTerms,
} from '../../src/publish/derivation/price-security.ts';
import { parseDay } from '../../src/shared/calendar.ts';
import { sampleTerms } from './sample-pricing-terms.ts';

/** The unrounded yield at a price; undefined where it cannot be computed. */
function computeYieldAtPrice(
  quote: DraftQuote,
  terms: PricingTerms | undefined,
  price: number,
): number | undefined {
  const settled = resolveSettledSecurity(quote, getQuoteDays(quote), terms);
  const ytm = mapFigure(settled, (security) => computeYield(security, price));
  return typeof ytm === 'string' ? undefined : ytm;
}

const BLANK = { maturityYears: undefined, ytm: undefined, duration: undefined };

/** A bond of five years, quoted on a Tuesday at 98, without the derived fields. */
function bond(overrides: DraftQuote = {}): DraftQuote {
  const days = { date: '2026-06-30', maturityDate: '2031-06-16' };
  const prices = { bidPrice: 97.5, askPrice: 98.1, lastPrice: 98 };
  return { ...quotes.example, ...BLANK, type: 'bond', ...days, ...prices, ...overrides };
}

const TWELVE: PricingTerms = { couponRate: 12 };
const NO_RATE =
  'couponRate is missing; give couponRate (and couponFrequency), pricing=discount or pricing=zero';

/** The rule for a figure that is blank and cannot be computed. */
function uncomputable(why: string): string {
  return `given if it cannot be computed: ${why} (--uncomputable zero takes it as 0)`;
}

describe('the blank fields of a quote', () => {
  test('are computed as in the sample, for each of its securities', () => {
    const { juneQuotes } = generateMarket();
    expect(juneQuotes.length).toBeGreaterThan(1000);
    // All securities of some days, and some of all.
    for (const [index, quote] of juneQuotes.entries()) {
      if (index > 200 && index % 7 > 0) continue;
      const draft: DraftQuote = { ...quote, ...BLANK };
      expect(deriveFields(draft, sampleTerms(quote))).toEqual({
        filled: [...DERIVED_FIELDS],
        uncomputable: [],
      });
      expect(draft).toEqual(quote);
    }
  });

  test('are none in a complete quote, which stays unchanged', () => {
    const quote = { ...quotes.example, ytm: 5, duration: 6, maturityYears: 7 };
    expect(deriveFields(quote, undefined)).toEqual({ filled: [], uncomputable: [] });
    expect(quote).toEqual({ ...quotes.example, ytm: 5, duration: 6, maturityYears: 7 });
  });

  test.each(DERIVED_FIELDS)('are only %s if the others are quoted', (field) => {
    const quote = bond({ maturityYears: 1, ytm: 2, duration: 3, [field]: undefined });
    const before = { ...quote };
    expect(deriveFields(quote, TWELVE)).toEqual({ filled: [field], uncomputable: [] });
    expect({ ...quote, [field]: undefined }).toEqual(before);
  });

  test('have six decimals', () => {
    const quote = bond();
    deriveFields(quote, TWELVE);
    expect(quote.maturityYears).toBe(4.961644);
    for (const field of DERIVED_FIELDS) expect(String(quote[field])).toMatch(/^\d+\.\d{5,6}$/);
  });

  test('are never negative zero', () => {
    const quote = bond({ type: 'tbill', lastPrice: 100.000000001 });
    deriveFields(quote, undefined);
    expect(Object.is(quote.ytm, 0)).toBe(true);
  });
});

describe('the price that a yield is computed from', () => {
  const yieldFrom = (prices: DraftQuote) => {
    const quote = bond(prices);
    deriveFields(quote, TWELVE);
    return quote.ytm;
  };
  const yieldAt = (price: number) => computeYieldAtPrice(bond(), TWELVE, price) ?? Number.NaN;

  test.each([
    ['the last price', { lastPrice: 98, bidPrice: 90, askPrice: 91 }, 98],
    ['else the mid of bid and ask', { lastPrice: 0, bidPrice: 97, askPrice: 98 }, 97.5],
    ['else the bid, where nobody offers', { lastPrice: 0, bidPrice: 97, askPrice: 0 }, 97],
    ['else the ask, where nobody bids', { lastPrice: 0, bidPrice: 0, askPrice: 98 }, 98],
    ['which may be blank', { lastPrice: undefined, bidPrice: undefined, askPrice: 98 }, 98],
  ])('is %s', (_, prices, price) => {
    expect(yieldFrom(prices)).toBeCloseTo(yieldAt(price), 6);
  });

  test.each([0, -1, undefined])('is none if all are %p', (price) => {
    const quote = bond({ lastPrice: price, bidPrice: price, askPrice: price });
    const rule = uncomputable('none of lastPrice, bidPrice and askPrice is above 0');
    expect(deriveFields(quote, TWELVE)).toEqual({
      filled: ['maturityYears'],
      uncomputable: [
        { field: 'ytm', rule },
        { field: 'duration', rule },
      ],
    });
    expect(quote.ytm).toBeUndefined();
  });
});

describe('the duration', () => {
  test('is computed at the quoted yield, whatever the prices', () => {
    const [low, high] = [
      bond({ ytm: 5, lastPrice: 0, bidPrice: 0, askPrice: 0 }),
      bond({ ytm: 20 }),
    ];
    deriveFields(low, TWELVE);
    deriveFields(high, TWELVE);
    expect(low.duration).toBeCloseTo(durationAt(5), 6);
    expect(high.duration).toBeCloseTo(durationAt(20), 6);
  });

  const durationAt = (ytm: number) => {
    const terms = { maturity: parseDay('2031-06-16'), couponRate: 12, frequency: 2 } as const;
    return modifiedDuration(terms, parseDay('2026-07-01'), ytm);
  };

  test('is computed from the price if the quoted yield is 0, which means not computed', () => {
    const [zero, blank] = [bond({ ytm: 0 }), bond()];
    expect(deriveFields(zero, TWELVE).filled).toEqual(['maturityYears', 'duration']);
    deriveFields(blank, TWELVE);
    expect(zero).toEqual({ ...blank, ytm: 0 });
  });

  test('cannot be computed at a yield without a price', () => {
    expect(deriveFields(bond({ type: 'tbill', ytm: -50 }), undefined).uncomputable).toEqual([
      { field: 'duration', rule: uncomputable('a yield of -50 percent gives no price') },
    ]);
  });
});

describe('the pricing of a security', () => {
  const YIELDS = {
    simple: ((100 / 98 - 1) * 365 * 100) / 1811,
    compounded: 200 * ((100 / 98) ** (1 / (2 * (1811 / 365.25))) - 1),
  };

  test.each<[DraftQuote['type'], PricingTerms | undefined, keyof typeof YIELDS]>([
    ['tbill', undefined, 'simple'],
    ['tbill', { couponRate: 0 }, 'simple'],
    ['bond', { pricing: 'discount' }, 'simple'],
    ['bond', { pricing: 'discount', couponRate: 9 }, 'simple'],
    ['bond', { pricing: 'coupon', couponRate: 0 }, 'compounded'],
    ['bond', { pricing: 'zero' }, 'compounded'],
    ['bond', { pricing: 'zero', couponRate: 9 }, 'compounded'],
    ['tbill', { pricing: 'zero' }, 'compounded'],
    ['tbill', { pricing: 'coupon', couponRate: 0 }, 'compounded'],
  ])('makes the yield of a %s with the terms %p %s', (type, terms, kind) => {
    expect(computeYieldAtPrice(bond({ type }), terms, 98)).toBeCloseTo(YIELDS[kind], 3);
  });

  test('compounds the yield of a zero as often as coupons would be paid', () => {
    const ofZero = (couponFrequency: 1 | 12) =>
      computeYieldAtPrice(bond(), { pricing: 'zero', couponFrequency }, 98) ?? Number.NaN;
    expect(ofZero(1)).toBeCloseTo(100 * ((100 / 98) ** (365.25 / 1811) - 1), 3);
    expect(ofZero(12)).toBeCloseTo(1200 * ((100 / 98) ** (365.25 / 1811 / 12) - 1), 3);
  });

  test('takes the day of issue into account, while the first coupon is not paid', () => {
    const issued = { ...TWELVE, issueDate: '2026-05-20' };
    expect(computeYieldAtPrice(bond(), issued, 98)).not.toBe(
      computeYieldAtPrice(bond(), TWELVE, 98),
    );
    expect(computeYieldAtPrice(bond(), { ...TWELVE, issueDate: '2025-05-20' }, 98)).toBe(
      computeYieldAtPrice(bond(), TWELVE, 98),
    );
  });

  test('a coupon rate alone means coupons, twice a year', () => {
    const halfYearly = computeYieldAtPrice(
      bond(),
      { ...TWELVE, couponFrequency: 2, pricing: 'coupon' },
      98,
    );
    expect(computeYieldAtPrice(bond(), TWELVE, 98)).toBe(halfYearly);
    expect(computeYieldAtPrice(bond({ type: 'tbill' }), TWELVE, 98)).toBe(halfYearly);
    expect(computeYieldAtPrice(bond(), { ...TWELVE, couponFrequency: 4 }, 98)).not.toBeCloseTo(
      halfYearly ?? 0,
      3,
    );
  });

  test.each<[string, PricingTerms | undefined]>([
    [NO_RATE, undefined],
    [NO_RATE, { pricing: 'coupon' }],
    [NO_RATE, { couponFrequency: 4 }],
    [
      'couponRate is 0 and pricing is missing; give pricing=discount, zero or coupon',
      { couponRate: 0 },
    ],
  ])('fails with "%s" for the terms %p', (missing, terms) => {
    const rule = uncomputable(missing);
    expect(deriveFields(bond(), terms).uncomputable).toEqual([
      { field: 'ytm', rule },
      { field: 'duration', rule },
    ]);
    expect(computeYieldAtPrice(bond(), terms, 98)).toBeUndefined();
  });
});

describe('settlement', () => {
  test('is a number of weekdays after the date, and T+1 by default', () => {
    const years = [undefined, 0, 2, 3].map((settlementDays) => {
      const quote = bond();
      deriveFields(quote, TWELVE, settlementDays);
      return Math.round((quote.maturityYears ?? 0) * 365);
    });
    expect(years).toEqual([1811, 1812, 1810, 1809]);
  });

  test('is the day that years to maturity count from, if the quote has them', () => {
    const withYears = (maturityYears: number | undefined) => {
      const quote = bond({ maturityYears });
      deriveFields(quote, TWELVE, 2);
      return quote.ytm;
    };
    const atThreeDays = bond();
    deriveFields(atThreeDays, TWELVE, 3);
    expect(withYears(atThreeDays.maturityYears)).toBe(atThreeDays.ytm as number);
    // Rounded years tell no day.
    expect(withYears(5)).toBe(withYears(undefined) as number);
  });
});

describe('a figure that cannot be computed', () => {
  test.each([
    ['on', '2026-07-01', 0],
    ['after', '2026-06-24', -0.019178],
  ])(
    'is the yield of a security that settles %s its maturity, but not the years to it',
    (_, maturityDate, years) => {
      const quote = bond({ maturityDate });
      const settles = 'it settles on 2026-07-01, on or after its maturity';
      const rule = uncomputable(`${settles} ${maturityDate}`);
      expect(deriveFields(quote, TWELVE)).toEqual({
        filled: ['maturityYears'],
        uncomputable: [
          { field: 'ytm', rule },
          { field: 'duration', rule },
        ],
      });
      expect(quote.maturityYears).toBe(years);
      expect(computeYieldAtPrice(quote, TWELVE, 98)).toBeUndefined();
    },
  );

  test.each(['date', 'maturityDate'] as const)(
    'is every figure of a quote without a %s',
    (field) => {
      for (const value of [undefined, '', '2026-02-30']) {
        const { filled, uncomputable: figures } = deriveFields(bond({ [field]: value }), TWELVE);
        expect(filled).toEqual([]);
        expect(figures.map(({ rule }) => rule)).toEqual(
          DERIVED_FIELDS.map(() => uncomputable(`${field} is missing`)),
        );
      }
    },
  );

  test('is a yield too large for six decimals', () => {
    const quote = bond({ type: 'tbill', maturityDate: '2026-07-02', lastPrice: 1e-6 });
    const [ytm] = deriveFields(quote, undefined).uncomputable;
    expect(ytm?.field).toBe('ytm');
    expect(ytm?.rule).toMatch(/computed: 36499\d+(\.\d+)? is out of range /);
  });
});

describe('the pricing terms of a file', () => {
  test('are valid when all are absent and when all are present', () => {
    expect(validateTerms({})).toEqual([]);
    expect(validateTerms({ couponRate: 0, couponFrequency: 4, pricing: 'coupon' })).toEqual([]);
  });

  test.each([
    ['couponRate', [-0.1, Number.NaN, Infinity, '12']],
    ['couponFrequency', [0, 3, 6, '2']],
    ['pricing', ['Discount', '', 'floating']],
  ] as const)('are rejected with an invalid %s', (field, values) => {
    for (const value of values) {
      expect(validateTerms({ [field]: value })).toEqual([
        { field, value, rule: expect.stringMatching(/^(a finite number|1, 2, 4 or 12|one of)/) },
      ]);
    }
  });
});
