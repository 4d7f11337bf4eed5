import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { DatasetEntry } from '../api/types.ts';
import { DataTable, type TableColumn } from '../components/data-table.tsx';
import { formatDayLabel } from '../formatting/dates.ts';
import {
  formatFigure,
  formatSigned,
  formatWithUnit,
  getDecimals,
  getShortUnit,
  NO_VALUE,
  type UnitInfo,
} from '../formatting/numbers.ts';
import { type AnalyticsRecord, SPREAD } from './analytics.ts';
import {
  CHANGE_PERIODS,
  type ChangePeriod,
  type DayValue,
  findPeriodChanges,
  type PeriodChanges,
  type ValueRange,
} from './period-changes.ts';
import { getField, getQuoteValue } from './quote.ts';

interface ChangesTableProps {
  readonly entry: DatasetEntry;
  /** Newest first, at least those of the last year. */
  readonly quotes: readonly Quote[];
  readonly analytics: readonly AnalyticsRecord[];
}

interface ChangeRow extends PeriodChanges {
  readonly title: string;
  readonly unitInfo: UnitInfo;
}

/** How much price, yield and spread have changed, and their 52-week ranges. */
export function ChangesTable({ entry, quotes, analytics }: ChangesTableProps) {
  const listValues = (name: 'lastPrice' | 'ytm') => {
    const field = getField(entry, name);
    const values = quotes.flatMap((quote) => toDayValue(quote.date, getQuoteValue(quote, field)));
    return { title: field.meaning, unitInfo: field, values };
  };
  const spreads = analytics.flatMap(({ date, spread }) => toDayValue(date, spread));
  const rows = [
    listValues('lastPrice'),
    listValues('ytm'),
    { title: SPREAD.title, unitInfo: SPREAD, values: spreads },
  ].flatMap(({ values, ...row }): ChangeRow[] => {
    const changes = findPeriodChanges(values);
    return changes ? [{ ...row, ...changes }] : [];
  });
  if (rows.length === 0) return null;
  return (
    <DataTable
      caption="Changes on the day, week, month and year, and 52-week range"
      columns={[
        ...LEADING_COLUMNS,
        ...CHANGE_PERIODS.map((period) => createChangeColumn(period, rows)),
        RANGE_COLUMN,
      ]}
      rows={rows}
      getRowKey={({ title }) => title}
    />
  );
}

function toDayValue(date: string, value: unknown): DayValue[] {
  return typeof value === 'number' ? [{ date, value }] : [];
}

const LEADING_COLUMNS: readonly TableColumn<ChangeRow>[] = [
  { name: 'figure', title: 'Figure', isText: true, renderCell: ({ title }) => title },
  {
    name: 'newest',
    title: 'Newest',
    renderCell: ({ newest, unitInfo }) => (
      <span title={formatDayLabel(newest.date)}>
        {formatFigure(newest.value, unitInfo)} {getShortUnit(unitInfo)}
      </span>
    ),
  },
];

function createChangeColumn(
  { key, title }: (typeof CHANGE_PERIODS)[number],
  rows: readonly ChangeRow[],
): TableColumn<ChangeRow> {
  const earlier = rows.find((row) => row.earlier[key])?.earlier[key];
  return {
    name: key,
    title,
    unit: earlier && `since ${formatDayLabel(earlier.date)}`,
    renderCell: (row) => renderChange(row, key),
  };
}

function renderChange({ newest, earlier, unitInfo }: ChangeRow, period: ChangePeriod) {
  const compared = earlier[period];
  if (!compared) return <span class="muted">{NO_VALUE}</span>;
  const hint = `from ${formatWithUnit(compared.value, unitInfo)} on ${formatDayLabel(compared.date)}`;
  return <span title={hint}>{formatFigureChange(newest.value, compared.value, unitInfo)}</span>;
}

/** Without green and red, because a higher yield or price is neither good nor bad for everybody. */
export function formatFigureChange(later: number, earlier: number, unitInfo: UnitInfo): string {
  const difference = later - earlier;
  if (unitInfo.kind === 'percent') return `${formatSigned(difference * 100, 1)} bp`;
  const text = formatSigned(difference, getDecimals(difference, unitInfo));
  return unitInfo.kind === 'basisPoints' ? `${text} bp` : text;
}

const RANGE_COLUMN: TableColumn<ChangeRow> = {
  name: 'range',
  title: '52-week range',
  renderCell: ({ range, newest, unitInfo }) => (
    <span class="value-range" title={describeRange(range, unitInfo)}>
      {formatFigure(range.low.value, unitInfo)}
      <span class="range-track" aria-hidden="true">
        <i style={{ left: `${getPosition(range, newest.value)}%` }} />
      </span>
      {formatFigure(range.high.value, unitInfo)}
    </span>
  ),
};

function describeRange({ low, high }: ValueRange, unitInfo: UnitInfo): string {
  return [low, high]
    .map(({ value, date }) => `${formatWithUnit(value, unitInfo)} on ${formatDayLabel(date)}`)
    .join(' to ');
}

function getPosition({ low, high }: ValueRange, value: number): number {
  return high.value === low.value ? 50 : ((value - low.value) / (high.value - low.value)) * 100;
}
