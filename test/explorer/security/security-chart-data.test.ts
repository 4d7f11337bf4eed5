import { describe, expect, test } from 'bun:test';
import { quotes } from '../../../src/catalogue/datasets/quotes.ts';
import { buildCatalogueEntry } from '../../../src/catalogue/model/catalogue-entry.ts';
import type { DatasetEntry } from '../../../src/explorer/api/types.ts';
import type { QuoteCorrection } from '../../../src/explorer/security/quote.ts';
import { groupQuoteCorrections } from '../../../src/explorer/security/quote-corrections.ts';
import { buildSecurityCharts } from '../../../src/explorer/security/security-chart-data.ts';
import { type Quote, quote } from '../../support/quote-fixture.ts';

const entry = buildCatalogueEntry(quotes) as unknown as DatasetEntry;
const day = (date: string, rest: Partial<Quote> = {}) => quote({ date, ...rest });

const chartOf = (name: string, history: readonly Quote[], corrections: QuoteCorrection[] = []) => {
  const found = buildSecurityCharts(history, groupQuoteCorrections(entry, corrections), entry).find(
    ({ field }) => field.name === name,
  );
  if (!found) throw new Error(`there is no chart of ${name}`);
  return found;
};

describe('charts of quotes', () => {
  test('have a gap where a price is 0, in the line and on either side of the band', () => {
    const history = [
      day('2026-06-01', { lastPrice: 95, bidPrice: 0, askPrice: 96 }),
      day('2026-06-02', { lastPrice: 0, bidPrice: 94, askPrice: 0 }),
    ];
    const { values, band } = chartOf('lastPrice', history);
    expect(values).toEqual([95, undefined]);
    expect(band?.low).toEqual([undefined, 94]);
    expect(band?.high).toEqual([96, undefined]);
  });

  test('have a gap where a yield was not computed, and no duration without a yield', () => {
    const history = [
      day('2026-06-01', { ytm: 0, duration: 0 }),
      day('2026-06-02', { ytm: -0.5, duration: 0 }),
    ];
    expect(chartOf('ytm', history).values).toEqual([undefined, -0.5]);
    expect(chartOf('duration', history).values).toEqual([undefined, 0]);
  });

  test('have a day without trades at zero', () => {
    expect(chartOf('volume', [day('2026-06-01', { volume: 0 })]).values).toEqual([0]);
  });

  test('mark a corrected point where what they show was corrected, and nowhere else', () => {
    const history = [day('2026-06-01'), day('2026-06-02')];
    const corrected = (old: Partial<Quote>): QuoteCorrection => ({
      revision: 3,
      publishedAt: '2026-07-03T06:13:00.000Z',
      change: 'corrected',
      old: day('2026-06-02', old),
      new: day('2026-06-02'),
    });
    const marked = (old: Partial<Quote>) =>
      buildSecurityCharts(history, groupQuoteCorrections(entry, [corrected(old)]), entry)
        .filter(({ marks }) => marks.size > 0)
        .map(({ field, marks }) => [field.name, [...marks.keys()]]);
    expect(marked({ ytm: 12, volume: 1 })).toEqual([
      ['ytm', [1]],
      ['volume', [1]],
    ]);
    expect(marked({ askVolume: 1 })).toEqual([['volume', [1]]]);
    expect(marked({ maturityYears: 1 })).toEqual([['duration', [1]]]);
    // What no chart shows is told where people look first.
    expect(marked({ isin: 'ZZ0000000000' })).toEqual([['lastPrice', [1]]]);
  });

  test('tell nothing of corrections outside their days', () => {
    const correction: QuoteCorrection = {
      revision: 3,
      publishedAt: '2026-07-03T06:13:00.000Z',
      change: 'corrected',
      old: day('2025-01-01', { lastPrice: 1 }),
      new: day('2025-01-01'),
    };
    expect(chartOf('lastPrice', [day('2026-06-01')], [correction]).marks.size).toBe(0);
  });
});
