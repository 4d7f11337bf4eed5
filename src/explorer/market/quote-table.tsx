import { useMemo } from 'preact/hooks';
import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { DatasetEntry, FieldInfo } from '../api/types.ts';
import type { TableColumn } from '../components/data-table.tsx';
import { formatDayLabel } from '../formatting/dates.ts';
import {
  formatDays,
  formatFigure,
  formatSigned,
  getShortUnit,
  NO_VALUE,
} from '../formatting/numbers.ts';
import { Link } from '../routing/view-route.tsx';
import { SPREAD } from '../security/analytics.ts';
import { formatType, getField, getQuoteValue } from '../security/quoted-security.ts';
import { createSpreads } from './create-spreads.ts';
import { formatEarlierDay } from './describe-market.ts';
import { buildQuoteRows, findChangeDecimals, type QuoteRow } from './quote-rows.ts';
import type { FilteredDay } from './yield-curves.ts';

/** Rows and columns of the quotes of a day, and of their changes since another one. */
export function useQuoteTable(
  entry: DatasetEntry,
  day: FilteredDay,
  comparison: FilteredDay | undefined,
  /** The day of the comparison, or the one that was requested, until it arrives. */
  comparisonDate: string | undefined,
) {
  const { date, quotes, filteredQuotes } = day;
  const earlierQuotes = comparison?.quotes;
  const getSpread = useMemo(() => createSpreads(day), [quotes, day.curves]);
  const allRows = useMemo(
    () => buildQuoteRows(quotes, earlierQuotes ?? [], getSpread),
    [quotes, earlierQuotes, getSpread],
  );
  const rows = useMemo(() => {
    const shown = new Set(filteredQuotes);
    return allRows.filter(({ quote }) => shown.has(quote));
  }, [allRows, filteredQuotes]);
  const since = comparisonDate && formatEarlierDay(comparisonDate, date);
  const columns = useMemo(() => {
    const decimals = findChangeDecimals([...quotes, ...(earlierQuotes ?? [])]);
    return createQuoteColumns(entry, since, decimals);
  }, [entry, quotes, earlierQuotes, since]);
  return { rows, columns };
}

function createQuoteColumns(
  entry: DatasetEntry,
  since: string | undefined,
  changeDecimals: ReturnType<typeof findChangeDecimals>,
): TableColumn<QuoteRow>[] {
  const createColumn = (name: keyof Quote, title: string, column?: Partial<QuoteColumn>) =>
    createFieldColumn(getField(entry, name), title, column);
  const createChange = (name: 'price' | 'points', unit: string): QuoteColumn[] =>
    since === undefined
      ? []
      : [createChangeColumn(name, `${unit} since ${since}`, changeDecimals[name])];
  return [
    createColumn('symbol', 'Symbol', {
      isText: true,
      renderCell: ({ quote: { symbol, isin } }) => (
        <Link view="security" params={{ symbol }} title={isin}>
          {symbol}
        </Link>
      ),
    }),
    createColumn('ytm', 'Yield'),
    ...createChange('points', 'bp'),
    createColumn('maturityYears', 'To maturity', {
      name: 'years',
      field: 'maturityYears',
    }),
    SPREAD_COLUMN,
    createColumn('lastPrice', 'Last price'),
    ...createChange('price', 'price'),
    createColumn('type', 'Type', {
      isText: true,
      renderCell: ({ quote }) => formatType(quote.type),
    }),
    createColumn('maturityDate', 'Maturity', {
      renderCell: ({ quote }) => formatDayLabel(quote.maturityDate),
    }),
    createColumn('bidPrice', 'Bid'),
    createColumn('askPrice', 'Ask'),
    createColumn('volume', 'Volume'),
    createColumn('duration', 'Duration'),
  ];
}

type QuoteColumn = TableColumn<QuoteRow>;

const SPREAD_COLUMN: QuoteColumn = {
  name: 'spread',
  title: 'Spread',
  unit: getShortUnit(SPREAD),
  hint: SPREAD.hint,
  renderCell: ({ spread }) => formatFigure(spread, SPREAD),
  sortValue: ({ spread }) => spread,
};

function createFieldColumn(
  field: FieldInfo,
  title: string,
  column: Partial<QuoteColumn> = {},
): QuoteColumn {
  return {
    name: field.name,
    title,
    unit: getShortUnit(field),
    hint: field.meaning,
    renderCell({ quote }) {
      const figure = getQuoteValue(quote, field);
      const text = formatDays(figure, field) ?? formatFigure(figure, field);
      return <span title={String(quote[field.name as keyof Quote])}>{text}</span>;
    },
    sortValue: ({ quote }) => getQuoteValue(quote, field) as number | string | undefined,
    ...column,
  };
}

function createChangeColumn(name: 'price' | 'points', unit: string, decimals: number): QuoteColumn {
  const renderCell = ({ [name]: change }: QuoteRow) => (
    <span>{change === undefined ? NO_VALUE : formatSigned(change, decimals)}</span>
  );
  const field = { price: 'lastPriceChange', points: 'ytmChange' }[name];
  return { name, field, title: 'Change', unit, renderCell, sortValue: (row) => row[name] };
}
