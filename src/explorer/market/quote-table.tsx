import { useMemo } from 'preact/hooks';
import type { DatasetEntry } from '../api/types.ts';
import type { DataTableColumn } from '../components/data-table.tsx';
import { formatSigned, NO_VALUE } from '../formatting/numbers.ts';
import { ViewLink } from '../routing/view-route.tsx';
import { createQuoteColumn, SPREAD_COLUMN } from '../security/quote-columns.tsx';
import { createSpreads } from './create-spreads.ts';
import { formatSince } from './describe-market.ts';
import { buildQuoteRows, findChangeDecimals, type QuoteRow } from './quote-rows.ts';
import type { FilteredDay } from './yield-curves.ts';

/** Rows and columns of the quotes of a day, and of their changes since another one. */
export function useQuoteTable(
  entry: DatasetEntry,
  day: FilteredDay,
  comparison: FilteredDay | undefined,
  /** The day of the comparison; until it arrives, the requested day. */
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
  const since = comparisonDate && formatSince(comparisonDate, date);
  const columns = useMemo(() => {
    const decimals = findChangeDecimals([...quotes, ...(earlierQuotes ?? [])]);
    return createColumns(entry, since, decimals);
  }, [entry, since, quotes, earlierQuotes]);
  return { rows, columns };
}

type QuoteColumn = DataTableColumn<QuoteRow>;

function createColumns(
  entry: DatasetEntry,
  since: string | undefined,
  decimals: ReturnType<typeof findChangeDecimals>,
): QuoteColumn[] {
  const create = (...names: Parameters<typeof createQuoteColumn>[1][]) =>
    names.map((name) => createQuoteColumn(entry, name));
  const symbol = {
    ...createQuoteColumn(entry, 'symbol'),
    renderCell: ({ quote: { symbol, isin } }: QuoteRow) => (
      <ViewLink view="security" params={{ symbol }} title={isin}>
        {symbol}
      </ViewLink>
    ),
  };
  const createChange = (name: ChangeName, unit: keyof typeof decimals) =>
    since === undefined ? [] : [createChangeColumn(name, `${unit} ${since}`, decimals[unit])];
  return [
    ...[symbol, ...create('ytm')],
    ...createChange('ytmChange', 'bp'),
    ...[...create('maturityYears'), SPREAD_COLUMN, ...create('lastPrice')],
    ...createChange('lastPriceChange', 'price'),
    ...create('type', 'maturityDate', 'bidPrice', 'askPrice', 'volume', 'duration'),
  ];
}

type ChangeName = 'ytmChange' | 'lastPriceChange';

function createChangeColumn(name: ChangeName, unit: string, decimals: number): QuoteColumn {
  const renderCell = ({ [name]: change }: QuoteRow) => (
    <span>{change === undefined ? NO_VALUE : formatSigned(change, decimals)}</span>
  );
  return { name, title: 'Change', unit, renderCell, sortValue: (row) => row[name] };
}
