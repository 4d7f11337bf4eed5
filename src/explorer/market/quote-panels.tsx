import { useMemo } from 'preact/hooks';
import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { ApiRequest, DatasetEntry } from '../api/types.ts';
import { useColumnChoice } from '../components/column-choice.tsx';
import { DataTable, type DataTableColumn } from '../components/data-table.tsx';
import { EmptyState, LoadingState, Panel, PrintChoice } from '../components/panel.tsx';
import { SegmentedControl } from '../components/segmented-control.tsx';
import type { ExportMenuProps } from '../export/export-menu.tsx';
import { ExportPanel } from '../export/export-panel.tsx';
import { formatDayLabel } from '../formatting/dates.ts';
import { formatMatches, formatSigned, NO_VALUE } from '../formatting/numbers.ts';
import { updateParams, ViewLink } from '../routing/view-route.tsx';
import { createQuoteColumn, SPREAD_COLUMN } from '../security/quote-columns.tsx';
import { createShownRequest, getField, listTypeOptions } from '../security/quote-fields.ts';
import { createSpreads } from './create-spreads.ts';
import { formatSince } from './describe-market.ts';
import { DEFAULT_SORT, getColumnName, type MarketFilters } from './market-filters.ts';
import { buildQuoteRows, findChangeDecimals, findMovers, type QuoteRow } from './quote-rows.ts';
import type { FilteredDay } from './yield-curves.ts';

interface QuotePanelsProps {
  readonly entry: DatasetEntry;
  readonly filters: MarketFilters;
  readonly day: FilteredDay;
  readonly comparison: FilteredDay | undefined;
  /** The day of the comparison; until it arrives, the requested day. */
  readonly comparisonDate: string | undefined;
  /** Explains why there are no changes. */
  readonly comparisonNote: string | undefined;
  readonly exported: ExportMenuProps & { readonly request: ApiRequest };
}

/** The yields of a day that moved most, and all of its quotes. */
export function QuotePanels(props: QuotePanelsProps) {
  const { entry, filters, day, comparison, comparisonDate, exported } = props;
  const since = comparisonDate && formatSince(comparisonDate, day.date);
  const { rows, columns: allColumns } = useQuoteTable(entry, day, comparison, since);
  const { columns, choice } = useColumnChoice('market-quotes', allColumns, getColumnName);
  const { type, sort } = filters;
  return (
    <div class="columns quote-columns">
      {since && rows.length > 0 && (
        <Panel title={`Movers ${since}`} class="movers narrow">
          {comparison ? (
            <MoversTable rows={rows} columns={allColumns} since={since} />
          ) : (
            <LoadingState subject="the movers" />
          )}
        </Panel>
      )}
      <ExportPanel
        title={formatMatches(rows.length, day.quotes.length, 'quotes')}
        class="quotes-of-day narrow"
        tools={
          <>
            <SegmentedControl
              label="Type"
              options={listTypeOptions(getField(entry, 'type').values ?? [], 'All')}
              value={type}
              param="type"
            />
            <PrintChoice />
          </>
        }
        exported={{
          ...exported,
          shownRequest: createShownRequest(exported.request, columns, sort, {
            compare: comparisonDate,
            ...selectSymbols(rows, day.quotes.length),
          }),
        }}
        lead={props.comparisonNote}
      >
        {rows.length === 0 ? (
          <EmptyState title="No matching quotes">
            No quote of this day has that type, maturity, symbol and ISIN.
          </EmptyState>
        ) : (
          <DataTable
            caption={`Quotes of ${formatDayLabel(day.date)}`}
            columns={allColumns}
            choice={choice}
            rows={rows}
            getRowKey={({ quote }) => quote.symbol}
            sort={sort}
            onSort={(next) => updateParams({ sort: next === DEFAULT_SORT ? '' : next })}
          />
        )}
      </ExportPanel>
    </div>
  );
}

const MAX_SYMBOLS = 50;

/** The service cannot filter by maturity and text, but by symbols. */
function selectSymbols(rows: readonly QuoteRow[], total: number) {
  const isNamed = rows.length > 0 && rows.length < total && rows.length <= MAX_SYMBOLS;
  return isNamed ? { symbol: rows.map(({ quote }) => quote.symbol).join() } : {};
}

type QuoteColumn = DataTableColumn<QuoteRow>;

interface MoversTableProps {
  readonly rows: readonly QuoteRow[];
  readonly columns: readonly QuoteColumn[];
  readonly since: string;
}

function MoversTable({ rows, columns, since }: MoversTableProps) {
  const movers = useMemo(() => findMovers(rows), [rows]);
  if (movers.length === 0)
    return <p class="help">No yield with more than a month to maturity moved.</p>;
  return (
    <>
      <DataTable
        caption={`Yields that rose and fell most ${since}`}
        columns={columns.filter(({ name }) => MOVER_COLUMNS.includes(name))}
        rows={movers}
        getRowKey={({ quote }) => quote.symbol}
      />
      <p class="help">Up to five each way, with more than a month to maturity.</p>
    </>
  );
}

const MOVER_COLUMNS = ['symbol', 'ytm', 'ytmChange'];

/** Rows and columns of the quotes of a day, and of their changes since another one. */
function useQuoteTable(
  entry: DatasetEntry,
  day: FilteredDay,
  comparison: FilteredDay | undefined,
  since: string | undefined,
) {
  const { quotes, filteredQuotes } = day;
  const earlierQuotes = comparison?.quotes;
  const allRows = useMemo(
    () => buildQuoteRows(quotes, earlierQuotes ?? [], createSpreads(day)),
    [quotes, day.curves, earlierQuotes],
  );
  const rows = useMemo(() => {
    const shown = new Set(filteredQuotes);
    return allRows.filter(({ quote }) => shown.has(quote));
  }, [allRows, filteredQuotes]);
  const columns = useMemo(() => {
    const decimals = findChangeDecimals([...quotes, ...(earlierQuotes ?? [])]);
    return createColumns(entry, since, decimals);
  }, [entry, since, quotes, earlierQuotes]);
  return { rows, columns };
}

function createColumns(
  entry: DatasetEntry,
  since: string | undefined,
  decimals: ReturnType<typeof findChangeDecimals>,
): QuoteColumn[] {
  const create = (...names: (keyof Quote)[]) => names.map((name) => createQuoteColumn(entry, name));
  const symbol = {
    ...createQuoteColumn(entry, 'symbol'),
    renderCell: ({ quote: { symbol, isin } }: QuoteRow) => (
      <ViewLink view="security" params={{ symbol }} title={isin}>
        {symbol}
      </ViewLink>
    ),
  };
  const createChange = (name: 'ytmChange' | 'lastPriceChange', unit: keyof typeof decimals) =>
    since === undefined ? [] : [createChangeColumn(name, `${unit} ${since}`, decimals[unit])];
  return [
    ...[symbol, ...create('ytm')],
    ...createChange('ytmChange', 'bp'),
    ...[...create('maturityYears'), SPREAD_COLUMN, ...create('lastPrice')],
    ...createChange('lastPriceChange', 'price'),
    ...create('type', 'maturityDate', 'bidPrice', 'askPrice', 'volume', 'duration'),
  ];
}

function createChangeColumn(
  name: 'ytmChange' | 'lastPriceChange',
  unit: string,
  decimals: number,
): QuoteColumn {
  const renderCell = ({ [name]: change }: QuoteRow) => (
    <span>{change === undefined ? NO_VALUE : formatSigned(change, decimals)}</span>
  );
  return { name, title: 'Change', unit, renderCell, sortValue: (row) => row[name] };
}
