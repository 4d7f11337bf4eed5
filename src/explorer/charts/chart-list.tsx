import type { ChartInfo, ChartLine, ListedChart } from './chart-data.ts';
import { Legend } from './legend.tsx';
import { getLayoutMark, LineChart, type LineChartProps } from './line-chart.tsx';

interface ChartListProps extends Omit<LineChartProps, keyof ChartInfo | 'label' | 'yTitle'> {
  readonly title: string;
  readonly charts: readonly ListedChart[];
}

/** Charts of the same periods, each with a heading and a note about missing figures. */
export function ChartList({ title, charts, ...rest }: ChartListProps) {
  return charts.map((chart) => {
    const { heading, unit, lines, layout, band, isLoading } = chart;
    const height = Math.min(chart.height ?? rest.height, innerWidth < 640 ? 240 : Infinity);
    const missing = lines.filter(isEmptyLine).map(({ name }) => name);
    const isEmpty =
      missing.length === lines.length && !band?.low.some((value) => value !== undefined);
    return (
      <figure key={heading ?? unit} class="chart-figure" data-heading={heading}>
        {heading && (
          <figcaption>
            <h3>{heading}</h3>
          </figcaption>
        )}
        {band && (
          <Legend
            items={[
              ...lines.map((line) => ({ ...line, mark: getLayoutMark(layout) })),
              { name: band.name, colorIndex: 0 },
            ]}
          />
        )}
        {!isEmpty && (
          <LineChart
            {...rest}
            {...chart}
            height={height}
            label={[title, heading, unit].filter(Boolean).join(', ')}
            yTitle={unit === heading ? undefined : unit}
          />
        )}
        {missing.length > 0 && (
          <p class="help" style={{ minHeight: isLoading ? `${height}px` : 'auto' }}>
            {isLoading ? 'Loading…' : `No such figures: ${missing.join(', ')}.`}
          </p>
        )}
      </figure>
    );
  });
}

const isEmptyLine = ({ values }: ChartLine) => values.every((value) => value === undefined);
