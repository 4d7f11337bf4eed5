import { DAY_MS, formatDay } from '../../shared/calendar.ts';
import type { ShownTable } from '../export/shown-table.ts';
import type { SeriesComparison } from './series-comparison.ts';

/** What the charts draw, to be saved: a row for each end of a period, newest first. */
export function buildSeriesComparisonTable({ xs, charts }: SeriesComparison): ShownTable {
  const lines = charts.flatMap(({ unit, lines: drawn }) =>
    drawn.map((line) => ({ ...line, title: `${line.name} (${unit})` })),
  );
  return {
    header: ['Period to', ...lines.map(({ title }) => title)],
    rows: xs
      .map((x, index) => [formatDay(x / DAY_MS), ...lines.map(({ cells }) => cells?.[index])])
      .toReversed(),
  };
}
