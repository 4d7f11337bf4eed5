import { PUBLISHED_KINDS } from '../../catalogue/model/period.ts';
import { maxOf, minOf } from '../terminal/min-max.ts';
import {
  formatCell,
  formatTable,
  type TerminalCell,
  type TerminalColumn,
} from '../terminal/table.ts';
import type { TerminalStyle } from '../terminal/terminal-style.ts';

export interface QueryColumn extends TerminalColumn {
  /** Whether 0 means no value: a price without an order, a yield that was not computed. */
  readonly isZeroMissing?: boolean;
}

const MARKS = '▁▂▃▄▅▆▇█';
/** More series are no overview. */
const MAX_SERIES = 12;
/** The columns of names, lowest and highest values take about this width. */
const OTHER_WIDTH = 48;

/**
 * A line for each series of numbers: its latest course from old to new, its lowest and highest value.
 * Axes are the columns with the time of a row, and with the dimensions of its series.
 */
export function formatTrends(
  columns: readonly QueryColumn[],
  rows: readonly (readonly TerminalCell[])[],
  axes: readonly string[],
  style: TerminalStyle,
): string[] {
  const [time = 0, ...dimensions] = axes.map((axis) =>
    columns.findIndex(({ name }) => name === axis),
  );
  const kind = Object.values(PUBLISHED_KINDS).find((each) =>
    rows.every((cells) => each.toOrdinal(String(cells[time])) !== undefined),
  );
  const getOrdinal = (cells: (typeof rows)[number]) => kind?.toOrdinal(String(cells[time])) ?? 0;
  const sorted = rows.toSorted((a, b) => getOrdinal(a) - getOrdinal(b));
  const series = Map.groupBy(sorted, (cells) => dimensions.map((each) => cells[each]).join(' '));
  const labels = [...new Set(sorted.map((cells) => String(cells[time])))];
  if (!kind || labels.length < 2 || series.size > MAX_SERIES) return [];
  const shown = labels.slice(-Math.max(8, style.width - OTHER_WIDTH));
  const lines = columns.flatMap(({ name, isNumeric, isZeroMissing }, index) =>
    [...(isNumeric ? series : [])].flatMap(([key, members]) => {
      const cells = new Map(members.map((row) => [String(row[time]), row[index]]));
      const found = shown.map((label) => (cells.get(label) ?? null) as number | null);
      const values = isZeroMissing ? found.map((value) => value || null) : found;
      const numbers = values.filter((value) => value !== null);
      const bounds = [minOf(numbers), maxOf(numbers)].map(formatCell);
      const title = series.size > 1 ? `${name} ${key}` : name;
      return numbers.length > 0 ? [[title, formatSparkline(values), ...bounds]] : [];
    }),
  );
  const columnNames = ['trend', `${shown[0]} → ${shown.at(-1)}`, 'lowest', 'highest'];
  const headings = columnNames.map((name, index) => ({ name, isNumeric: index > 1 }));
  return lines.length > 0 ? formatTable(headings, lines, style) : [];
}

/** Equal values are half high, and null is a gap. */
export function formatSparkline(values: readonly (number | null)[]): string {
  const numbers = values.filter((value) => value !== null);
  // The difference of two doubles may overflow; that of their shares of the largest does not.
  const largest = maxOf(numbers.map(Math.abs)) || 1;
  const [lowest, highest] = [minOf(numbers) / largest, maxOf(numbers) / largest];
  const toMark = (value: number) => {
    const height = highest === lowest ? 0.4 : (value / largest - lowest) / (highest - lowest);
    return MARKS[Math.min(MARKS.length - 1, Math.floor(height * MARKS.length))];
  };
  return values.map((value) => (value === null ? '·' : toMark(value))).join('');
}
