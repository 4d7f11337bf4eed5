import type { AnyRecord } from '../catalogue/model/dataset.ts';
import type { Field, Fields } from '../catalogue/model/field.ts';
import { createLookupTable } from '../shared/lookup-table.ts';
import type { TabularColumn, TabularLayout } from '../tabular/layout.ts';

/** A column of a table in Workspace. */
export interface WidgetColumn {
  readonly field: string;
  readonly headerName: string;
  readonly headerTooltip: string;
  readonly cellDataType: 'text' | 'number' | 'dateString';
  readonly formatterFn: 'none' | 'int' | 'percent' | 'normalizedPercent';
  readonly chartDataType: 'category' | 'series' | 'time';
  readonly decimalPlaces?: number;
  readonly pinned?: 'left';
  /** The action of a click on a cell. */
  readonly renderFn?: 'cellOnClick';
  readonly renderFnParams?: object;
}

/** A row of a table, with the fields of its columns. */
export type WidgetRow = Readonly<Record<string, string | number | null>>;

export interface ColumnOptions {
  /** Columns that come first, in this order. */
  readonly leading?: readonly string[];
  /** Whether descriptions with units are short enough to be headers. */
  readonly isDescribed?: boolean;
  /** The fields of columns of their names, whose decimals are shown. */
  readonly fields?: Fields;
}

/** The columns of a layout; the first one stays in view. */
export function buildColumns(
  { columns }: TabularLayout,
  { leading = [], isDescribed = false, fields = {} }: ColumnOptions = {},
): WidgetColumn[] {
  const first = leading.flatMap((name) => columns.filter((column) => column.name === name));
  const trailing = columns.filter((column) => !first.includes(column));
  return [...first, ...trailing].map((column, index) => ({
    field: getFieldName(column),
    headerName: formatHeader(getFieldName(column)),
    headerTooltip: column.description ?? '',
    ...CELL_TYPES[column.type],
    ...findUnitFormat(column),
    ...findDecimals(fields[column.name]),
    ...(isDescribed && column.description && { headerName: column.description }),
    ...(index === 0 && { pinned: 'left' }),
  }));
}

/** The rows of a record as objects, with the fields of `buildColumns`. */
export function createRowMapper(layout: TabularLayout): (record: AnyRecord) => WidgetRow[] {
  const names = layout.columns.map(getFieldName);
  return (record) =>
    layout
      .toRows(record)
      .map((cells) => Object.fromEntries(names.map((name, index) => [name, cells[index] ?? null])));
}

/** Workspace would look for the part after a dot within an object. */
function getFieldName({ name }: TabularColumn): string {
  return name.replaceAll('.', '_');
}

const CELL_TYPES = {
  text: { cellDataType: 'text', formatterFn: 'none', chartDataType: 'category' },
  // Cells of a table have no booleans.
  boolean: { cellDataType: 'text', formatterFn: 'none', chartDataType: 'category' },
  day: { cellDataType: 'dateString', formatterFn: 'none', chartDataType: 'time' },
  number: { cellDataType: 'number', formatterFn: 'none', chartDataType: 'series' },
  integer: { cellDataType: 'number', formatterFn: 'int', chartDataType: 'series' },
} as const;

const UNIT_FORMATS: Readonly<Record<string, Partial<WidgetColumn>>> = createLookupTable({
  percent: { formatterFn: 'percent', decimalPlaces: 3 },
  fraction: { formatterFn: 'normalizedPercent', decimalPlaces: 1 },
  years: { decimalPlaces: 2 },
  'per 100 of face value': { decimalPlaces: 4 },
});

/** Descriptions have the unit in parentheses. */
function findUnitFormat({ type, unit, description = '' }: TabularColumn): Partial<WidgetColumn> {
  if (type !== 'number') return {};
  const units = Object.keys(UNIT_FORMATS);
  const name = units.find((name) => unit === name || description.includes(`(${name})`));
  return UNIT_FORMATS[name ?? ''] ?? {};
}

function findDecimals({ decimals }: Partial<Field> = {}): Partial<WidgetColumn> {
  return decimals === undefined ? {} : { decimalPlaces: decimals };
}

const ABBREVIATIONS: Readonly<Record<string, string>> = createLookupTable({
  isin: 'ISIN',
  ytm: 'YTM',
  dv01: 'DV01',
  fund_id: 'Fund',
  as_of: 'As of',
});

/** The name of a field or parameter for people: `bidPrice` is `Bid price`. */
export function formatHeader(name: string): string {
  const label = name
    .replaceAll('_', ' ')
    .replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return ABBREVIATIONS[name] ?? label.replace(/^./, (letter) => letter.toUpperCase());
}
