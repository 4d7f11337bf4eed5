import type { ShownTable } from '../export/shown-table.ts';
import type { ChartConfig } from './chart-configs.ts';
import type { SeriesData } from './series-data.ts';

/** What the charts draw, to be saved: a row for each period, newest first. */
export function buildChartTable(
  { labels }: Pick<SeriesData, 'labels'>,
  configs: readonly Pick<ChartConfig, 'unit' | 'lines'>[],
): ShownTable {
  const lines = configs.flatMap(({ unit, lines: drawn }) =>
    drawn.map((line) => ({ ...line, title: unit ? `${line.name} (${unit})` : line.name })),
  );
  return {
    header: ['Period', ...lines.map(({ title }) => title)],
    rows: labels
      .map((label, index) => [label, ...lines.map(({ values, cells }) => (cells ?? values)[index])])
      .toReversed(),
  };
}
