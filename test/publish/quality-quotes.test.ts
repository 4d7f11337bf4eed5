import { describe, expect, test } from 'bun:test';
import { cleanPrice } from '../../src/bonds/index.ts';
import { parseDay } from '../../src/calendar.ts';
import type { PricingTerms } from '../../src/publish/derivation/derive-fields.ts';
import { QuoteMonitor } from '../../src/publish/quality/index.ts';
import { type Quote, quote } from '../support/quote-fixture.ts';

/** What a new watch says of the last of these quotes. */
function watched(...records: readonly Quote[]): string[] {
  const watch = new QuoteMonitor();
  for (const record of records.slice(0, -1)) watch.seed(record);
  const [last] = records.slice(-1);
  return last ? watch.check(last, undefined).map(({ rule, text }) => `${rule}: ${text}`) : [];
}

// A bond without known terms: its yield answers to nothing but its other yields.
const bond = (differing: Partial<Quote>) =>
  quote({ type: 'bond', maturityDate: '2031-06-16', lastPrice: 100, ytm: 11, ...differing });

describe('a given yield', () => {
  const TERMS: PricingTerms = { couponRate: 12 };
  const TERMS_AND_DAYS = {
    couponRate: 12,
    frequency: 2,
    maturity: parseDay('2031-06-16'),
  } as const;
  const priceAt = (ytm: number) => cleanPrice(TERMS_AND_DAYS, parseDay('2026-07-01'), ytm);
  const said = (differing: Partial<Quote>, terms = TERMS) =>
    new QuoteMonitor()
      .check(bond({ bidPrice: 0, askPrice: 0, ...differing }), terms)
      .map(({ field, value, text }) => ({ field, value, text }));

  test('is warned of where the price means another', () => {
    expect(said({ lastPrice: 98, ytm: 11.5 })).toEqual([
      {
        field: 'ytm',
        value: 11.5,
        text: 'ytm 11.5 is not the 12.55011 computed from lastPrice 98; off by 1.05011, tolerance 0.02',
      },
    ]);
  });

  test('may be off by 0.02 percentage points', () => {
    expect(said({ lastPrice: priceAt(12), ytm: 12.019 })).toEqual([]);
    expect(said({ lastPrice: priceAt(12), ytm: 11.981 })).toEqual([]);
    expect(said({ lastPrice: priceAt(12), ytm: 12.021 })).toHaveLength(1);
    expect(said({ lastPrice: priceAt(12), ytm: 11.979 })).toHaveLength(1);
  });

  test('may be off by what half a unit of the second decimal of a price means', () => {
    const bill = { type: 'tbill', date: '2026-06-30', maturityDate: '2026-07-08' } as const;
    // Seven days: 0.005 in the price are 0.26 points of yield.
    const exact = (price: number) => ((100 / price - 1) * 36_500) / 7;
    expect(said({ ...bill, lastPrice: 99.79, ytm: exact(99.7945) }, {})).toEqual([]);
    expect(said({ ...bill, lastPrice: 99.79, ytm: exact(99.7855) }, {})).toEqual([]);
    expect(said({ ...bill, lastPrice: 99.79, ytm: exact(99.7955) }, {})).toHaveLength(1);
  });

  test('may be anywhere between those at bid and ask', () => {
    const sides = { bidPrice: priceAt(12.5), askPrice: priceAt(11.5), lastPrice: priceAt(11) };
    expect(said({ ...sides, ytm: 12.4 })).toEqual([]);
    expect(said({ ...sides, ytm: 11.6 })).toEqual([]);
    expect(said({ ...sides, ytm: 12.6 })).toHaveLength(1);
    expect(said({ ...sides, ytm: 11.4 })).toHaveLength(1);
    expect(said({ ...sides, askPrice: 0, ytm: 12.4 })).toHaveLength(1);
    expect(said({ ...sides, askPrice: 0, ytm: 12.6 })).toHaveLength(1);
  });

  test('is compared with the mid where nothing was traded, and with the one side there is', () => {
    const [bidPrice, askPrice] = [97, 99];
    const [off] = said({ lastPrice: 0, bidPrice, askPrice, ytm: 5 });
    expect(off?.text).toContain('12.55011 computed from mid 98;');
    const [oneSided] = said({ lastPrice: 0, bidPrice: 98, ytm: 5 });
    expect(oneSided?.text).toContain('12.55011 computed from bidPrice 98;');
  });

  test('is warned of where it leaves no price at all', () => {
    expect(said({ lastPrice: 98, ytm: -300 })).toHaveLength(1);
  });

  test.each<[string, Partial<Quote>, PricingTerms | undefined]>([
    ['it is 0, which means not computed', { lastPrice: 98, ytm: 0 }, TERMS],
    ['the coupon is not known', { lastPrice: 98, ytm: 5 }, undefined],
    ['there is no price', { lastPrice: 0, ytm: 5 }, TERMS],
    ['it settles at maturity', { lastPrice: 98, ytm: 5, maturityDate: '2026-07-01' }, TERMS],
    ['it matured', { lastPrice: 98, ytm: 5, maturityDate: '2020-01-01' }, TERMS],
  ])('is not checked where %s', (_, differing, terms) => {
    const watch = new QuoteMonitor();
    expect(watch.check(bond({ bidPrice: 0, askPrice: 0, ...differing }), terms)).toEqual([]);
  });
});

