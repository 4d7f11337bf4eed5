import { type AlignedRow, alignedColumn, createAlignedRequest } from '../api/aligned.ts';
import type { ApiRequest, DatasetEntry, JsonRecord } from '../api/types.ts';
import { buildComparison, type Comparison } from '../comparison/build-comparison.ts';
import { getShortUnit } from '../formatting/numbers.ts';
import { ALL_COLORS } from '../series/breakdown-components.ts';
import { type AnalyticsRecord, SPREAD } from './analytics.ts';
import type { DayRange } from './day-range.ts';
import { findSecurity, getField, hasMatured, type QuotedSecurity } from './quote-fields.ts';

export const MEASURES = {
  yield: 'Yield',
  price: 'Price',
  spread: 'Spread',
  rebased: 'Rebased to 100',
};

export type ComparisonMeasure = keyof typeof MEASURES;

/** Together with the security of the page, one per colour. */
export const MAX_COMPARED = ALL_COLORS.length - 1;

/** The symbols to compare a security with, from comma-separated symbols or ISINs in any letter case. */
export function parseCompared(
  text: string | undefined,
  securities: readonly QuotedSecurity[],
  symbol: string,
): string[] {
  const found = (text ?? '').split(',').flatMap((part) => {
    const security = findSecurity(securities, part);
    return security && security.symbol !== symbol ? [security.symbol] : [];
  });
  return [...new Set(found)].slice(0, MAX_COMPARED);
}

/** Securities to compare with: outstanding ones first, then of the same type, then by maturity. */
export function rankComparable(
  securities: readonly QuotedSecurity[],
  { symbol, type, maturityDate }: QuotedSecurity,
  entry: Pick<DatasetEntry, 'coverage'>,
): QuotedSecurity[] {
  const maturity = Date.parse(maturityDate);
  return securities
    .filter((each) => each.symbol !== symbol)
    .map((each) => ({
      each,
      rank: Number(hasMatured(each, entry)) * 2 + Number(each.type !== type),
      distance: Math.abs(Date.parse(each.maturityDate) - maturity),
    }))
    .sort((a, b) => a.rank - b.rank || a.distance - b.distance)
    .map(({ each }) => each);
}

const getColumn = (symbol: string, measure: ComparisonMeasure) =>
  alignedColumn('quotes', COMPARED_FIELDS[measure], { symbol });

const COMPARED_FIELDS = {
  yield: 'ytm',
  price: 'lastPrice',
  spread: 'spread',
  rebased: 'lastPrice',
} as const;

/** Requests the yields and prices of securities in one table. */
export function createComparisonRequest(symbols: readonly string[], range: DayRange): ApiRequest {
  const columns = symbols.flatMap((symbol) => [
    getColumn(symbol, 'yield'),
    getColumn(symbol, 'price'),
  ]);
  return createAlignedRequest(columns, range);
}

/** A row of such a table, or figures of a security on a day, which tables do not have. */
export type ComparedRow = AlignedRow | AnalyticsRecord;

/** Securities by a measure; the first one is that of the page. */
export function compareSecurities(
  entry: DatasetEntry,
  measure: ComparisonMeasure,
  symbols: readonly string[],
  rows: readonly ComparedRow[],
): Comparison {
  const isSpread = measure === 'spread';
  const info = isSpread ? SPREAD : getField(entry, COMPARED_FIELDS[measure]);
  const sources = symbols.map((symbol, index) => ({
    key: symbol,
    title: symbol,
    unitInfo: { kind: info.kind, unit: getShortUnit(info) },
    route: { view: 'security', params: { symbol } } as const,
    columns: [getColumn(symbol, measure)],
    // Prices and yields are never 0.
    isZeroMissing: !isSpread,
    isFixed: index === 0,
  }));
  return buildComparison(sources, alignSpreads(rows), 'daily', true);
}

function alignSpreads(rows: readonly ComparedRow[]): JsonRecord[] {
  const cells = rows.map((row) =>
    'dirtyPrice' in row
      ? { period: row.date, [getColumn(String(row.symbol), 'spread')]: row.spread }
      : row,
  );
  const days = Map.groupBy(cells, ({ period }) => period);
  return Array.from(days.values(), (group) => Object.assign({}, ...group));
}
