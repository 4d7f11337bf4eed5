import { describe, expect, test } from 'bun:test';
import type { PricingTerms } from '../../src/bonds/index.ts';
import { cleanPrice } from '../../src/bonds/index.ts';
import { QuoteWarnings } from '../../src/publish/quality/quote-warnings.ts';
import { parseDay } from '../../src/shared/calendar.ts';
import { type Quote, quote } from '../support/quote-fixture.ts';

/** The warnings about the last of these quotes. */
function findWarnings(...records: readonly Quote[]): string[] {
  const quoteWarnings = new QuoteWarnings();
  for (const record of records.slice(0, -1)) quoteWarnings.seed(record);
  const [last] = records.slice(-1);
  return last
    ? quoteWarnings.check(last, undefined).map(({ rule, text }) => `${rule}: ${text}`)
    : [];
}

// A bond without terms, whose yield is compared only with its earlier yields.
const bond = (overrides: Partial<Quote>) =>
  quote({ type: 'bond', maturityDate: '2031-06-16', lastPrice: 100, ytm: 11, ...overrides });

describe('a quoted yield', () => {
  const TERMS: PricingTerms = { couponRate: 12 };
  const TERMS_AND_DAYS = {
    couponRate: 12,
    frequency: 2,
    maturity: parseDay('2031-06-16'),
  } as const;
  const priceAt = (ytm: number) => cleanPrice(TERMS_AND_DAYS, parseDay('2026-07-01'), ytm);
  const findYieldWarnings = (overrides: Partial<Quote>, terms = TERMS) =>
    new QuoteWarnings()
      .check(bond({ bidPrice: 0, askPrice: 0, ...overrides }), terms)
      .map(({ field, value, text }) => ({ field, value, text }));

  test('may be for settlement as its years to maturity say, or as usual', () => {
    const bill = { type: 'tbill' as const, date: '2026-06-30', maturityDate: '2026-07-20' };
    const findBillWarnings = (daysLeft: number, maturityYears: number) => {
      const ytm = ((100 / 99.4 - 1) * 36_500) / daysLeft;
      const quoted = { ...bill, lastPrice: 99.4, maturityYears, ytm };
      return findYieldWarnings(quoted, {}).length;
    };
    const [atDate, usual, later] = [20 / 365, 19 / 365, 17 / 365];
    expect(findBillWarnings(20, atDate)).toBe(0);
    expect(findBillWarnings(19, atDate)).toBe(0);
    expect(findBillWarnings(17, later)).toBe(0);
    expect(findBillWarnings(20, usual)).toBe(1);
    // 73 days are 0.2 years, which could be those of another day.
    const rounded = { ...bill, maturityDate: '2026-09-13', lastPrice: 98, maturityYears: 0.2 };
    const ytm = ((100 / 98 - 1) * 36_500) / 73;
    expect(findYieldWarnings({ ...rounded, ytm }, {})).toEqual([]);
    expect(findYieldWarnings({ ...rounded, maturityYears: 0.3, ytm }, {})).toHaveLength(1);
    expect(findBillWarnings(17, atDate)).toBe(1);
  });

  test('causes a warning if it does not match the price', () => {
    expect(findYieldWarnings({ lastPrice: 98, ytm: 11.5 })).toEqual([
      {
        field: 'ytm',
        value: 11.5,
        text: 'ytm 11.5 is not the 12.55011 computed from lastPrice 98; off by 1.05011, tolerance 0.02',
      },
    ]);
  });

  test('is checked with the maturity of its own quote, also if the previous one had another', () => {
    const quoteWarnings = new QuoteWarnings();
    const fair = { bidPrice: 0, askPrice: 0, lastPrice: priceAt(14), ytm: 14 };
    quoteWarnings.check(bond({ ...fair, maturityDate: '2045-06-16' }), TERMS);
    const findRules = () => quoteWarnings.check(bond(fair), TERMS).map(({ rule }) => rule);
    expect(findRules()).toEqual(['maturity-changed']);
    expect(findRules()).toEqual([]);
  });

  test('can be off by 0.02 percentage points', () => {
    expect(findYieldWarnings({ lastPrice: priceAt(12), ytm: 12.019 })).toEqual([]);
    expect(findYieldWarnings({ lastPrice: priceAt(12), ytm: 11.981 })).toEqual([]);
    expect(findYieldWarnings({ lastPrice: priceAt(12), ytm: 12.021 })).toHaveLength(1);
    expect(findYieldWarnings({ lastPrice: priceAt(12), ytm: 11.979 })).toHaveLength(1);
  });

  test('can be off by the yield of half a unit in the second decimal of the price', () => {
    const bill = { type: 'tbill', date: '2026-06-30', maturityDate: '2026-07-08' } as const;
    // Seven days: 0.005 in the price are 0.26 points of yield.
    const exact = (price: number) => ((100 / price - 1) * 36_500) / 7;
    expect(findYieldWarnings({ ...bill, lastPrice: 99.79, ytm: exact(99.7945) }, {})).toEqual([]);
    expect(findYieldWarnings({ ...bill, lastPrice: 99.79, ytm: exact(99.7855) }, {})).toEqual([]);
    expect(findYieldWarnings({ ...bill, lastPrice: 99.79, ytm: exact(99.7955) }, {})).toHaveLength(
      1,
    );
  });

  test('can be anywhere between the yields of bid and ask', () => {
    const sides = { bidPrice: priceAt(12.5), askPrice: priceAt(11.5), lastPrice: priceAt(11) };
    expect(findYieldWarnings({ ...sides, ytm: 12.4 })).toEqual([]);
    expect(findYieldWarnings({ ...sides, ytm: 11.6 })).toEqual([]);
    expect(findYieldWarnings({ ...sides, ytm: 12.6 })).toHaveLength(1);
    expect(findYieldWarnings({ ...sides, ytm: 11.4 })).toHaveLength(1);
    expect(findYieldWarnings({ ...sides, askPrice: 0, ytm: 12.4 })).toHaveLength(1);
    expect(findYieldWarnings({ ...sides, askPrice: 0, ytm: 12.6 })).toHaveLength(1);
  });

  test('is compared with the mid if nothing was traded, and with the only side if there is one', () => {
    const [bidPrice, askPrice] = [97, 99];
    const [twoSided] = findYieldWarnings({ lastPrice: 0, bidPrice, askPrice, ytm: 5 });
    expect(twoSided?.text).toContain('12.55011 computed from mid 98;');
    const [oneSided] = findYieldWarnings({ lastPrice: 0, bidPrice: 98, ytm: 5 });
    expect(oneSided?.text).toContain('12.55011 computed from bidPrice 98;');
  });

  test('causes a warning if it has no price', () => {
    expect(findYieldWarnings({ lastPrice: 98, ytm: -300 })).toHaveLength(1);
  });

  test.each<[string, Partial<Quote>, PricingTerms | undefined]>([
    ['it is 0, which means not computed', { lastPrice: 98, ytm: 0 }, TERMS],
    ['the coupon is not known', { lastPrice: 98, ytm: 5 }, undefined],
    ['there is no price', { lastPrice: 0, ytm: 5 }, TERMS],
    ['it settles at maturity', { lastPrice: 98, ytm: 5, maturityDate: '2026-07-01' }, TERMS],
    ['it matured', { lastPrice: 98, ytm: 5, maturityDate: '2020-01-01' }, TERMS],
  ])('is not checked if %s', (_, overrides, terms) => {
    const quoteWarnings = new QuoteWarnings();
    expect(quoteWarnings.check(bond({ bidPrice: 0, askPrice: 0, ...overrides }), terms)).toEqual(
      [],
    );
  });
});

