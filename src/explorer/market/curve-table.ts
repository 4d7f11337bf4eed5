import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { ChartCurve, ChartPoint } from '../charts/chart-data.ts';
import type { ShownTable } from '../export/shown-table.ts';

interface CurveData {
  readonly points: readonly ChartPoint[];
  readonly curves: readonly ChartCurve[];
  readonly quotesByKey: ReadonlyMap<string, Quote>;
}

/** What the chart draws, to be saved: each quote, and each point of the fitted lines. */
export function buildCurveTable(
  { points, curves, quotesByKey }: CurveData,
  date: string,
  comparisonDate: string | undefined,
): ShownTable {
  return {
    header: ['Date', 'Kind', 'Name', 'Years to maturity', 'Yield to maturity (%)'],
    rows: [
      ...points.map(({ key, x, y }) => {
        const quote = quotesByKey.get(key);
        return [quote?.date, quote?.type, quote?.symbol, x, y];
      }),
      ...curves.flatMap(({ name, isComparison, points: fitted }) =>
        fitted.map(([x, y]) => [isComparison ? comparisonDate : date, 'fitted', name, x, y]),
      ),
    ],
  };
}
