import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { ChartCurve, ChartPoint } from '../charts/chart-data.ts';
import type { ShownTable } from '../export/shown-table.ts';
import type { CurveRate } from './yield-curves.ts';

interface CurveData {
  readonly points: readonly ChartPoint[];
  readonly curves: readonly ChartCurve[];
  readonly quotesByKey: ReadonlyMap<string, Quote>;
}

/** What the chart draws, to be saved: each quote, and each point of the fitted lines. */
export function buildCurveTable(
  { points, curves, quotesByKey }: CurveData,
  rate: CurveRate,
  date: string,
  comparisonDate: string | undefined,
): ShownTable {
  const [kind, title] =
    rate === 'yield' ? ['fitted', 'Yield to maturity'] : [`fitted ${rate}`, 'Rate'];
  return {
    header: ['Date', 'Kind', 'Name', 'Years to maturity', `${title} (%)`],
    rows: [
      ...points.map(({ key, x, y }) => {
        const quote = quotesByKey.get(key);
        return [quote?.date, quote?.type, quote?.symbol, x, y];
      }),
      ...curves.flatMap(({ name, isComparison, points: fitted }) =>
        fitted.map(([x, y]) => [isComparison ? comparisonDate : date, kind, name, x, y]),
      ),
    ],
  };
}
