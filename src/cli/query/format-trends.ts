import { maxOf, minOf } from '../terminal/min-max.ts';
import { averageNeighbours, formatSparkline, getValuesPerMark } from '../terminal/sparkline.ts';
import type { TerminalCell } from '../terminal/table.ts';
import { formatCell, formatTable } from '../terminal/table.ts';
import type { TerminalStyle } from '../terminal/terminal-style.ts';
import { displayWidth } from '../terminal/text.ts';
import type { QueryTable, QueryTableColumn, TimePoint } from './query-table.ts';

/** A line for each column that is a series in time: its course from old to new, and its bounds. */
export function formatTrends(
  { columns, rows, timePoints }: QueryTable,
  style: TerminalStyle,
): string[] {
  if (!timePoints || timePoints.length < 2) return [];
  const trends = columns.flatMap((column, index) => {
    if (!column.isNumeric) return [];
    const points = arrangeByTime(
      timePoints,
      rows.map((cells) => toTrendValue(column, cells[index] ?? null)),
    );
    const known = points.filter((value) => value !== null);
    return known.length === 0 ? [] : [{ name: column.name, points, known }];
  });
  const [first] = trends;
  if (!first) return [];
  // As text: what two columns measure has nothing to do with one another.
  const bounds = trends.map(({ known }) => [minOf(known), maxOf(known)].map(formatCell));
  const names = maxOf(trends.map(({ name }) => displayWidth(name)));
  const room =
    style.width - names - maxOf([HIGHEST_HEADING.length, ...bounds.flat().map(displayWidth)]) * 2;
  const each = getValuesPerMark(first.points.length, clampMarks(room - COLUMN_PADDING));
  return formatTable(
    [
      { name: 'trend' },
      { name: formatTimeRange(timePoints, each) },
      { name: 'lowest', isNumeric: true },
      { name: HIGHEST_HEADING, isNumeric: true },
    ],
    trends.map(({ name, points }, at) => [
      name,
      formatSparkline(averageNeighbours(points, each)),
      ...(bounds[at] ?? []),
    ]),
    style,
  );
}

const HIGHEST_HEADING = 'highest';
const MIN_MARKS = 8;
const MAX_MARKS = 200;
const COLUMN_PADDING = 6;

function clampMarks(marks: number): number {
  return Math.min(MAX_MARKS, Math.max(MIN_MARKS, marks));
}

/** The values from old to new, with null for each place in time that there is none for. */
function arrangeByTime(
  times: readonly TimePoint[],
  values: readonly (number | null)[],
): (number | null)[] {
  const places = times.map(({ ordinal }) => ordinal);
  const first = minOf(places);
  const points = Array<number | null>(maxOf(places) - first + 1).fill(null);
  for (const [index, place] of places.entries()) points[place - first] = values[index] ?? null;
  return points;
}

function toTrendValue({ isZeroMissing }: QueryTableColumn, cell: TerminalCell): number | null {
  if (typeof cell !== 'number' || (isZeroMissing && cell === 0)) return null;
  return cell;
}

function formatTimeRange(times: readonly TimePoint[], each: number): string {
  const inOrder = times.toSorted((a, b) => a.ordinal - b.ordinal);
  const course = `${inOrder[0]?.label} → ${inOrder.at(-1)?.label}`;
  return each === 1 ? course : `${course}, means of ${each}`;
}
