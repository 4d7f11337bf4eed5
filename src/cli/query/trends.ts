import { greatest, least } from '../terminal/extremes.ts';
import type { Look } from '../terminal/look.ts';
import { means, sparkline, valuesPerMark } from '../terminal/sparkline.ts';
import type { Cell } from '../terminal/table.ts';
import { cellText, tableLines } from '../terminal/table.ts';
import { widthOf } from '../terminal/text.ts';
import type { Sheet, SheetColumn, Time } from './sheet.ts';

/** A line for each column that is a series in time: its course from old to new, and its bounds. */
export function trendLines({ columns, rows, times }: Sheet, look: Look): string[] {
  if (!times || times.length < 2) return [];
  const trends = columns.flatMap((column, at) => {
    if (!column.isFigure) return [];
    const points = inTime(
      times,
      rows.map((cells) => figureIn(column, cells[at] ?? null)),
    );
    const known = points.filter((value) => value !== null);
    return known.length === 0 ? [] : [{ name: column.name, points, known }];
  });
  const [first] = trends;
  if (!first) return [];
  // As text: what two columns measure has nothing to do with one another.
  const bounds = trends.map(({ known }) => [least(known), greatest(known)].map(cellText));
  const names = greatest(trends.map(({ name }) => widthOf(name)));
  const room = look.width - names - greatest([HIGHEST.length, ...bounds.flat().map(widthOf)]) * 2;
  const each = valuesPerMark(first.points.length, clamped(room - SPACES));
  return tableLines(
    [
      { name: 'trend' },
      { name: courseOf(times, each) },
      { name: 'lowest', isFigure: true },
      { name: HIGHEST, isFigure: true },
    ],
    trends.map(({ name, points }, at) => [
      name,
      sparkline(means(points, each)),
      ...(bounds[at] ?? []),
    ]),
    look,
  );
}

const HIGHEST = 'highest';
const LEAST_MARKS = 8;
const MOST_MARKS = 200;
const SPACES = 6;

function clamped(marks: number): number {
  return Math.min(MOST_MARKS, Math.max(LEAST_MARKS, marks));
}

/** The values from old to new, with null for each place in time that there is none for. */
function inTime(times: readonly Time[], values: readonly (number | null)[]): (number | null)[] {
  const places = times.map(({ place }) => place);
  const first = least(places);
  const points = Array<number | null>(greatest(places) - first + 1).fill(null);
  for (const [at, place] of places.entries()) points[place - first] = values[at] ?? null;
  return points;
}

function figureIn({ zeroIsNone }: SheetColumn, cell: Cell): number | null {
  if (typeof cell !== 'number' || (zeroIsNone && cell === 0)) return null;
  return cell;
}

function courseOf(times: readonly Time[], each: number): string {
  const inOrder = times.toSorted((a, b) => a.place - b.place);
  const course = `${inOrder[0]?.label} → ${inOrder.at(-1)?.label}`;
  return each === 1 ? course : `${course}, means of ${each}`;
}
