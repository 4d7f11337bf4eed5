import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { DatasetEntry } from '../api/types.ts';
import { Panel } from '../components/panel.tsx';
import { EmptyState } from '../components/query-view.tsx';
import { ExportMenu } from '../export/export-menu.tsx';
import { updateParams } from '../routing/view-route.ts';
import { DEFAULT_SORT, type MarketFilters } from './market-filters.ts';
import { MarketQuotesTable } from './market-quotes-table.tsx';
import { type ComparisonDay, createDayRequest } from './use-market-day.ts';

interface MarketQuotesPanelProps {
  readonly entry: DatasetEntry;
  readonly day: string;
  readonly quotes: readonly Quote[];
  /** Those of the quotes that are wanted. */
  readonly filteredQuotes: readonly Quote[];
  readonly comparisonDay: ComparisonDay | undefined;
  readonly filters: MarketFilters;
  /** What the changes are against, or why there are none. */
  readonly comparisonNote: string | undefined;
  /** The type that is wanted, where only one is, and what an answer to that holds. */
  readonly type: string | undefined;
  readonly about: string;
}

/** The table of a day's quotes, and what can be done with it. */
export function MarketQuotesPanel(props: MarketQuotesPanelProps) {
  const {
    entry,
    day,
    quotes,
    filteredQuotes,
    comparisonDay,
    filters,
    comparisonNote,
    type,
    about,
  } = props;
  return (
    <Panel
      title={`${filteredQuotes.length} of ${quotes.length} quotes`}
      tools={
        <ExportMenu
          request={createDayRequest(entry.path, day, type)}
          description={about}
          fileName={`quotes-${day}`}
        />
      }
      lead={comparisonNote}
    >
      {filteredQuotes.length === 0 ? (
        <EmptyState title="Nothing fits">
          No quote of this day has that type, maturity, symbol and ISIN.{' '}
          <button type="button" onClick={() => updateParams({ type: '', find: '', years: '' })}>
            Show all
          </button>
        </EmptyState>
      ) : (
        <MarketQuotesTable
          entry={entry}
          day={day}
          quotes={filteredQuotes}
          before={comparisonDay}
          sort={filters.sort}
          onSort={(sort) => updateParams({ sort: sort === DEFAULT_SORT ? '' : sort })}
        />
      )}
    </Panel>
  );
}