describe('compared with the previous quote of the security', () => {
  const monday = bond({ date: '2026-06-22' });
  const tuesday = (overrides: Partial<Quote>) => bond({ date: '2026-06-23', ...overrides });

  test('a price change of more than 10 % in either direction causes a warning', () => {
    expect(findWarnings(monday, tuesday({ lastPrice: 110.1 }))).toEqual([
      'price-jump: lastPrice 110.1 on 2026-06-23 was 100 on 2026-06-22; a change of 10.1 %, bound 10 %',
    ]);
    expect(findWarnings(monday, tuesday({ lastPrice: 89.9 }))).toEqual([
      'price-jump: lastPrice 89.9 on 2026-06-23 was 100 on 2026-06-22; a change of -10.1 %, bound 10 %',
    ]);
    expect(findWarnings(monday, tuesday({ lastPrice: 110 }))).toEqual([]);
    expect(findWarnings(monday, tuesday({ lastPrice: 90 }))).toEqual([]);
  });

  test('a yield change of more than 2 points in either direction causes a warning', () => {
    expect(findWarnings(monday, tuesday({ ytm: 13.1 }))).toEqual([
      'ytm-jump: ytm 13.1 on 2026-06-23 was 11 on 2026-06-22; a change of 2.1 points, bound 2',
    ]);
    expect(findWarnings(monday, tuesday({ ytm: 8.9 }))).toHaveLength(1);
    expect(findWarnings(bond({ date: '2026-06-22', ytm: 6.3 }), tuesday({ ytm: 8.3 }))).toEqual([]);
    expect(findWarnings(monday, tuesday({ ytm: 0 }))).toEqual([]);
    expect(findWarnings(bond({ date: '2026-06-22', ytm: 0 }), tuesday({ ytm: 12.1 }))).toEqual([]);
  });

  test('price and yield that rise or fall together cause a warning', () => {
    expect(findWarnings(monday, tuesday({ lastPrice: 101.1, ytm: 11.3 }))).toEqual([
      'price-with-ytm: lastPrice 101.1 on 2026-06-23 was 100 on 2026-06-22 and ytm 11.3 on 2026-06-23 was 11 on 2026-06-22: both rose, bounds 1 % and 0.25 points',
    ]);
    expect(findWarnings(monday, tuesday({ lastPrice: 98.9, ytm: 10.7 }))[0]).toContain('both fell');
    expect(findWarnings(monday, tuesday({ lastPrice: 101, ytm: 11.3 }))).toEqual([]);
    expect(findWarnings(monday, tuesday({ lastPrice: 101.1, ytm: 11.25 }))).toEqual([]);
    expect(findWarnings(monday, tuesday({ lastPrice: 101.1, ytm: 10.7 }))).toEqual([]);
  });

  test('quotes up to a week apart are compared, in either order', () => {
    const far = { lastPrice: 120, ytm: 11 };
    expect(findWarnings(monday, bond({ date: '2026-06-29', ...far }))).toHaveLength(1);
    expect(findWarnings(monday, bond({ date: '2026-06-30', ...far }))).toEqual([]);
    expect(findWarnings(monday, bond({ date: '2026-06-15', ...far }))).toHaveLength(1);
    expect(findWarnings(monday, bond({ date: '2026-06-14', ...far }))).toEqual([]);
  });

  test('a move is reported from the earlier to the later day, in any order of the file', () => {
    const [warning = ''] = findWarnings(tuesday({ lastPrice: 50 }), monday);
    expect(warning).toBe(
      'price-jump: lastPrice 50 on 2026-06-23 was 100 on 2026-06-22; a change of -50.0 %, bound 10 %',
    );
  });

  test('a correction of the same day is not a jump', () => {
    expect(findWarnings(bond({ lastPrice: 10 }), bond({ lastPrice: 100 }))).toEqual([]);
  });

  test('a bid is not compared with an ask', () => {
    const bid = bond({ date: '2026-06-22', lastPrice: 0, bidPrice: 100, askPrice: 0 });
    expect(findWarnings(bid, tuesday({ lastPrice: 0, bidPrice: 0, askPrice: 112 }))).toEqual([]);
    expect(findWarnings(bid, tuesday({ lastPrice: 0, bidPrice: 112, askPrice: 0 }))).toHaveLength(
      1,
    );
  });

  test('a day without orders is skipped', () => {
    const idle = bond({ date: '2026-06-23', lastPrice: 0, bidPrice: 0, askPrice: 0, ytm: 0 });
    const wednesday = bond({ date: '2026-06-24', lastPrice: 120 });
    expect(findWarnings(monday, idle, wednesday)).toHaveLength(1);
  });

  test('the yield of a floater can jump with its rate, and only with its rate', () => {
    const checkYield = (before: PricingTerms | undefined, now: PricingTerms) => {
      const quoteWarnings = new QuoteWarnings();
      const flat = { bidPrice: 90, askPrice: 110 };
      quoteWarnings.seed(bond({ ...flat, date: '2026-06-22' }), before);
      return quoteWarnings.check(tuesday({ ...flat, ytm: 13.1 }), now).map(({ rule }) => rule);
    };
    expect(checkYield({ couponRate: 11 }, { couponRate: 13 })).toEqual([]);
    expect(checkYield({ couponRate: 13 }, { couponRate: 13 })).toEqual(['ytm-jump']);
    expect(checkYield(undefined, { couponRate: 13 })).toEqual(['ytm-jump']);
  });

  test('a symbol with another ISIN or maturity causes a warning, however far apart the quotes', () => {
    const later = { date: '2027-06-22', isin: 'ZZ0000000000', maturityDate: '2031-06-17' };
    expect(findWarnings(monday, bond(later))).toEqual([
      `isin-changed: isin ZZ0000000000 of ${monday.symbol} was ZZ0624197586 in its previous quote`,
      `maturity-changed: maturityDate 2031-06-17 of ${monday.symbol} was 2031-06-16 in its previous quote`,
    ]);
  });

  test('a changed symbol causes one warning', () => {
    const changed = { isin: 'ZZ0000000000', maturityDate: '2031-06-17' };
    const [first, second] = [tuesday(changed), bond({ date: '2026-06-24', ...changed })];
    expect(findWarnings(monday, first)).toHaveLength(2);
    expect(findWarnings(monday, first, second)).toEqual([]);
  });

  test('only securities of the same symbol are compared', () => {
    expect(findWarnings(monday, tuesday({ symbol: 'OTHER', lastPrice: 50, isin: 'x' }))).toEqual(
      [],
    );
  });

  test('each checked quote becomes the previous quote of the next', () => {
    const quoteWarnings = new QuoteWarnings();
    expect(quoteWarnings.hasSeen(monday.symbol)).toBe(false);
    expect(quoteWarnings.check(monday, undefined)).toEqual([]);
    expect(quoteWarnings.hasSeen(monday.symbol)).toBe(true);
    expect(quoteWarnings.check(tuesday({ lastPrice: 120 }), undefined)).toHaveLength(1);
    expect(quoteWarnings.check(bond({ date: '2026-06-24', lastPrice: 121 }), undefined)).toEqual(
      [],
    );
  });
});
