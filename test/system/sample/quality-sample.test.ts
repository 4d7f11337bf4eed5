import { describe, expect, test } from 'bun:test';
import { createSamplePublications } from '../../../scripts/sample/sample-publications.ts';
import type { Quote } from '../../../src/catalogue/datasets/quotes.ts';
import type { AnyRecord } from '../../../src/catalogue/model/dataset.ts';
import { COMPARED_DAYS, findDayWarnings } from '../../../src/publish/quality/day-warnings.ts';
import { findPeriodGaps } from '../../../src/publish/quality/history-warnings.ts';
import { SeriesWarnings } from '../../../src/publish/quality/period-warnings.ts';
import { QuoteWarnings } from '../../../src/publish/quality/quote-warnings.ts';
import { findRecordWarnings } from '../../../src/publish/quality/record-warnings.ts';
import { findYearsWarnings } from '../../../src/publish/quality/years-warnings.ts';
import { parseDay } from '../../../src/shared/calendar.ts';
import { sampleTerms } from '../../publish/sample-pricing-terms.ts';

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
      if (!dataset.period || dataset.declared) continue;
      const records = published.flatMap((publication) => publication.records);
      expect(records.length).toBeGreaterThan(2);
      const { field, kind } = dataset.period;
      const periods = records.map((record) => kind.toOrdinal(String(record[field])) ?? 0);
      expect(findPeriodGaps(dataset, periods)).toEqual([]);
      expect(findPeriodGaps(dataset, periods.toSpliced(1, 1))).toHaveLength(1);
    }
  });

  test('has no period that does not follow from the one before', () => {
    for (const { dataset, records } of publications)
      if (dataset.period && !dataset.declared) {
        const { field, kind } = dataset.period;
        const toOrdinal = (record: AnyRecord) => kind.toOrdinal(String(record[field])) ?? 0;
        const series = new SeriesWarnings(dataset, records.length);
        const byAge = (records as readonly AnyRecord[]).toSorted(
          (a, b) => toOrdinal(b) - toOrdinal(a),
        );
        const warnings = byAge.flatMap((record) => series.add(record));
        expect([...warnings, ...series.finish()]).toEqual([]);
      }
  });

  test('has no day that does not follow from those before', () => {
    const days = [...Map.groupBy(quotes.toReversed(), ({ date }) => date)];
    const market = days.toSorted(([a], [b]) => (a < b ? 1 : -1)).map(([, ofDay]) => ofDay);
    expect(market.length).toBeGreaterThan(700);
    for (const index of market.keys())
      expect(findDayWarnings(market.slice(index, index + COMPARED_DAYS))).toEqual([]);
    // A day again is stale, and one with other volumes jumps.
    const [today = [], previous = [], before = []] = market;
    const isStale = findDayWarnings([previous, previous, before]);
    expect(isStale.map(({ rule }) => rule)).toEqual(['stale-prices']);
    const scaled = today.map((quote) => ({ ...quote, volume: quote.volume * 1000 }));
    expect(
      findDayWarnings([scaled, previous, before]).map(({ rule, field }) => [rule, field]),
    ).toEqual([['volume-jump', 'volume']]);
  });

  test('has years and durations that follow from its terms', () => {
    const warnings = quotes.flatMap((quote) => {
      const daysLeft = parseDay(quote.maturityDate) - parseDay(quote.date);
      return findYearsWarnings(quote, daysLeft, sampleTerms(quote));
    });
    expect(warnings).toEqual([]);
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
