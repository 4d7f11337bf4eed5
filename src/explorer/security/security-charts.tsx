import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { isDay } from '../../calendar.ts';
import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { DatasetEntry, FieldInfo } from '../api/types.ts';
import { Legend } from '../charts/legend.tsx';
import { LineChart } from '../charts/line-chart.tsx';
import { createDayTicks } from '../charts/ticks.ts';
import type { RevisionCorrections } from '../corrections/revision-corrections.ts';
import { formatDayLabel } from '../formatting/dates.ts';
import { formatCompact, formatFigure, formatWithUnit, getUnit } from '../formatting/numbers.ts';
import { updateParams, useViewRoute } from '../routing/view-route.ts';
import { buildSecurityCharts, type SecurityChartData } from './security-chart-data.ts';

interface SecurityChartsProps {
  readonly entry: DatasetEntry;
  readonly quotes: readonly Quote[];
  readonly amendments: readonly RevisionCorrections[];
}

/** The charts of quotes, which are newest first, with one cursor for all of them. */
export function SecurityCharts({ entry, quotes, amendments: corrections }: SecurityChartsProps) {
  const { point } = useViewRoute().params;
  const oldestFirst = useMemo(() => quotes.toReversed(), [quotes]);
  const days = useMemo(() => oldestFirst.map(({ date }) => date), [oldestFirst]);
  const xs = useMemo(() => days.map((day) => Date.parse(day)), [days]);
  const charts = useMemo(
    () => buildSecurityCharts(oldestFirst, corrections, entry),
    [oldestFirst, corrections, entry],
  );
  // What was read off among other quotes is not what stands in its place among these.
  const [hovered, setHovered] = useState<{ of: typeof xs; index: number | undefined }>();
  const onCursor = useCallback((index: number | undefined) => setHovered({ of: xs, index }), [xs]);
  const chosen = point === undefined ? -1 : days.indexOf(point);
  const cursor = (hovered?.of === xs ? hovered.index : undefined) ?? indexOrUndefined(chosen);
  const root = useRef<HTMLDivElement>(null);
  const isChosen = chosen >= 0;
  // Once more for another point.
  useEffect(() => {
    if (isChosen) root.current?.firstElementChild?.scrollIntoView({ block: 'nearest' });
  }, [point, isChosen]);
  return (
    <div class="charts" ref={root}>
      {charts.map((chart) => (
        <SecurityChart
          key={chart.field.name}
          {...{ chart, xs, days, cursor }}
          onCursor={onCursor}
        />
      ))}
      {point !== undefined && isDay(point) && !isChosen && (
        <p class="muted" role="status">
          There is no quote of {formatDayLabel(point)} in this range.
        </p>
      )}
    </div>
  );
}

function indexOrUndefined(index: number): number | undefined {
  return index < 0 ? undefined : index;
}

interface SecurityChartProps {
  readonly chart: SecurityChartData;
  readonly xs: readonly number[];
  readonly days: readonly string[];
  readonly cursor: number | undefined;
  readonly onCursor: (index: number | undefined) => void;
}

/** With its unit where that is short: it stands above the chart too. */
function formatTooltipValue(value: number, field: FieldInfo): string {
  return getUnit(field).length <= MAX_INLINE_UNIT_LENGTH
    ? formatWithUnit(value, field)
    : formatFigure(value, field);
}

const MAX_INLINE_UNIT_LENGTH = 6;

/** As many characters at the vertical axis of each, so that their days stand in one column. */
const MIN_AXIS_CHARACTERS = 7;

function SecurityChart({ chart, xs, days, cursor, onCursor }: SecurityChartProps) {
  const { field, colorIndex, values, band, marks, layout, height } = chart;
  const lines = useMemo(
    () => [{ name: field.meaning, colorIndex, values }],
    [field.meaning, colorIndex, values],
  );
  const drawn = [values, band?.low ?? [], band?.high ?? []];
  const isEmpty = drawn.every((each) => each.every((value) => value === undefined));
  return (
    <div data-heading={`${field.meaning}, ${getUnit(field)}`}>
      <h3>
        {field.meaning} <small>{getUnit(field)}</small>
      </h3>
      {band && (
        <Legend
          items={[
            { name: field.meaning, colorIndex },
            { name: band.name, colorIndex: 0 },
          ]}
        />
      )}
      {isEmpty ? (
        <p class="muted">There are no such figures in this range.</p>
      ) : (
        <LineChart
          label={`${field.meaning}, ${getUnit(field)}`}
          {...{ xs, lines, layout, band, pointNotes: marks, height, cursor, onCursor }}
          ticks={createDayTicks}
          formatAxis={formatCompact}
          minAxisCharacters={MIN_AXIS_CHARACTERS}
          format={(value) => formatTooltipValue(value, field)}
          getPointLabel={(index) => formatDayLabel(days[index] ?? '')}
          onRangeSelect={(from, to) => updateParams({ from: days[from], to: days[to] })}
        />
      )}
    </div>
  );
}
