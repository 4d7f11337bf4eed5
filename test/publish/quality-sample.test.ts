import { describe, expect, test } from 'bun:test';
import type { Quote } from '../../src/catalogue/datasets/quotes.ts';
import { findPeriodGaps } from '../../src/publish/quality/history-warnings.ts';
import { QuoteWarnings } from '../../src/publish/quality/quote-warnings.ts';
import { findRecordWarnings } from '../../src/publish/quality/record-warnings.ts';
import { createSamplePublications } from '../../src/sample/sample-publications.ts';
import { sampleTerms } from './sample-pricing-terms.ts';

const publications = createSamplePublications();
const quotes = publications
  .filter(({ dataset }) => dataset.shape === 'quotes')
  .flatMap(({ records }) => records as readonly Quote[]);

describe('the sample data', () => {
  test('has no warnings about single records', () => {
    const warnings = publications.flatMap(({ dataset, records }) =>
      records.flatMap((record) => findRecordWarnings(dataset, record)),
    );
    expect(warnings).toEqual([]);
  });

  test('has no period gaps', () => {
    const series = Map.groupBy(publications, ({ dataset }) => dataset);
    for (const [dataset, published] of series) {
      if (!dataset.period) continue;
      const records = published.flatMap((publication) => publication.records);
      expect(records.length).toBeGreaterThan(2);
      expect(findPeriodGaps(dataset, records)).toEqual([]);
      expect(findPeriodGaps(dataset, records.toSpliced(1, 1))).toHaveLength(1);
    }
  });

  test('has no unusual moves of quotes but the planted error', () => {
    const quoteWarnings = new QuoteWarnings();
    const moves = quotes.flatMap((quote) =>
      quoteWarnings
        .check(quote, sampleTerms(quote))
        .map(({ rule }) => `${rule} ${quote.symbol} ${quote.date}`),
    );
    // On the first day, ten-year bonds are quoted one too high; the one near its maturity shows it.
    expect(moves).toEqual(['ytm-jump Z10PIB211026 2026-06-17', 'ytm-jump Z10PIB211026 2026-06-18']);
  });
});
