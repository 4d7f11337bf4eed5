import type { ApiRequest } from '../api/types.ts';
import { useColumnChoice } from '../components/column-choice.tsx';
import { DataTable, type DataTableColumn } from '../components/data-table.tsx';
import { EmptyState, Panel, PrintChoice } from '../components/panel.tsx';
import { SegmentedControl } from '../components/segmented-control.tsx';
import { createShownRequest } from '../export/create-shown-request.ts';
import type { ExportMenuProps } from '../export/export-menu.tsx';
import { formatDayLabel } from '../formatting/dates.ts';
import { formatMatches } from '../formatting/numbers.ts';
import { updateParams } from '../routing/view-route.tsx';
import { getField, listTypeOptions } from '../security/quote-fields.ts';
import { DEFAULT_SORT, getColumnName, type MarketFilters } from './market-filters.ts';
import type { QuoteRow } from './quote-rows.ts';
import type { MarketPanelProps } from './yield-curve-panel.tsx';

interface MarketQuotesPanelProps extends MarketPanelProps {
  readonly filters: MarketFilters;
  readonly rows: readonly QuoteRow[];
  readonly columns: readonly DataTableColumn<QuoteRow>[];
  readonly exported: ExportMenuProps & { readonly request: ApiRequest };
  readonly comparisonDate: string | undefined;
  /** Explains why there are no changes. */
  readonly comparisonNote: string | undefined;
}

export function MarketQuotesPanel(props: MarketQuotesPanelProps) {
  const { entry, day, exported, filters, comparisonNote } = props;
  const { rows, columns: allColumns, comparisonDate } = props;
  const { columns, choice } = useColumnChoice('market-quotes', allColumns, getColumnName);
  const { type, sort } = filters;
  return (
    <Panel
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
      lead={comparisonNote}
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
    </Panel>
  );
}

/** The maximum number of securities in a request. */
const MAX_SYMBOLS = 50;

/** The service cannot filter by maturity and text, but by symbols. */
function selectSymbols(rows: readonly QuoteRow[], total: number) {
  const isNamed = rows.length > 0 && rows.length < total && rows.length <= MAX_SYMBOLS;
  return isNamed ? { symbol: rows.map(({ quote }) => quote.symbol).join() } : {};
}
