import { useMemo } from 'preact/hooks';
import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { DatasetEntry } from '../api/types.ts';
import { DataTable, type TableColumn } from '../components/data-table.tsx';
import { formatDayLabel } from '../formatting/dates.ts';
import { formatFigure, formatSigned, getShortUnit, NO_VALUE } from '../formatting/numbers.ts';
import { Link } from '../routing/link.tsx';
import { formatType, getField, getQuoteValue } from '../security/quote.ts';
import type { ComparisonDay } from './use-market-day.ts';

interface MarketQuotesTableProps {
  readonly entry: DatasetEntry;
  readonly day: string;
  readonly quotes: readonly Quote[];
  /** The day that it is compared with, where it is. */
  readonly before: ComparisonDay | undefined;
  readonly sort: string;
  readonly onSort: (sort: string) => void;
}

/** A quote, beside what was quoted of the same security before. */
interface QuoteRow {
  readonly quote: Quote;
  readonly price: number | undefined;
  readonly points: number | undefined;
}

/** The quotes of a day, in a table. */
export function MarketQuotesTable({
  entry,
  day,
  quotes,
  before,
  sort,
  onSort,
}: MarketQuotesTableProps) {
  const rows = useMemo(() => buildQuoteRows(quotes, before?.quotes ?? []), [quotes, before]);
  const columns = useMemo(() => createQuoteColumns(entry, before?.date), [entry, before?.date]);
  return (
    <DataTable
      caption={`Quotes of ${formatDayLabel(day)}`}
      columns={columns}
      rows={rows}
      getRowKey={({ quote }) => quote.symbol}
      sort={sort}
      onSort={onSort}
    />
  );
}

function buildQuoteRows(quotes: readonly Quote[], before: readonly Quote[]): QuoteRow[] {
  const earlier = new Map(before.map((quote) => [quote.symbol, quote]));
  return quotes.map((quote) => {
    const old = earlier.get(quote.symbol);
    return {
      quote,
      // On the board a price of 0 means that there is none, and a yield of 0 that it was not computed.
      price: old?.lastPrice && quote.lastPrice ? quote.lastPrice - old.lastPrice : undefined,
      points: old?.ytm && quote.ytm ? (quote.ytm - old.ytm) * 100 : undefined,
    };
  });
}

function createQuoteColumns(
  entry: DatasetEntry,
  before: string | undefined,
): TableColumn<QuoteRow>[] {
  const plain = (
    name: keyof Quote,
    title: string,
    column: Partial<TableColumn<QuoteRow>> = {},
  ): TableColumn<QuoteRow> => {
    const field = getField(entry, name);
    return {
      name,
      title,
      unit: getShortUnit(field),
      hint: field.meaning,
      renderCell: ({ quote }) => (
        <span title={String(quote[name])}>{formatFigure(getQuoteValue(quote, field), field)}</span>
      ),
      sortValue: ({ quote }) => getQuoteValue(quote, field) as number | string | undefined,
      ...column,
    };
  };
  const since = before === undefined ? '' : `Against ${formatDayLabel(before)}`;
  const change = (name: 'price' | 'points', title: string, unit: string, decimals: number) => ({
    name,
    title,
    unit,
    hint: since,
    renderCell: (row: QuoteRow) => (
      <span>{row[name] === undefined ? NO_VALUE : formatSigned(row[name], decimals)}</span>
    ),
    sortValue: (row: QuoteRow) => row[name],
  });
  return [
    plain('symbol', 'Symbol', {
      isText: true,
      renderCell: ({ quote: { symbol, isin } }) => (
        <Link view="security" params={{ symbol }} title={isin}>
          {symbol}
        </Link>
      ),
    }),
    plain('type', 'Type', { isText: true, renderCell: ({ quote }) => formatType(quote.type) }),
    plain('maturityYears', 'To maturity', { name: 'years' }),
    plain('ytm', 'Yield'),
    ...(before === undefined ? [] : [change('points', 'Change', 'bp of yield', 1)]),
    plain('lastPrice', 'Last price'),
    ...(before === undefined ? [] : [change('price', 'Change', 'in price', 4)]),
    plain('maturityDate', 'Maturity', {
      renderCell: ({ quote }) => formatDayLabel(quote.maturityDate),
    }),
    plain('bidPrice', 'Bid'),
    plain('askPrice', 'Ask'),
    plain('volume', 'Volume'),
    plain('duration', 'Duration'),
  ];
}
