import { maxOf, minOf } from '../terminal/min-max.ts';
import { formatCell, formatTable, type TerminalCell } from '../terminal/table.ts';
import type { TerminalStyle } from '../terminal/terminal-style.ts';
import { displayWidth } from '../terminal/text.ts';
import type { QueryTable, QueryTableColumn, TimePoint } from './build-table.ts';

/** A line for each time series: its sparkline from old to new, its lowest and highest value. */
export function formatTrends(
  { columns, rows, timePoints }: QueryTable,
  style: TerminalStyle,
): string[] {
  if (!timePoints || timePoints.length < 2) return [];
  const names = new Set(timePoints.map(({ series }) => series));
  if (names.size > MAX_SERIES) return [];
  const trends = columns.flatMap((column, index) => {
    if (!column.isNumeric) return [];
    return [...names].flatMap((series) => {
      const points = arrangeByTime(
        timePoints,
        rows.map((cells) => toTrendValue(column, cells[index] ?? null)),
        series,
      );
      const values = points.filter((value) => value !== null);
      const name = names.size > 1 ? `${column.name} ${series}` : column.name;
      return values.length === 0 ? [] : [{ name, points, values }];
    });
  });
  const [first] = trends;
  if (!first || first.points.length < 2) return [];
  // As text, so that the decimal points of different units are not aligned.
  const bounds = trends.map(({ values }) => [minOf(values), maxOf(values)].map(formatCell));
  const nameWidth = maxOf(trends.map(({ name }) => displayWidth(name)));
  const boundWidth = maxOf([HIGHEST_HEADING.length, ...bounds.flat().map(displayWidth)]);
  const space = style.width - nameWidth - boundWidth * 2 - COLUMN_PADDING;
  const markCount = Math.min(MAX_MARKS, Math.max(MIN_MARKS, space));
  const valuesPerMark = getValuesPerMark(first.points.length, markCount);
  return formatTable(
    [
      { name: 'trend' },
      { name: formatTimeRange(timePoints, valuesPerMark) },
      { name: 'lowest', isNumeric: true },
      { name: HIGHEST_HEADING, isNumeric: true },
    ],
    trends.map(({ name, points }, index) => [
      name,
      formatSparkline(averageNeighbours(points, valuesPerMark)),
      ...(bounds[index] ?? []),
    ]),
    style,
  );
}

/** More lines than that are no overview. */
const MAX_SERIES = 12;
const HIGHEST_HEADING = 'highest';
const MIN_MARKS = 8;
const MAX_MARKS = 200;
const COLUMN_PADDING = 6;

/** The values of a series from old to new, with null for each missing period. */
function arrangeByTime(
  timePoints: readonly TimePoint[],
  values: readonly (number | null)[],
  series: string | undefined,
) {
  const ordinals = timePoints.map(({ ordinal }) => ordinal);
  const first = minOf(ordinals);
  const points = Array<number | null>(maxOf(ordinals) - first + 1).fill(null);
  for (const [index, ordinal] of ordinals.entries())
    if (timePoints[index]?.series === series) points[ordinal - first] = values[index] ?? null;
  return points;
}

function toTrendValue({ isZeroMissing }: QueryTableColumn, cell: TerminalCell): number | null {
  if (typeof cell !== 'number' || (isZeroMissing && cell === 0)) return null;
  return cell;
}

function formatTimeRange(timePoints: readonly TimePoint[], valuesPerMark: number): string {
  const sorted = timePoints.toSorted((a, b) => a.ordinal - b.ordinal);
  const range = `${sorted[0]?.label} → ${sorted.at(-1)?.label}`;
  return valuesPerMark === 1 ? range : `${range}, means of ${valuesPerMark}`;
}

const MARKS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;
const GAP_MARK = '·';
/** The height of equal values. */
const HALF_HEIGHT = 3 / MARKS.length;

/** A mark for each value, as high as the value; equal values are half high, and null is a gap. */
export function formatSparkline(values: readonly (number | null)[]): string {
  const numbers = values.filter((value) => value !== null);
  const [lowest, highest] = [minOf(numbers), maxOf(numbers)];
  // The difference of two doubles may overflow; that of their halves does not.
  const scale = Number.isFinite(highest - lowest) ? 1 : 0.5;
  const getHeight = (value: number) => value * scale - lowest * scale;
  const span = getHeight(highest);
  return values
    .map((value) => {
      if (value === null) return GAP_MARK;
      const height = span === 0 ? HALF_HEIGHT : getHeight(value) / span;
      return MARKS[Math.min(MARKS.length - 1, Math.floor(height * MARKS.length))];
    })
    .join('');
}

/** The number of values that share a mark, so that at most so many marks are needed. */
export function getValuesPerMark(values: number, marks: number): number {
  return Math.max(1, Math.ceil(values / marks));
}

/** The mean of each group of neighbours, ignoring gaps; a group of gaps is a gap. */
export function averageNeighbours(
  values: readonly (number | null)[],
  groupSize: number,
): (number | null)[] {
  return Array.from({ length: Math.ceil(values.length / groupSize) }, (_, index) => {
    const group = values.slice(index * groupSize, (index + 1) * groupSize);
    const numbers = group.filter((value) => value !== null);
    if (numbers.length === 0) return null;
    return numbers.reduce((sum, value) => sum + value / numbers.length, 0);
  });
}
