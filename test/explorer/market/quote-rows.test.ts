import { describe, expect, test } from 'bun:test';
import { findMovers } from '../../../src/explorer/market/quote-rows.ts';
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
