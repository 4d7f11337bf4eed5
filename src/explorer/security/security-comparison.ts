import { type AlignedRow, alignedColumn, createAlignedRequest } from '../api/aligned.ts';
import type { ApiRequest, DatasetEntry } from '../api/types.ts';
import { ALL_COLORS } from '../breakdown/breakdown-components.ts';
import type { ChartLine } from '../charts/chart-data.ts';
import { rebase } from '../charts/rebase.ts';
import { formatFigure, type UnitInfo } from '../formatting/numbers.ts';
import { parseOption } from '../routing/parse-option.ts';
import { type AnalyticsRecord, formatFigureChange, SPREAD } from './analytics.ts';
import type { DayRange } from './day-range.ts';
import { findSecurity, getField, hasMatured, type QuotedSecurity } from './quoted-security.ts';

/** Measures by which securities are compared. */
export const MEASURES = {
  yield: 'Yield',
  price: 'Price',
  spread: 'Spread',
  rebased: 'Rebased to 100',
};

export type Measure = keyof typeof MEASURES;

/** With the security of the page, one for each colour. */
export const MAX_COMPARED = ALL_COLORS.length - 1;

export function getComparisonColor(index: number): number {
  return ALL_COLORS[index] ?? 7;
}

export function parseMeasure(text: string | undefined): Measure {
  return parseOption(MEASURES, text);
}

/** The symbols that a security is compared with: symbols or ISINs with commas, in any letter case. */
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
  const keys = new Map(
    securities.map((each) => [
      each,
      [
        Number(hasMatured(each, entry)),
        Number(each.type !== type),
        Math.abs(Date.parse(each.maturityDate) - maturity),
      ] as const,
    ]),
  );
  return securities
    .filter((each) => each.symbol !== symbol)
    .toSorted((a, b) => compareKeys(keys.get(a) ?? [], keys.get(b) ?? []));
}

function compareKeys(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((value, position) => value !== b[position]);
  return index < 0 ? 0 : (a[index] ?? 0) - (b[index] ?? 0);
}

const getColumn = (symbol: string, measure: Measure) =>
  alignedColumn('quotes', measure === 'yield' ? 'ytm' : 'lastPrice', { symbol });

/** Requests the yields and prices of securities in one table. */
export function createComparisonRequest(symbols: readonly string[], range: DayRange): ApiRequest {
  const columns = symbols.flatMap((symbol) => [
    getColumn(symbol, 'yield'),
    getColumn(symbol, 'price'),
  ]);
  return createAlignedRequest(columns, range);
}

/** The spreads of securities as such a table, which the service has none of. */
export function alignSpreads(records: readonly AnalyticsRecord[]): AlignedRow[] {
  return [...Map.groupBy(records, ({ date }) => date)].map(([period, group]) => {
    const cells = group.map(({ symbol, spread }) => [getColumn(symbol, 'spread'), spread]);
    return { ...Object.fromEntries(cells), period };
  });
}

/** How the figures of a measure are written. */
export function getMeasureUnit(measure: Measure, entry: DatasetEntry): UnitInfo {
  if (measure === 'spread') return SPREAD;
  if (measure === 'rebased') return { kind: 'index', unit: null };
  return getField(entry, measure === 'yield' ? 'ytm' : 'lastPrice');
}

export interface SecurityComparison {
  /** Days on which at least one of them has a figure, oldest first. */
  readonly days: readonly string[];
  readonly lines: readonly ChartLine[];
  /** The day on which all are 100, if they are rebased and there is one. */
  readonly baseDay: string | undefined;
}

/** The lines of securities, in this order, from a table; those without figures have an empty line. */
export function buildSecurityComparison(
  measure: Measure,
  symbols: readonly string[],
  table: readonly AlignedRow[],
): SecurityComparison {
  const getFigure = (row: AlignedRow, symbol: string) => {
    const value = row[getColumn(symbol, measure)];
    // No price and no yield is 0.
    return typeof value === 'number' && (value !== 0 || measure === 'spread') ? value : undefined;
  };
  const oldestFirst = table
    .filter((row) => symbols.some((symbol) => getFigure(row, symbol) !== undefined))
    .toReversed();
  const days = oldestFirst.map(({ period }) => String(period));
  const own = symbols.map((symbol) => oldestFirst.map((row) => getFigure(row, symbol)));
  const { rows, baseIndex } = measure === 'rebased' ? rebase(own) : { rows: own, baseIndex: -1 };
  const lines = symbols.map((name, index) => ({
    ...{ name, colorIndex: getComparisonColor(index), values: rows[index] ?? [] },
    isConnected: true,
  }));
  return { days, lines, baseDay: days[baseIndex] };
}

/** The first of two lines less the second; undefined of more lines, or if they share no day. */
export function computeDifference(
  { lines }: SecurityComparison,
  scale: number,
): (number | undefined)[] | undefined {
  const [first, second] = lines;
  if (!first || !second || lines.length > 2) return undefined;
  const differences = first.values.map((value, index) => {
    const other = second.values[index];
    return value === undefined || other === undefined ? undefined : (value - other) * scale;
  });
  return differences.some((value) => value !== undefined) ? differences : undefined;
}

/** A line of a comparison in figures: its newest, lowest and highest value, and its change. */
export function summarizeLine({ name, colorIndex, values }: ChartLine, unitInfo: UnitInfo) {
  const present = values.filter((value) => value !== undefined);
  const [first, newest] = [present[0], present.at(-1)];
  const format = (value: number | undefined) => formatFigure(value, unitInfo);
  return {
    symbol: name,
    colorIndex,
    newest: format(newest),
    change:
      first === undefined || newest === undefined
        ? undefined
        : formatFigureChange(newest - first, unitInfo),
    low: format(present.length > 0 ? Math.min(...present) : undefined),
    high: format(present.length > 0 ? Math.max(...present) : undefined),
  };
}
