import { describe, expect, test } from 'bun:test';
import { quotes } from '../../../src/catalogue/datasets/quotes.ts';
import { buildCatalogueEntry } from '../../../src/catalogue/model/catalogue-entry.ts';
import type { DatasetEntry } from '../../../src/explorer/api/types.ts';
import { groupByRevision } from '../../../src/explorer/corrections/revision-corrections.ts';
import { readQuoteFigures } from '../../../src/explorer/security/quote-fields.ts';
import { buildSecurityCharts } from '../../../src/explorer/security/security-chart-data.ts';
import { type Quote, quote } from '../../support/quote-fixture.ts';
import { createCorrection } from '../corrections/fixtures.ts';

const entry = buildCatalogueEntry(quotes) as unknown as DatasetEntry;

const NAMES = ['lastPrice', 'ytm', 'spread', 'volume', 'duration'];

const getChart = (name: string, history: readonly Partial<Quote>[], spreads = new Map()) => {
  const options = { quotes: history.map(quote), spreads, corrections: [] };
  return buildSecurityCharts(entry, options)[NAMES.indexOf(name)];
};

const getValues = (...options: Parameters<typeof getChart>) =>
  getChart(...options)?.lines[0]?.values;

const correct = (old: Partial<Quote>, current: Partial<Quote>) => {
  const correction = createCorrection(quote(old), quote(current));
  return groupByRevision(entry, readQuoteFigures(entry, [correction]));
};

/** The days with a note by chart, after a correction of the quote of a day. */
const getNotes = (date: string, old: Partial<Quote>) => {
  const corrections = correct({ date, ...old }, { date });
  const quotes = [quote({ date: '2026-06-01' }), quote({ date: '2026-06-02' })];
  return buildSecurityCharts(entry, { quotes, spreads: undefined, corrections })
    .map(({ pointNotes }, index) => [NAMES[index], ...(pointNotes?.keys() ?? [])])
    .filter(({ length }) => length > 1);
};

describe('the charts of a security', () => {
  test('have a gap where a price is 0, in the line and in the band', () => {
    const chart = getChart('lastPrice', [
      { lastPrice: 95, bidPrice: 0, askPrice: 96 },
      { lastPrice: 0, bidPrice: 94, askPrice: 0 },
    ]);
    expect(chart?.lines[0]?.values).toEqual([95, undefined]);
    expect(chart?.band).toMatchObject({ low: [undefined, 94], high: [96, undefined] });
  });

  test('have a gap where a yield was not computed, and no duration without a yield', () => {
    const history = [
      { ytm: 0, duration: 0 },
      { ytm: -0.5, duration: 0 },
    ];
    expect(getValues('ytm', history)).toEqual([undefined, -0.5]);
    expect(getValues('duration', history)).toEqual([undefined, 0]);
  });

  test('show a volume of 0', () => {
    expect(getValues('volume', [{ volume: 0 }])).toEqual([0]);
  });

  test('have spreads of the days that have one, 0 included', () => {
    const days = ['2026-06-01', '2026-06-02', '2026-06-03'].map((date) => ({ date }));
    const spreads = new Map([
      ['2026-06-01', 0],
      ['2026-06-03', -4.5],
    ]);
    expect(getValues('spread', days, spreads)).toEqual([0, undefined, -4.5]);
  });

  test('note a correction in the chart of the field, and that of other fields in the first', () => {
    expect(getNotes('2026-06-02', { ytm: 12, volume: 1 })).toEqual([
      ['ytm', 1],
      ['volume', 1],
    ]);
    expect(getNotes('2026-06-02', { askVolume: 1 })).toEqual([['lastPrice', 1]]);
    expect(getNotes('2026-06-02', { isin: 'ZZ0000000000' })).toEqual([['lastPrice', 1]]);
  });

  test('note no corrections outside their days', () => {
    expect(getNotes('2025-01-01', { lastPrice: 1 })).toEqual([]);
  });
});

test('a correction from a price of 0 has no old value', () => {
  const [{ values = [] } = {}] = correct({ bidPrice: 0 }, { bidPrice: 95 });
  expect(values).toMatchObject([{ key: 'bidPrice', old: undefined, new: 95 }]);
});
