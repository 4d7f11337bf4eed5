import { type AlignedRow, alignedColumn } from '../api/aligned.ts';
import type { DatasetEntry } from '../api/types.ts';
import {
  buildComparison,
  type Comparison,
  type FigureSource,
} from '../comparison/build-comparison.ts';
import { getShortUnit } from '../formatting/numbers.ts';
import { ALL_COLORS } from '../series/breakdown-components.ts';
import { SPREAD } from './analytics.ts';
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

/** The columns of aligned tables. */
const COLUMNS = {
  yield: ['quotes', 'ytm'],
  price: ['quotes', 'lastPrice'],
  spread: ['analytics', 'spread'],
  rebased: ['quotes', 'lastPrice'],
} as const;

/** Securities by a measure; the first one is that of the page. */
export function listComparedFigures(
  entry: DatasetEntry,
  measure: ComparisonMeasure,
  symbols: readonly string[],
): FigureSource[] {
  const [dataset, field] = COLUMNS[measure];
  const info = field === 'spread' ? SPREAD : getField(entry, field);
  return symbols.map((symbol, index) => ({
    key: symbol,
    title: symbol,
    unitInfo: { kind: info.kind, unit: getShortUnit(info) },
    route: { view: 'security', params: { symbol } },
    columns: [alignedColumn(dataset, field, { symbol })],
    // Prices and yields are never 0.
    isZeroMissing: field !== 'spread',
    isFixed: index === 0,
  }));
}

export const compareSecurities = (
  figures: readonly FigureSource[],
  rows: readonly AlignedRow[],
): Comparison => buildComparison(figures, rows, 'daily', true);
