import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { isDay } from '../../shared/calendar.ts';
import type { DatasetEntry, FieldInfo } from '../api/types.ts';
import { Legend } from '../charts/legend.tsx';
import { getLayoutMark, LineChart } from '../charts/line-chart.tsx';
import { createDayTicks } from '../charts/ticks.ts';
import { formatDayLabel } from '../formatting/dates.ts';
import { formatDays, formatFigure, formatWithUnit, getUnit } from '../formatting/numbers.ts';
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

/** The same axis width in all charts aligns their days. */
const MIN_AXIS_CHARACTERS = 7;

/** The axis of charts below each other, with a cursor that they share. */
export function useDayAxis(days: readonly string[]) {
  const [hovered, setHovered] = useState<{ days: typeof days; index: number | undefined }>();
  const xs = useMemo(() => days.map((day) => Date.parse(day)), [days]);
  return {
    xs,
    ticks: createDayTicks,
    minAxisCharacters: MIN_AXIS_CHARACTERS,
    getPointLabel: (index: number) => formatDayLabel(days[index] ?? ''),
    // The index of a hovered point only holds for the days that it belongs to.
    cursor: hovered?.days === days ? hovered.index : undefined,
    onCursor: (index: number | undefined) => setHovered({ days, index }),
    onRangeSelect: (from: number, to: number) => updateParams({ from: days[from], to: days[to] }),
  };
}

/** With its unit where that is short; the heading shows it in any case. */
function formatTooltipValue(value: number, field: FieldInfo): string {
  const days = formatDays(value, field);
  if (days !== undefined) return days;
  return getUnit(field).length <= MAX_INLINE_UNIT_LENGTH
    ? formatWithUnit(value, field)
    : formatFigure(value, field);
}

const MAX_INLINE_UNIT_LENGTH = 6;

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
          format={(value) => formatTooltipValue(value, field)}
        />
      )}
    </div>
  );
}
