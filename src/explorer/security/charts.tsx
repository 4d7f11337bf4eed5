import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { isDay } from '../../calendar.ts';
import { go, usePlace } from '../address/place.ts';
import { Legend } from '../charts/legend.tsx';
import { LineChart } from '../charts/line-chart.tsx';
import { dayTicks } from '../charts/ticks.ts';
import type { Amendment } from '../differences/amendments.ts';
import { dayWords } from '../figures/days.ts';
import { brief, figure, unitOf, withUnit } from '../figures/figures.ts';
import type { Quote } from '../quotes/quote.ts';
import type { Entry, FieldEntry } from '../service/catalogue.ts';
import { type Chart, chartsOf } from './lines.ts';

interface ChartsProps {
  readonly entry: Entry;
  readonly quotes: readonly Quote[];
  readonly amendments: readonly Amendment[];
}

/** The charts of quotes, which are newest first, with one cursor for all of them. */
export function Charts({ entry, quotes, amendments }: ChartsProps) {
  const { point } = usePlace().at;
  const oldestFirst = useMemo(() => quotes.toReversed(), [quotes]);
  const days = useMemo(() => oldestFirst.map(({ date }) => date), [oldestFirst]);
  const xs = useMemo(() => days.map((day) => Date.parse(day)), [days]);
  const charts = useMemo(
    () => chartsOf(oldestFirst, amendments, entry),
    [oldestFirst, amendments, entry],
  );
  // What was read off among other quotes is not what stands in its place among these.
  const [hovered, setHovered] = useState<{ of: typeof xs; index: number | undefined }>();
  const onCursor = useCallback((index: number | undefined) => setHovered({ of: xs, index }), [xs]);
  const chosen = point === undefined ? -1 : days.indexOf(point);
  const cursor = (hovered?.of === xs ? hovered.index : undefined) ?? placeOrNone(chosen);
  const root = useRef<HTMLDivElement>(null);
  const isChosen = chosen >= 0;
  // Once more for another point.
  useEffect(() => {
    if (isChosen) root.current?.firstElementChild?.scrollIntoView({ block: 'nearest' });
  }, [point, isChosen]);
  return (
    <div class="charts" ref={root}>
      {charts.map((chart) => (
        <OneChart key={chart.field.name} {...{ chart, xs, days, cursor }} onCursor={onCursor} />
      ))}
      {point !== undefined && isDay(point) && !isChosen && (
        <p class="quiet" role="status">
          There is no quote of {dayWords(point)} in this range.
        </p>
      )}
    </div>
  );
}

function placeOrNone(index: number): number | undefined {
  return index < 0 ? undefined : index;
}

interface OneChartProps {
  readonly chart: Chart;
  readonly xs: readonly number[];
  readonly days: readonly string[];
  readonly cursor: number | undefined;
  readonly onCursor: (index: number | undefined) => void;
}

/** With its unit where that is short: it stands above the chart too. */
function readOff(value: number, field: FieldEntry): string {
  return unitOf(field).length <= LONGEST_UNIT ? withUnit(value, field) : figure(value, field);
}

const LONGEST_UNIT = 6;

/** As many characters at the vertical axis of each, so that their days stand in one column. */
const AXIS_ROOM = 7;

function OneChart({ chart, xs, days, cursor, onCursor }: OneChartProps) {
  const { field, tone, values, band, marks, layout, height } = chart;
  const lines = useMemo(
    () => [{ name: field.meaning, tone, values }],
    [field.meaning, tone, values],
  );
  const drawn = [values, band?.low ?? [], band?.high ?? []];
  const isEmpty = drawn.every((each) => each.every((value) => value === undefined));
  return (
    <div data-heading={`${field.meaning}, ${unitOf(field)}`}>
      <h3>
        {field.meaning} <small>{unitOf(field)}</small>
      </h3>
      {band && (
        <Legend
          items={[
            { name: field.meaning, tone },
            { name: band.name, tone: 0 },
          ]}
        />
      )}
      {isEmpty ? (
        <p class="quiet">There are no such figures in this range.</p>
      ) : (
        <LineChart
          label={`${field.meaning}, ${unitOf(field)}`}
          {...{ xs, lines, layout, band, marks, height, cursor, onCursor }}
          ticks={dayTicks}
          axis={brief}
          axisRoom={AXIS_ROOM}
          format={(value) => readOff(value, field)}
          nameOf={(index) => dayWords(days[index] ?? '')}
          onStretch={(from, to) => go({ from: days[from], to: days[to] })}
        />
      )}
    </div>
  );
}
