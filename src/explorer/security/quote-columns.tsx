import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { DatasetEntry } from '../api/types.ts';
import type { DataTableColumn } from '../components/data-table.tsx';
import { formatDayLabel } from '../formatting/dates.ts';
import { formatDays, formatFigure, getShortUnit } from '../formatting/numbers.ts';
import { SPREAD } from './analytics.ts';
import { formatType, getField, getQuoteValue, type SpreadRow } from './quote-fields.ts';

const TITLES = {
  date: 'Date',
  symbol: 'Symbol',
  isin: 'ISIN',
  type: 'Type',
  maturityDate: 'Maturity',
  maturityYears: 'To maturity',
  bidPrice: 'Bid',
  askPrice: 'Ask',
  lastPrice: 'Last price',
  bidVolume: 'Bid volume',
  askVolume: 'Ask volume',
  volume: 'Volume',
  ytm: 'Yield',
  duration: 'Duration',
} satisfies Readonly<Record<keyof Quote, string>>;

export function createQuoteColumn(
  entry: DatasetEntry,
  name: keyof Quote,
): DataTableColumn<SpreadRow> {
  const field = getField(entry, name);
  const format = {
    date: ({ date }: Quote) => formatDayLabel(date),
    maturityDate: ({ maturityDate }: Quote) => formatDayLabel(maturityDate),
    type: ({ type }: Quote) => formatType(type),
  }[name as string];
  return {
    name,
    title: TITLES[name],
    unit: getShortUnit(field),
    hint: field.meaning,
    isText: name === 'symbol' || name === 'isin' || name === 'type',
    renderCell({ quote }) {
      if (format) return format(quote);
      const figure = getQuoteValue(quote, field);
      const text = formatDays(figure, field) ?? formatFigure(figure, field);
      return <span title={String(quote[name])}>{text}</span>;
    },
    sortValue: ({ quote }) => getQuoteValue(quote, field) as number | string | undefined,
  };
}

export const SPREAD_COLUMN: DataTableColumn<SpreadRow> = {
  name: 'spread',
  title: 'Spread',
  unit: getShortUnit(SPREAD),
  hint: SPREAD.hint,
  renderCell: ({ spread }) => formatFigure(spread, SPREAD),
  sortValue: ({ spread }) => spread,
};
