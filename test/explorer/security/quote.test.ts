import { expect, test } from 'bun:test';
import { quotes } from '../../../src/catalogue/datasets/quotes.ts';
import { buildCatalogueEntry } from '../../../src/catalogue/model/catalogue-entry.ts';
import type { DatasetEntry } from '../../../src/explorer/api/types.ts';
import {
  groupQuoteCorrections,
  type QuoteCorrection,
} from '../../../src/explorer/security/quote.ts';
import { type Quote, quote } from '../../support/quote-fixture.ts';
import { createCorrection } from '../corrections/fixtures.ts';

const entry = buildCatalogueEntry(quotes) as unknown as DatasetEntry;
const group = (old: Partial<Quote>, current: Partial<Quote> | null) =>
  groupQuoteCorrections(entry, [
    createCorrection(quote(old), current && quote(current)) as unknown as QuoteCorrection,
  ])[0];

test.each([
  ['a price of 0 is no price', { bidPrice: 0 }, { bidPrice: 95 }, [['bidPrice', undefined, 95]]],
  [
    'a yield of 0 is no yield, and without a yield there is no duration',
    { ytm: 11, duration: 0.5 },
    { ytm: 0, duration: 0 },
    [
      ['ytm', 11, undefined],
      ['duration', 0.5, undefined],
    ],
  ],
  ['a volume of 0 is a volume', { volume: 0 }, { volume: 5 }, [['volume', 0, 5]]],
])('in the corrections of a quote, %s', (_, old, current, changes) => {
  const values = group(old, current)?.values ?? [];
  expect(values.map((value) => [value.key, value.old, value.new])).toEqual(changes);
});