describe('against the previous quote of the security', () => {
  const monday = bond({ date: '2026-06-22' });
  const tuesday = (differing: Partial<Quote>) => bond({ date: '2026-06-23', ...differing });

  test('a price jumps by more than 10 %, either way', () => {
    expect(watched(monday, tuesday({ lastPrice: 110.1 }))).toEqual([
      'price-jump: lastPrice 110.1 on 2026-06-23 was 100 on 2026-06-22; a change of 10.1 %, bound 10 %',
    ]);
    expect(watched(monday, tuesday({ lastPrice: 89.9 }))).toEqual([
      'price-jump: lastPrice 89.9 on 2026-06-23 was 100 on 2026-06-22; a change of -10.1 %, bound 10 %',
    ]);
    expect(watched(monday, tuesday({ lastPrice: 110 }))).toEqual([]);
    expect(watched(monday, tuesday({ lastPrice: 90 }))).toEqual([]);
  });

  test('a yield jumps by more than 2 points, either way', () => {
    expect(watched(monday, tuesday({ ytm: 13.1 }))).toEqual([
      'ytm-jump: ytm 13.1 on 2026-06-23 was 11 on 2026-06-22; a change of 2.1 points, bound 2',
    ]);
    expect(watched(monday, tuesday({ ytm: 8.9 }))).toHaveLength(1);
    expect(watched(bond({ date: '2026-06-22', ytm: 6.3 }), tuesday({ ytm: 8.3 }))).toEqual([]);
    expect(watched(monday, tuesday({ ytm: 0 }))).toEqual([]);
    expect(watched(bond({ date: '2026-06-22', ytm: 0 }), tuesday({ ytm: 12.1 }))).toEqual([]);
  });

  test('price and yield rise or fall together', () => {
    expect(watched(monday, tuesday({ lastPrice: 101.1, ytm: 11.3 }))).toEqual([
      'price-with-ytm: lastPrice 101.1 on 2026-06-23 was 100 on 2026-06-22 and ytm 11.3 on 2026-06-23 was 11 on 2026-06-22: both rose, bounds 1 % and 0.25 points',
    ]);
    expect(watched(monday, tuesday({ lastPrice: 98.9, ytm: 10.7 }))[0]).toContain('both fell');
    expect(watched(monday, tuesday({ lastPrice: 101, ytm: 11.3 }))).toEqual([]);
    expect(watched(monday, tuesday({ lastPrice: 101.1, ytm: 11.25 }))).toEqual([]);
    expect(watched(monday, tuesday({ lastPrice: 101.1, ytm: 10.7 }))).toEqual([]);
  });

  test('both days may be a week apart, in either order', () => {
    const far = { lastPrice: 120, ytm: 11 };
    expect(watched(monday, bond({ date: '2026-06-29', ...far }))).toHaveLength(1);
    expect(watched(monday, bond({ date: '2026-06-30', ...far }))).toEqual([]);
    expect(watched(monday, bond({ date: '2026-06-15', ...far }))).toHaveLength(1);
    expect(watched(monday, bond({ date: '2026-06-14', ...far }))).toEqual([]);
  });

  test('a move is told from the earlier day to the later, whichever comes first in the file', () => {
    const [told = ''] = watched(tuesday({ lastPrice: 50 }), monday);
    expect(told).toBe(
      'price-jump: lastPrice 50 on 2026-06-23 was 100 on 2026-06-22; a change of -50.0 %, bound 10 %',
    );
  });

  test('a correction of the same day is not a jump', () => {
    expect(watched(bond({ lastPrice: 10 }), bond({ lastPrice: 100 }))).toEqual([]);
  });

  test('a bid is not compared with an ask', () => {
    const bid = bond({ date: '2026-06-22', lastPrice: 0, bidPrice: 100, askPrice: 0 });
    expect(watched(bid, tuesday({ lastPrice: 0, bidPrice: 0, askPrice: 112 }))).toEqual([]);
    expect(watched(bid, tuesday({ lastPrice: 0, bidPrice: 112, askPrice: 0 }))).toHaveLength(1);
  });

  test('a day without orders is passed over', () => {
    const idle = bond({ date: '2026-06-23', lastPrice: 0, bidPrice: 0, askPrice: 0, ytm: 0 });
    const wednesday = bond({ date: '2026-06-24', lastPrice: 120 });
    expect(watched(monday, idle, wednesday)).toHaveLength(1);
  });

  test('the yield of a floater may jump where its rate does, and only there', () => {
    const look = (before: PricingTerms | undefined, now: PricingTerms) => {
      const watch = new QuoteMonitor();
      const flat = { bidPrice: 90, askPrice: 110 };
      watch.seed(bond({ ...flat, date: '2026-06-22' }), before);
      return watch.check(tuesday({ ...flat, ytm: 13.1 }), now).map(({ rule }) => rule);
    };
    expect(look({ couponRate: 11 }, { couponRate: 13 })).toEqual([]);
    expect(look({ couponRate: 13 }, { couponRate: 13 })).toEqual(['ytm-jump']);
    expect(look(undefined, { couponRate: 13 })).toEqual(['ytm-jump']);
  });

  test('a symbol stands for another ISIN or another maturity, however far apart', () => {
    const later = { date: '2027-06-22', isin: 'ZZ0000000000', maturityDate: '2031-06-17' };
    expect(watched(monday, bond(later))).toEqual([
      `isin-changed: isin ZZ0000000000 of ${monday.symbol} was ZZ0624197586 in its previous quote`,
      `maturity-changed: maturityDate 2031-06-17 of ${monday.symbol} was 2031-06-16 in its previous quote`,
    ]);
  });

  test('a symbol that changed is warned of once', () => {
    const changed = { isin: 'ZZ0000000000', maturityDate: '2031-06-17' };
    const [first, second] = [tuesday(changed), bond({ date: '2026-06-24', ...changed })];
    expect(watched(monday, first)).toHaveLength(2);
    expect(watched(monday, first, second)).toEqual([]);
  });

  test('only securities of the same symbol are compared', () => {
    expect(watched(monday, tuesday({ symbol: 'OTHER', lastPrice: 50, isin: 'x' }))).toEqual([]);
  });

  test('each quote that is looked at is remembered in its turn', () => {
    const watch = new QuoteMonitor();
    expect(watch.hasSeen(monday.symbol)).toBe(false);
    expect(watch.check(monday, undefined)).toEqual([]);
    expect(watch.hasSeen(monday.symbol)).toBe(true);
    expect(watch.check(tuesday({ lastPrice: 120 }), undefined)).toHaveLength(1);
    expect(watch.check(bond({ date: '2026-06-24', lastPrice: 121 }), undefined)).toEqual([]);
  });
});
