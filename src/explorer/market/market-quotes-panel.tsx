import { useMemo } from 'preact/hooks';
import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { DatasetEntry, FieldInfo } from '../api/types.ts';
import { getMaxDecimals } from '../breakdown/compute-changes.ts';
import { Button } from '../components/button.tsx';
import { DataTable, type TableColumn } from '../components/data-table.tsx';
import { EmptyState, Panel } from '../components/panel.tsx';
import { buildShownTable } from '../export/shown-table.ts';
import { formatDayLabel } from '../formatting/dates.ts';
import { formatFigure, formatSigned, getShortUnit, NO_VALUE } from '../formatting/numbers.ts';
import { Link, updateParams } from '../routing/view-route.tsx';
import { getPointDecimals, SPREAD } from '../security/analytics.ts';
import { formatType, getField, getQuoteValue } from '../security/quoted-security.ts';
import { createSpreads, type GetSpread } from './create-spreads.ts';
import { DEFAULT_SORT } from './market-filters.ts';
import type { MarketPanelProps } from './yield-curve-panel.tsx';
import { getPointKey, parsePointKey } from './yield-curves.ts';

interface MarketQuotesPanelProps extends MarketPanelProps {
  readonly sort: string;
  /** Says which day the changes are against, or why there are none. */
  readonly comparisonNote: string | undefined;
}

export function MarketQuotesPanel(props: MarketQuotesPanelProps) {
  const { entry, day, comparison, exported, sort, comparisonNote, pointedKey, onPointKey } = props;
  const { quotes, filteredQuotes } = day;
  const getSpread = useMemo(() => createSpreads(day), [day.quotes, day.curves]);
  const rows = useMemo(
    () => buildQuoteRows(filteredQuotes, comparison?.quotes ?? [], getSpread),
    [filteredQuotes, comparison?.quotes, getSpread],
  );
  const columns = useMemo(
    () =>
      createQuoteColumns(
        entry,
        comparison?.date,
        findChangeDecimals([...quotes, ...(comparison?.quotes ?? [])]),
      ),
    [entry, quotes, comparison?.quotes, comparison?.date],
  );
  return (
    <Panel
      title={`${filteredQuotes.length} of ${quotes.length} quotes`}
      exported={{ ...exported, getTable: () => buildShownTable(columns, rows, sort) }}
      lead={comparisonNote}
    >
      {rows.length === 0 ? (
        <EmptyState title="No matching quotes">
          No quote of this day has that type, maturity, symbol and ISIN.{' '}
          <Button onClick={() => updateParams({ type: '', find: '', years: '' })}>Show all</Button>
        </EmptyState>
      ) : (
        <DataTable
          caption={`Quotes of ${formatDayLabel(day.date)}`}
          {...{ columns, rows }}
          getRowKey={({ quote }) => quote.symbol}
          sort={sort}
          onSort={(next) => updateParams({ sort: next === DEFAULT_SORT ? '' : next })}
          pointedKey={pointedKey && parsePointKey(pointedKey)}
          onPointRow={(symbol) => onPointKey(symbol && getPointKey({ date: day.date, symbol }))}
        />
      )}
    </Panel>
  );
}

/** A quote with its changes against the comparison day, in price and in basis points. */
interface QuoteRow {
  readonly quote: Quote;
  /** Over the government curve, in basis points. */
  readonly spread: number | undefined;
  readonly price: number | undefined;
  readonly points: number | undefined;
}

function buildQuoteRows(
  quotes: readonly Quote[],
  earlierQuotes: readonly Quote[],
  getSpread: GetSpread,
): QuoteRow[] {
  const earlierBySymbol = new Map(earlierQuotes.map((quote) => [quote.symbol, quote]));
  return quotes.map((quote) => {
    const earlier = earlierBySymbol.get(quote.symbol);
    return {
      quote,
      spread: getSpread(quote),
      // A price of 0 means that there is none, a yield of 0 that it was not computed.
      price:
        earlier?.lastPrice && quote.lastPrice ? quote.lastPrice - earlier.lastPrice : undefined,
      points: earlier?.ytm && quote.ytm ? (quote.ytm - earlier.ytm) * 100 : undefined,
    };
  });
}

/** Changes have no more decimals than the figures of the quotes. */
function findChangeDecimals(quotes: readonly Quote[]) {
  return {
    price: Math.min(4, getMaxDecimals(quotes.map(({ lastPrice }) => lastPrice))),
    points: getPointDecimals(getMaxDecimals(quotes.map(({ ytm }) => ytm))),
  };
}

function createQuoteColumns(
  entry: DatasetEntry,
  comparisonDate: string | undefined,
  changeDecimals: ReturnType<typeof findChangeDecimals>,
): TableColumn<QuoteRow>[] {
  const createColumn = (name: keyof Quote, title: string, column?: Partial<QuoteColumn>) =>
    createFieldColumn(getField(entry, name), title, column);
  const createChange = (name: 'price' | 'points', unit: string): QuoteColumn[] =>
    comparisonDate === undefined
      ? []
      : [createChangeColumn(name, unit, changeDecimals[name], comparisonDate)];
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
    ...createChange('points', 'bp of yield'),
    createColumn('maturityYears', 'To maturity', { name: 'years' }),
    SPREAD_COLUMN,
    createColumn('lastPrice', 'Last price'),
    ...createChange('price', 'in price'),
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
      const value = String(quote[field.name as keyof Quote]);
      return <span title={value}>{formatFigure(getQuoteValue(quote, field), field)}</span>;
    },
    sortValue: ({ quote }) => getQuoteValue(quote, field) as number | string | undefined,
    ...column,
  };
}

function createChangeColumn(
  name: 'price' | 'points',
  unit: string,
  decimals: number,
  comparisonDate: string,
): QuoteColumn {
  const renderCell = ({ [name]: change }: QuoteRow) => (
    <span>{change === undefined ? NO_VALUE : formatSigned(change, decimals)}</span>
  );
  const hint = `Against ${formatDayLabel(comparisonDate)}`;
  return { name, title: 'Change', unit, hint, renderCell, sortValue: (row) => row[name] };
}
