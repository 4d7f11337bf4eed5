import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { DatasetEntry } from '../api/types.ts';
import { createColumn, createTextColumn, type DataTableColumn } from '../components/data-table.tsx';
import { formatDayLabel, formatOtherDay } from '../formatting/dates.ts';
import {
  formatFigure,
  formatFigureChange,
  formatWithUnit,
  getShortUnit,
  NO_VALUE,
  type UnitInfo,
} from '../formatting/numbers.ts';
import { getMaxDecimals } from '../series/compute-changes.ts';
import { type AnalyticsRecord, SPREAD } from './analytics.ts';
import {
  CHANGE_PERIODS,
  type ChangePeriod,
  type DayValue,
  findPeriodChanges,
  type PeriodChanges,
} from './period-changes.ts';
import { getField, getQuoteValue } from './quote-fields.ts';

interface ChangeRow {
  readonly name: string;
  readonly hint: string;
  readonly unitInfo: UnitInfo;
  /** The date of the newest quote, which may lack the figure. */
  readonly newestDate: string | undefined;
  /** Undefined if there is no figure. */
  readonly changes: PeriodChanges | undefined;
}

/** The newest price, yield and spread, their changes, and their 52-week ranges, from figures newest first. */
export function buildChanges(
  entry: DatasetEntry,
  quotes: readonly Quote[],
  analytics: readonly AnalyticsRecord[],
) {
  const newestDate = quotes[0]?.date;
  const createRow = (name: string, fieldName: 'lastPrice' | 'ytm'): ChangeRow => {
    const field = getField(entry, fieldName);
    const values = quotes.flatMap((quote) => toDayValue(quote.date, getQuoteValue(quote, field)));
    const roundedTo = getMaxDecimals(values.map(({ value }) => value));
    const unitInfo = { kind: field.kind, unit: field.unit, roundedTo };
    return { name, hint: field.meaning, unitInfo, newestDate, changes: findPeriodChanges(values) };
  };
  const spreads = analytics.flatMap(({ date, spread }) => toDayValue(date, spread));
  const rows = [
    createRow('Last price', 'lastPrice'),
    createRow('Yield', 'ytm'),
    {
      name: 'Spread',
      hint: SPREAD.hint,
      unitInfo: SPREAD,
      newestDate,
      changes: findPeriodChanges(spreads),
    },
  ];
  const changeColumns = CHANGE_PERIODS.map((period) => createChangeColumn(period, rows));
  return { rows, columns: [...LEADING_COLUMNS, ...changeColumns, RANGE_COLUMN] };
}

function toDayValue(date: string, value: unknown): DayValue[] {
  return typeof value === 'number' ? [{ date, value }] : [];
}

const LEADING_COLUMNS = [
  createTextColumn<ChangeRow>('figure', 'Figure', ({ name, hint, unitInfo }) => (
    <span title={hint}>
      {name} <small>{getShortUnit(unitInfo)}</small>
    </span>
  )),
  createColumn<ChangeRow>('newest', 'Newest', ({ changes, unitInfo, newestDate }) => (
    <>
      <b>{formatFigure(changes?.newest.value, unitInfo)}</b>
      {renderOtherDate(changes?.newest.date, newestDate)}
    </>
  )),
];

function createChangeColumn(
  key: ChangePeriod,
  rows: readonly ChangeRow[],
): DataTableColumn<ChangeRow> {
  const earlier = rows.find(({ changes }) => changes?.earlier[key])?.changes?.earlier[key];
  return {
    name: key,
    title: `1 ${key}`,
    unit: earlier && `since ${formatOtherDay(earlier.date, rows[0]?.newestDate ?? '')}`,
    renderCell: (row) => renderChange(row, key, earlier?.date),
  };
}

function renderChange(
  { changes, unitInfo }: ChangeRow,
  period: ChangePeriod,
  headDate: string | undefined,
) {
  const compared = changes?.earlier[period];
  if (!compared) return <span class="muted">{NO_VALUE}</span>;
  const hint = `from ${formatWithUnit(compared.value, unitInfo)} on ${formatDayLabel(compared.date)}`;
  const difference = changes.newest.value - compared.value;
  // Without green and red: a higher yield or price is good for some and bad for others.
  return (
    <>
      <span title={hint}>{formatFigureChange(difference, unitInfo)}</span>
      {renderOtherDate(compared.date, headDate)}
    </>
  );
}

/** The date of a figure, if it differs from that of the quote or of the column's heading. */
function renderOtherDate(date: string | undefined, expected: string | undefined) {
  if (date === undefined || date === expected) return null;
  return <small class="previous-value">{formatDayLabel(date)}</small>;
}

const RANGE_COLUMN = createColumn<ChangeRow>('range', '52-week range', ({ changes, unitInfo }) =>
  changes ? (
    changes.range.map((value) => formatFigure(value, unitInfo)).join(' to ')
  ) : (
    <span class="muted">{NO_VALUE}</span>
  ),
);
