import { updateParams } from '../address/place.ts';
import { Panel } from '../parts/panel.tsx';
import { EmptyState } from '../parts/states.tsx';
import type { Quote } from '../quotes/quote.ts';
import type { DatasetEntry } from '../service/catalogue.ts';
import { ExportMenu } from '../take/take.tsx';
import { MarketQuotesTable } from './board.tsx';
import { DEFAULT_SORT, type MarketFilters } from './choices.ts';
import { type ComparisonDay, createDayRequest } from './use-day.ts';

interface MarketQuotesPanelProps {
  readonly entry: DatasetEntry;
  readonly day: string;
  readonly quotes: readonly Quote[];
  /** Those of the quotes that are wanted. */
  readonly kept: readonly Quote[];
  readonly before: ComparisonDay | undefined;
  readonly wanted: MarketFilters;
  /** What the changes are against, or why there are none. */
  readonly compared: string | undefined;
  /** The type that is wanted, where only one is, and what an answer to that holds. */
  readonly type: string | undefined;
  readonly about: string;
}

/** The table of a day's quotes, and what can be done with it. */
export function MarketQuotesPanel(props: MarketQuotesPanelProps) {
  const { entry, day, quotes, kept, before, wanted, compared, type, about } = props;
  return (
    <Panel
      title={`${kept.length} of ${quotes.length} quotes`}
      tools={
        <ExportMenu
          question={createDayRequest(entry.path, day, type)}
          about={about}
          name={`quotes-${day}`}
          title="Quotes"
        />
      }
      lead={compared}
    >
      {kept.length === 0 ? (
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
          quotes={kept}
          before={before}
          sort={wanted.sort}
          onSort={(sort) => updateParams({ sort: sort === DEFAULT_SORT ? '' : sort })}
        />
      )}
    </Panel>
  );
}
