import { DataTable, type TableColumn } from '../components/data-table.tsx';
import { EmptyState, Panel } from '../components/panel.tsx';
import { SegmentedControl } from '../components/segmented-control.tsx';
import { buildShownTable } from '../export/shown-table.ts';
import { formatDayLabel } from '../formatting/dates.ts';
import { formatNumber } from '../formatting/numbers.ts';
import { updateParams } from '../routing/view-route.tsx';
import { getField, listTypeOptions } from '../security/quoted-security.ts';
import { DEFAULT_SORT, type MarketFilters } from './market-filters.ts';
import type { QuoteRow } from './quote-rows.ts';
import type { MarketPanelProps } from './yield-curve-panel.tsx';
import { getPointKey, parsePointKey } from './yield-curves.ts';

interface MarketQuotesPanelProps extends MarketPanelProps {
  readonly filters: MarketFilters;
  readonly rows: readonly QuoteRow[];
  readonly columns: readonly TableColumn<QuoteRow>[];
  /** Says why there are no changes. */
  readonly comparisonNote: string | undefined;
}

export function MarketQuotesPanel(props: MarketQuotesPanelProps) {
  const { entry, day, exported, filters, comparisonNote, pointedKey, onPointKey } = props;
  const { rows, columns } = props;
  const { type, sort } = filters;
  const [shown, all] = [rows, day.quotes].map(({ length }) => formatNumber(length, 0));
  return (
    <Panel
      title={`${shown} of ${all} quotes`}
      class="quotes-of-day"
      tools={
        <SegmentedControl
          label="Type"
          options={listTypeOptions(getField(entry, 'type').values ?? [], 'All')}
          value={type}
          param="type"
        />
      }
      exported={{ ...exported, getTable: () => buildShownTable(columns, rows, sort) }}
      lead={comparisonNote}
    >
      {rows.length === 0 ? (
        <EmptyState title="No matching quotes">
          No quote of this day has that type, maturity, symbol and ISIN.
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
