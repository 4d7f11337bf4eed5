import { useMemo } from 'preact/hooks';
import { Link } from '../address/link.tsx';
import { dayWords } from '../figures/days.ts';
import { figure, NONE, shortUnitOf, signed } from '../figures/figures.ts';
import { type Column, Table } from '../parts/table.tsx';
import { figureIn, knownField, type Quote, typeWords } from '../quotes/quote.ts';
import type { Entry } from '../service/catalogue.ts';
import type { DayBefore } from './use-day.ts';

interface BoardProps {
  readonly entry: Entry;
  readonly day: string;
  readonly quotes: readonly Quote[];
  /** The day that it is compared with, where it is. */
  readonly before: DayBefore | undefined;
  readonly sort: string;
  readonly onSort: (sort: string) => void;
}

/** A quote, beside what was quoted of the same security before. */
interface Row {
  readonly quote: Quote;
  readonly price: number | undefined;
  readonly points: number | undefined;
}

/** The quotes of a day, in a table. */
export function Board({ entry, day, quotes, before, sort, onSort }: BoardProps) {
  const rows = useMemo(() => rowsOf(quotes, before?.quotes ?? []), [quotes, before]);
  const columns = useMemo(() => columnsOf(entry, before?.date), [entry, before?.date]);
  return (
    <Table
      caption={`Quotes of ${dayWords(day)}`}
      columns={columns}
      rows={rows}
      keyOf={({ quote }) => quote.symbol}
      sort={sort}
      onSort={onSort}
    />
  );
}

function rowsOf(quotes: readonly Quote[], before: readonly Quote[]): Row[] {
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

function columnsOf(entry: Entry, before: string | undefined): Column<Row>[] {
  const plain = (
    name: keyof Quote,
    title: string,
    column: Partial<Column<Row>> = {},
  ): Column<Row> => {
    const field = knownField(entry, name);
    return {
      name,
      title,
      unit: shortUnitOf(field),
      hint: field.meaning,
      cell: ({ quote }) => (
        <span title={String(quote[name])}>{figure(figureIn(quote, field), field)}</span>
      ),
      by: ({ quote }) => figureIn(quote, field) as number | string | undefined,
      ...column,
    };
  };
  const since = before === undefined ? '' : `Against ${dayWords(before)}`;
  const change = (name: 'price' | 'points', title: string, unit: string, decimals: number) => ({
    name,
    title,
    unit,
    hint: since,
    cell: (row: Row) => <span>{row[name] === undefined ? NONE : signed(row[name], decimals)}</span>,
    by: (row: Row) => row[name],
  });
  return [
    plain('symbol', 'Symbol', {
      isText: true,
      cell: ({ quote: { symbol, isin } }) => (
        <Link to="security" at={{ symbol }} title={isin}>
          {symbol}
        </Link>
      ),
    }),
    plain('type', 'Type', { isText: true, cell: ({ quote }) => typeWords(quote.type) }),
    plain('maturityYears', 'To maturity', { name: 'years' }),
    plain('ytm', 'Yield'),
    ...(before === undefined ? [] : [change('points', 'Change', 'bp of yield', 1)]),
    plain('lastPrice', 'Last price'),
    ...(before === undefined ? [] : [change('price', 'Change', 'in price', 4)]),
    plain('maturityDate', 'Maturity', { cell: ({ quote }) => dayWords(quote.maturityDate) }),
    plain('bidPrice', 'Bid'),
    plain('askPrice', 'Ask'),
    plain('volume', 'Volume'),
    plain('duration', 'Duration'),
  ];
}
