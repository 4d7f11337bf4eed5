import { describe, expect, test } from 'bun:test';
import type { Quote } from '../../src/catalogue/datasets/quotes.ts';
import type { AnyRecord } from '../../src/catalogue/model/dataset.ts';
import type { PricingTerms } from '../../src/publish/derivation/derive-fields.ts';
import {
  findPeriodGaps,
  findRecordWarnings,
  QuoteMonitor,
} from '../../src/publish/quality/index.ts';
import { createSamplePublications } from '../../src/sample/sample-publications.ts';
import { sampleSecurity, sampleTerms } from './sample-pricing-terms.ts';

const publications = createSamplePublications();
const quotes = publications
  .filter(({ dataset }) => dataset.shape === 'quotes')
  .flatMap(({ records }) => records as readonly Quote[]);

/** Ten-year bonds were quoted one too high on this day; the one near its maturity shows it. */
const SLIP = ['Z10PIB211026 2026-06-17', 'Z10PIB211026 2026-06-18'];

describe('the sample data', () => {
  test('has no warnings about single records', () => {
    const found = publications.flatMap(({ dataset, records }) =>
      records.flatMap((record) => findRecordWarnings(dataset, record)),
    );
    expect(found).toEqual([]);
  });

  test('has no period gaps', () => {
    const series = Map.groupBy(publications, ({ dataset }) => dataset);
    for (const [{ period }, published] of series) {
      if (!period) continue;
      const placeOf = (record: AnyRecord) =>
        period.kind.toOrdinal(String(record[period.field])) ?? 0;
      const places = published.flatMap(({ records }) => records.map(placeOf));
      expect(places.length).toBeGreaterThan(2);
      expect(findPeriodGaps(period.kind, places, period.field)).toEqual([]);
      expect(findPeriodGaps(period.kind, places.toSpliced(1, 1), period.field)).toHaveLength(1);
    }
  });

  test('has no unusual moves of quotes but the planted error', () => {
    expect(findWarnings(sampleTerms)).toEqual(SLIP.map((of) => [of, 'ytm-jump']));
  });

  test('without pricing terms also has yield jumps of floaters, and no others', () => {
    const symbols = new Map(quotes.map((quote) => [quote.symbol, sampleSecurity(quote)]));
    const besides = findWarnings(() => undefined).filter(([of]) => !SLIP.includes(of));
    expect(besides.length).toBeGreaterThan(0);
    for (const [of, rule] of besides) {
      expect(rule).toBe('ytm-jump');
      expect(symbols.get(of.split(' ')[0] ?? '')?.coupon).toMatchObject({ rate: 'floating' });
    }
  });
});

function findWarnings(
  termsOf: (quote: Quote) => PricingTerms | undefined,
): [of: string, rule: string][] {
  const monitor = new QuoteMonitor();
  return quotes.flatMap((quote) =>
    monitor
      .check(quote, termsOf(quote))
      .map(({ rule }): [string, string] => [`${quote.symbol} ${quote.date}`, rule]),
  );
}
