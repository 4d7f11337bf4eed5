import { useEffect, useMemo, useRef } from 'preact/hooks';
import { isDay, parseDay } from '../../shared/calendar.ts';
import type { DatasetEntry } from '../api/types.ts';
import { usePeriodAxis } from '../breakdown/use-period-axis.ts';
import { Legend } from '../charts/legend.tsx';
import { getLayoutMark, LineChart } from '../charts/line-chart.tsx';
import { formatDayLabel } from '../formatting/dates.ts';
import { formatInlineUnit, getUnit } from '../formatting/numbers.ts';
import { updateParams, useViewRoute } from '../routing/view-route.tsx';
import {
  buildSecurityCharts,
  type SecurityChartData,
  type SecurityHistory,
} from './security-chart-data.ts';

/** The charts of quotes, which are newest first, with a shared cursor. */
export function SecurityCharts(props: SecurityHistory & { entry: DatasetEntry }) {
  const { entry, quotes, spreads, corrections } = props;
  const { point } = useViewRoute().params;
  const { days, charts } = useMemo(() => {
    const oldestFirst = quotes.toReversed();
    return {
      days: oldestFirst.map(({ date }) => date),
      charts: buildSecurityCharts(entry, { quotes: oldestFirst, spreads, corrections }),
    };
  }, [quotes, spreads, corrections, entry]);
  const axis = useDayAxis(days);
  const selected = point === undefined ? -1 : days.indexOf(point);
  const isSelected = selected >= 0;
  const cursor = axis.cursor ?? (isSelected ? selected : undefined);
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isSelected) root.current?.firstElementChild?.scrollIntoView({ block: 'nearest' });
  }, [point, isSelected]);
  return (
    <div class="charts" ref={root}>
      {charts.map((chart) => (
        <SecurityChart key={chart.field.name} chart={chart} axis={{ ...axis, cursor }} />
      ))}
      {charts.some(({ ghosts }) => ghosts.length > 0) && (
        <p class="help">
          A ring marks a figure that was corrected; the dashed ring or arrow is what it was before.
        </p>
      )}
      {point !== undefined && isDay(point) && !isSelected && (
        <p class="muted" role="status">
          There is no quote of {formatDayLabel(point)} in this range.
        </p>
      )}
    </div>
  );
}

/** The axis of charts below each other, with a cursor that they share. */
function useDayAxis(days: readonly string[]) {
  const axis = usePeriodAxis({ labels: days, lastDays: days.map(parseDay), periodsPerYear: 365 });
  return {
    ...axis,
    onRangeSelect: (from: number, to: number) => updateParams({ from: days[from], to: days[to] }),
  };
}

interface SecurityChartProps {
  readonly chart: SecurityChartData;
  readonly axis: ReturnType<typeof useDayAxis>;
}

function SecurityChart({ chart, axis }: SecurityChartProps) {
  const { field, colorIndex, values, ghosts, band, pointNotes, layout, height } = chart;
  const lines = useMemo(
    () => [{ name: field.meaning, colorIndex, values, ghosts, marks: new Set(pointNotes.keys()) }],
    [field.meaning, colorIndex, values, ghosts, pointNotes],
  );
  const drawn = [...values, ...(band?.low ?? []), ...(band?.high ?? [])];
  const isEmpty = drawn.every((value) => value === undefined);
  return (
    <div data-heading={`${field.meaning}, ${getUnit(field)}`}>
      <h3>
        {field.meaning} <small>{getUnit(field)}</small>
      </h3>
      {band && (
        <Legend
          items={[
            { name: field.meaning, colorIndex, mark: getLayoutMark(layout) },
            { name: band.name, colorIndex: 0 },
          ]}
        />
      )}
      {isEmpty ? (
        <p class="muted" style={{ minHeight: chart.isLoading ? `${height}px` : 'auto' }}>
          {chart.isLoading ? 'Loading…' : 'There are no such figures in this range.'}
        </p>
      ) : (
        <LineChart
          label={`${field.meaning}, ${getUnit(field)}`}
          {...axis}
          {...{ lines, layout, band, pointNotes, height }}
          format={(value) => formatInlineUnit(value, field)}
        />
      )}
    </div>
  );
}
