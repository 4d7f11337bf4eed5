import { expect, test } from 'bun:test';
import { quotes } from '../../../src/catalogue/datasets/quotes.ts';
import { buildCatalogueEntry } from '../../../src/catalogue/model/catalogue-entry.ts';
import type { DatasetEntry } from '../../../src/explorer/api/types.ts';
import {
  groupQuoteCorrections,
  type QuoteCorrection,
} from '../../../src/explorer/security/quote.ts';

import { type Quote, quote } from '../../support/quote-fixture.ts';

const entry = buildCatalogueEntry(quotes) as unknown as DatasetEntry;
const known = { revision: 14, publishedAt: '2026-07-03T06:13:00.000Z' };

const told = (old: Partial<Quote>, now: Partial<Quote>) => {
  const correction: QuoteCorrection = {
    ...known,
    change: 'corrected',
    old: quote(old),
    new: quote(now),
  };
  const [amendment] = groupQuoteCorrections(entry, [correction]);
  return amendment?.values.map(({ key, old: was, new: is }) => [key, was, is]);
};

test('a price of 0 was no price, and a duration without a yield none', () => {
  expect(told({ bidPrice: 0 }, { bidPrice: 95.4545 })).toEqual([['bidPrice', undefined, 95.4545]]);
  expect(told({ ytm: 11, duration: 0.5 }, { ytm: 0, duration: 0 })).toEqual([
    ['ytm', 11, undefined],
    ['duration', 0.5, undefined],
  ]);
});

test('a volume of 0 is a volume', () => {
  expect(told({ volume: 0 }, { volume: 5 })).toEqual([['volume', 0, 5]]);
});

test('a quote that was retired is gone with its day', () => {
  const retired: QuoteCorrection = { ...known, change: 'retired', old: quote({}), new: null };
  expect(groupQuoteCorrections(entry, [retired])).toEqual([
    { ...known, values: [], added: [], removed: ['30 Jun 2026'] },
  ]);
});
