import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { isDay } from '../../shared/calendar.ts';
import type { DatasetEntry, FieldInfo } from '../api/types.ts';
import { Legend } from '../charts/legend.tsx';
import { getLayoutMark, LineChart } from '../charts/line-chart.tsx';
import { createDayTicks } from '../charts/ticks.ts';
import { formatDayLabel } from '../formatting/dates.ts';
import { formatFigure, formatWithUnit, getUnit } from '../formatting/numbers.ts';
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
  const { days, xs, charts } = useMemo(() => {
    const oldestFirst = quotes.toReversed();
    return {
      days: oldestFirst.map(({ date }) => date),
      xs: oldestFirst.map(({ date }) => Date.parse(date)),
      charts: buildSecurityCharts(entry, { quotes: oldestFirst, spreads, corrections }),
    };
  }, [quotes, spreads, corrections, entry]);
  // The index of a hovered point only holds for the quotes that it belongs to.
  const [hovered, setHovered] = useState<{ xs: typeof xs; index: number | undefined }>();
  const onCursor = (index: number | undefined) => setHovered({ xs, index });
  const selected = point === undefined ? -1 : days.indexOf(point);
  const isSelected = selected >= 0;
  const cursor =
    (hovered?.xs === xs ? hovered.index : undefined) ?? (isSelected ? selected : undefined);
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isSelected) root.current?.firstElementChild?.scrollIntoView({ block: 'nearest' });
  }, [point, isSelected]);
  return (
    <div class="charts" ref={root}>
      {charts.map((chart) => (
        <SecurityChart key={chart.field.name} {...{ chart, xs, days, cursor, onCursor }} />
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

interface SecurityChartProps {
  readonly chart: SecurityChartData;
  readonly xs: readonly number[];
  readonly days: readonly string[];
  readonly cursor: number | undefined;
  readonly onCursor: (index: number | undefined) => void;
}

/** With its unit where that is short; the heading shows it in any case. */
function formatTooltipValue(value: number, field: FieldInfo): string {
  return getUnit(field).length <= MAX_INLINE_UNIT_LENGTH
    ? formatWithUnit(value, field)
    : formatFigure(value, field);
}

const MAX_INLINE_UNIT_LENGTH = 6;

/** The same axis width in all charts aligns their days. */
const MIN_AXIS_CHARACTERS = 7;

function SecurityChart({ chart, xs, days, cursor, onCursor }: SecurityChartProps) {
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
          {...{ xs, lines, layout, band, pointNotes, height, cursor, onCursor }}
          ticks={createDayTicks}
          minAxisCharacters={MIN_AXIS_CHARACTERS}
          format={(value) => formatTooltipValue(value, field)}
          getPointLabel={(index) => formatDayLabel(days[index] ?? '')}
          onRangeSelect={(from, to) => updateParams({ from: days[from], to: days[to] })}
        />
      )}
    </div>
  );
}
