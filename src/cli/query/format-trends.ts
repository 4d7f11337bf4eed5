import { PUBLISHED_KINDS } from '../../catalogue/model/period.ts';
import { maxOf, minOf } from '../terminal/min-max.ts';
import {
  formatCell,
  formatTable,
  type TerminalCell,
  type TerminalColumn,
} from '../terminal/table.ts';
import type { TerminalStyle } from '../terminal/terminal-style.ts';

type Cells = readonly TerminalCell[];

export interface QueryColumn extends TerminalColumn {
  /** Whether 0 means no value: a price without an order, a yield that was not computed. */
  readonly isZeroMissing?: boolean;
}

/** More series are no overview. */
const MAX_SERIES = 12;
/** The columns of names, lowest and highest values take about this width. */
const OTHER_WIDTH = 48;

/**
 * A line for each series of numbers: its course from old to new, its lowest and highest value. Axes
 * are the columns with the time of a row, and with the dimensions of its series.
 */
export function formatTrends(
  columns: readonly QueryColumn[],
  rows: readonly Cells[],
  axes: readonly string[],
  style: TerminalStyle,
): string[] {
  const [time = 0, ...dimensions] = axes.map((axis) =>
    columns.findIndex(({ name }) => name === axis),
  );
  const getLabel = (cells?: Cells) => String(cells?.[time]);
  const kind = Object.values(PUBLISHED_KINDS).find((each) =>
    rows.every((cells) => each.toOrdinal(getLabel(cells)) !== undefined),
  );
  const getOrdinal = (cells?: Cells) => kind?.toOrdinal(getLabel(cells)) ?? 0;
  const sorted = rows.toSorted((a, b) => getOrdinal(a) - getOrdinal(b));
  const series = Map.groupBy(sorted, (cells) => dimensions.map((each) => cells[each]).join(' '));
  const first = getOrdinal(sorted[0]);
  // Days without records, such as weekends, are no gaps.
  const times = kind?.hasHolidays
    ? [...new Set(sorted.map(getOrdinal))]
    : Array.from({ length: getOrdinal(sorted.at(-1)) - first + 1 }, (_, index) => first + index);
  if (!kind || times.length < 2 || series.size > MAX_SERIES) return [];
  const perMark = Math.ceil(times.length / Math.max(8, Math.min(200, style.width - OTHER_WIDTH)));
  const lines = columns.flatMap(({ name, isNumeric, isZeroMissing }, index) =>
    [...(isNumeric ? series : [])].flatMap(([key, members]) => {
      const cells = new Map(members.map((row) => [getOrdinal(row), row[index]]));
      const points = times.map((each) => (cells.get(each) ?? null) as number | null);
      const marked = isZeroMissing ? points.map((value) => value || null) : points;
      const values = marked.filter((value) => value !== null);
      if (values.length === 0) return [];
      const bounds = [minOf(values), maxOf(values)].map(formatCell);
      const title = series.size > 1 ? `${name} ${key}` : name;
      return [[title, formatSparkline(marked, perMark), ...bounds]];
    }),
  );
  if (lines.length === 0) return [];
  const range = `${getLabel(sorted[0])} → ${getLabel(sorted.at(-1))}`;
  const headings = ['trend', perMark > 1 ? `${range}, means of ${perMark}` : range];
  const numeric = ['lowest', 'highest'].map((name) => ({ name, isNumeric: true }));
  return formatTable([...headings.map((name) => ({ name })), ...numeric], lines, style);
}

const MARKS = '▁▂▃▄▅▆▇█';

/** A mark for the mean of so many neighbours; equal ones are half high, and null is a gap. */
export function formatSparkline(values: readonly (number | null)[], perMark = 1): string {
  const means = Array.from({ length: Math.ceil(values.length / perMark) }, (_, index) => {
    const group = values.slice(index * perMark, (index + 1) * perMark);
    const numbers = group.filter((value) => value !== null);
    return numbers.reduce<number | null>((sum, each) => (sum ?? 0) + each / numbers.length, null);
  });
  const numbers = means.filter((value) => value !== null);
  const [lowest, highest] = [minOf(numbers), maxOf(numbers)];
  // The difference of two doubles may overflow; that of their halves does not.
  const scale = Number.isFinite(highest - lowest) ? 1 : 0.5;
  const span = highest * scale - lowest * scale;
  const toMark = (mean: number | null) => {
    if (mean === null) return '·';
    const height = span === 0 ? 0.4 : (mean * scale - lowest * scale) / span;
    return MARKS[Math.min(MARKS.length - 1, Math.floor(height * MARKS.length))];
  };
  return means.map(toMark).join('');
}
