import { describe, expect, test } from 'bun:test';
import { findChangeDecimals, findMovers } from '../../../src/explorer/market/quote-rows.ts';
import { quote } from '../../support/quote-fixture.ts';

function createRow(ytmChange: number | undefined, maturityDate = '2030-01-15') {
  const own = quote({ symbol: `S${ytmChange}`, date: '2026-06-30', maturityDate });
  return { quote: own, spread: undefined, lastPriceChange: undefined, ytmChange };
}

describe('the movers of a market', () => {
  test('are the five that rose most and the five that fell most', () => {
    const rows = [3, -1, 8, undefined, 5, 0, 1, -7, 9, 2].map((change) => createRow(change));
    const changes = findMovers(rows).map(({ ytmChange }) => ytmChange);
    expect(changes).toEqual([9, 8, 5, 3, 2, -1, -7]);
  });

  test('are without those within a month of maturity', () => {
    const rows = [createRow(50, '2026-07-29'), createRow(40, '2026-07-30')];
    expect(findMovers(rows).map(({ ytmChange }) => ytmChange)).toEqual([40]);
  });
});

test.each([
  [
    { lastPrice: 98.25, ytm: 11.13 },
    { price: 2, bp: 0 },
  ],
  [
    { lastPrice: 98, ytm: 11.5 },
    { price: 0, bp: 0 },
  ],
  [
    { lastPrice: 98.123456, ytm: 11.1234 },
    { price: 4, bp: 1 },
  ],
])('changes of figures such as %j have %j decimals', (figures, decimals) => {
  expect(findChangeDecimals([quote({ lastPrice: 90, ytm: 11 }), quote(figures)])).toEqual(decimals);
});
