import { formatSpreadsheetCell } from '../../shared/delimited-cell.ts';
import type { ApiRequest } from '../api/types.ts';
import type { ChartLine } from '../charts/chart-data.ts';
import { toDisplayUnit, type UnitInfo } from '../formatting/numbers.ts';

type Cell = string | number | undefined;

/** A table as the page shows it, to be saved: figures in full precision, without their units. */
export interface ShownTable {
  readonly header: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/** A column of a table, as far as it is needed to sort and to save the table. */
export interface ShownColumn<Row> {
  readonly name: string;
  /** The field of the service's tables, if it is called otherwise there. */
  readonly field?: string | undefined;
  readonly title: string;
  readonly unit?: string | undefined;
  /** The unit of a saved table, where each cell of the page has its own. */
  readonly exportUnit?: string | undefined;
  /** Returns text, or elements with text. */
  readonly renderCell: (row: Row) => unknown;
  /** The table can be sorted by columns that have this. */
  readonly sortValue?: ((row: Row) => Cell) | undefined;
  /** The cell of a saved table, where that is neither its sort value nor plain text. */
  readonly exportValue?: ((row: Row) => Cell) | undefined;
}

/** In the order that the page shows: `sort` is that of its table. */
export function buildShownTable<Row>(
  columns: readonly ShownColumn<Row>[],
  rows: readonly Row[],
  sort?: string,
): ShownTable {
  return {
    header: columns.map(({ title, unit, exportUnit = unit }) =>
      exportUnit ? `${title} (${exportUnit})` : title,
    ),
    rows: sortRows(rows, columns, sort).map((row) =>
      columns.map(({ exportValue, sortValue, renderCell }) => {
        const getValue = exportValue ?? sortValue;
        return getValue ? getValue(row) : collectText(renderCell(row)).trim();
      }),
    ),
  };
}

/** The request of a table of quotes as it is shown: its columns and its order, by the service. */
export function createShownRequest(
  { path, parameters }: ApiRequest,
  columns: readonly Pick<ShownColumn<never>, 'name' | 'field'>[],
  sort = '',
  others: ApiRequest['parameters'] = {},
): ApiRequest {
  const getField = ({ name, field = name }: (typeof columns)[number]) => field;
  const sorted = columns.find(({ name }) => name === sort.replace('-', ''));
  const order = sorted && `${sort.startsWith('-') ? '-' : ''}${getField(sorted)}`;
  const fields = columns.map(getField).join();
  return { path, parameters: { ...parameters, ...others, fields, order } };
}

/** By `ytm`, or descending by `-ytm`. Rows without a value come last in both directions. */
export function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly Pick<ShownColumn<Row>, 'name' | 'sortValue'>[],
  sort = '',
): readonly Row[] {
  const isDescending = sort.startsWith('-');
  const sortValue = columns.find(({ name }) => name === sort.replace(/^-/, ''))?.sortValue;
  if (!sortValue) return rows;
  // Values are computed once for each row, because there may be ten thousand.
  const valued = rows.map((row) => ({ row, value: sortValue(row) }));
  valued.sort(({ value: a }, { value: b }) => {
    if (a === b) return 0;
    if (a === undefined || b === undefined) return a === undefined ? 1 : -1;
    return a < b !== isDescending ? -1 : 1;
  });
  return valued.map(({ row }) => row);
}

/** The lines of charts, to be saved: a row for each of their points, newest first. */
export function buildChartTable(
  title: string,
  labels: readonly string[],
  charts: readonly { readonly unit: string; readonly lines: readonly ChartLine[] }[],
): ShownTable {
  const lines = charts.flatMap(({ unit, lines: drawn }) =>
    drawn.map((line) => ({ ...line, title: unit ? `${line.name} (${unit})` : line.name })),
  );
  return {
    header: [title, ...lines.map((line) => line.title)],
    rows: labels
      .map((label, index) => [label, ...lines.map(({ values, cells }) => (cells ?? values)[index])])
      .toReversed(),
  };
}

/** The text within elements; that of components as far as it is among their children. */
function collectText(node: unknown): string {
  if (typeof node === 'string' || typeof node === 'number') return String(node);
  if (Array.isArray(node)) return node.map(collectText).join('');
  const { props } = (node ?? {}) as { props?: { children?: unknown } };
  return props === undefined ? '' : collectText(props.children);
}

/** A figure in the unit that the table shows. */
export function exportFigure(value: number | undefined, unitInfo: UnitInfo): number | undefined {
  return value === undefined ? undefined : toDisplayUnit(value, unitInfo);
}

/** CSV as the service writes it, with a byte order mark for spreadsheets. */
export function formatCsv({ header, rows }: ShownTable): string {
  const lines = [header, ...rows].map((cells) =>
    cells.map((cell) => formatSpreadsheetCell(toFileCell(cell))).join(','),
  );
  return `\uFEFF${lines.join('\r\n')}\r\n`;
}

/**
 * A cell of a saved table: null where nothing is shown. Numbers are without the error of binary
 * fractions: a difference of 6.7 is no 6.700000000000087.
 */
function toFileCell(cell: Cell): string | number | null {
  if (typeof cell !== 'number') return cell || null;
  return Number.isFinite(cell) ? Number(cell.toPrecision(SIGNIFICANT_DIGITS)) : null;
}

const SIGNIFICANT_DIGITS = 12;
