import { describe, expect, test } from 'bun:test';
import {
  choosePriceBasis,
  getPrice,
  indexTermsByIsin,
  toPricedSecurity,
} from '../../src/bonds/index.ts';
import { parseDay } from '../../src/shared/calendar.ts';

const maturity = parseDay('2030-01-15');

describe('the security that a quote is priced as', () => {
  test.each([
    ['tbill', {}, { maturity }],
    ['tbill', { couponRate: 0 }, { maturity }],
    ['tbill', { couponRate: 5 }, { maturity, couponRate: 5, frequency: 2 }],
    ['tbill', { pricing: 'zero' }, { maturity, couponRate: 0, frequency: 2 }],
    ['bond', { couponRate: 5, pricing: 'discount' }, { maturity }],
    ['bond', { couponRate: 5, couponFrequency: 4 }, { maturity, couponRate: 5, frequency: 4 }],
    ['bond', { couponRate: 0, pricing: 'coupon' }, { maturity, couponRate: 0, frequency: 2 }],
    ['bond', { couponRate: 5, issueDate: '2026-02-30' }, { maturity, couponRate: 5, frequency: 2 }],
    [
      'bond',
      { couponRate: 5, issueDate: '2026-02-28' },
      { maturity, couponRate: 5, frequency: 2, issue: parseDay('2026-02-28') },
    ],
  ] as const)('of type %s with the terms %j is %j', (type, terms, expected) => {
    expect(toPricedSecurity(type, maturity, terms)).toEqual(expected);
  });

  test('is unknown without a coupon, and if a coupon of 0 may mean two things', () => {
    expect(toPricedSecurity('bond', maturity)).toStartWith('couponRate is missing');
    expect(toPricedSecurity('bond', maturity, { couponRate: 0 })).toStartWith('couponRate is 0');
  });
});

test('terms by ISIN are those of the symbol that was quoted last, of those that say how it is priced', () => {
  const isin = 'ZZ0000000016';
  const entry = (couponRate: number | undefined, lastDate: string | null, text = isin) => ({
    isin: text,
    lastDate,
    terms: couponRate === undefined ? { issueDate: '2020-01-01' } : { couponRate },
  });
  const entries = [
    entry(5, '2026-03-01'),
    entry(7, '2026-06-30', isin.toLowerCase()),
    entry(6, '2026-04-01'),
    entry(4, null),
    entry(undefined, '2026-07-01'),
    entry(8, '2026-07-01', 'none'),
  ];
  for (const list of [entries, entries.toReversed()])
    expect([...indexTermsByIsin(list)]).toEqual([[isin, { couponRate: 7 }]]);
});

test.each([
  [{ lastPrice: 99, bidPrice: 97, askPrice: 98 }, 'lastPrice', 99],
  [{ lastPrice: 0, bidPrice: 97, askPrice: 98 }, 'mid', 97.5],
  [{ bidPrice: 97, askPrice: 0 }, 'bidPrice', 97],
  [{ lastPrice: 0, bidPrice: 0, askPrice: 98 }, 'askPrice', 98],
] as const)('the price of a quote with %j is its %s, %d', (prices, basis, price) => {
  expect(choosePriceBasis(prices)).toBe(basis);
  expect(getPrice(basis, prices)).toBe(price);
});

test('a quote without an order has no price', () => {
  expect(choosePriceBasis({ lastPrice: 0, bidPrice: 0, askPrice: 0 })).toBeUndefined();
  expect(choosePriceBasis({})).toBeUndefined();
});
