import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { DatasetEntry } from '../api/types.ts';
import { ALL_COLORS } from '../breakdown/breakdown-components.ts';
import type { ChartLine } from '../charts/chart-data.ts';
import { formatFigure, type UnitInfo } from '../formatting/numbers.ts';
import { parseOption } from '../routing/parse-option.ts';
import { type AnalyticsRecord, formatFigureChange, SPREAD } from './analytics.ts';
import {
  findSecurity,
  getField,
  getQuoteValue,
  hasMatured,
  type QuotedSecurity,
} from './quoted-security.ts';

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

/** A figure of a security on a day. */
interface ComparedValue {
  readonly symbol: string;
  readonly date: string;
  readonly value: number;
}

export function listQuoteValues(
  quotes: readonly Quote[],
  measure: Measure,
  entry: DatasetEntry,
): ComparedValue[] {
  const field = getField(entry, measure === 'yield' ? 'ytm' : 'lastPrice');
  return quotes.flatMap((quote) => {
    const value = getQuoteValue(quote, field);
    return typeof value === 'number' ? [{ symbol: quote.symbol, date: quote.date, value }] : [];
  });
}

export function listSpreads(records: readonly AnalyticsRecord[]): ComparedValue[] {
  return records.flatMap(({ symbol, date, spread }) =>
    spread === null ? [] : [{ symbol, date, value: spread }],
  );
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

/** The lines of securities, in this order; those without figures have an empty line. */
export function buildSecurityComparison(
  measure: Measure,
  symbols: readonly string[],
  values: readonly ComparedValue[],
): SecurityComparison {
  const days = [...new Set(values.map(({ date }) => date))].sort();
  const indexes = new Map(days.map((day, index) => [day, index]));
  const rows = new Map(
    symbols.map((symbol) => [symbol, days.map((): number | undefined => undefined)]),
  );
  for (const { symbol, date, value } of values) {
    const row = rows.get(symbol);
    if (row) row[indexes.get(date) ?? 0] = value;
  }
  const isRebased = measure === 'rebased';
  const baseIndex = isRebased ? findCommonIndex([...rows.values()], days.length) : undefined;
  const lines = [...rows].map(([symbol, row], index) => ({
    name: symbol,
    colorIndex: getComparisonColor(index),
    values: isRebased ? rebase(row, baseIndex) : row,
    isConnected: true,
  }));
  return { days, lines, baseDay: baseIndex === undefined ? undefined : days[baseIndex] };
}

type Row = readonly (number | undefined)[];

/** The first index at which every row with values has one but 0; undefined where there is none. */
function findCommonIndex(rows: readonly Row[], length: number): number | undefined {
  const withValues = rows.filter((row) => row.some((value) => value !== undefined));
  for (let index = 0; index < length; index++) {
    if (withValues.every((row) => row[index])) return index;
  }
  return undefined;
}

/** Values in percent of the one at the index, or else of the first that is not 0. */
function rebase(row: Row, baseIndex: number | undefined): Row {
  const base = baseIndex === undefined ? row.find(Boolean) : row[baseIndex];
  if (!base) return row.map(() => undefined);
  return row.map((value) => (value === undefined ? undefined : (value / base) * 100));
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
