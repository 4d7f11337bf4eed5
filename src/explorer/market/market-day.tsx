import { useMemo } from 'preact/hooks';
import type { DatasetEntry } from '../api/types.ts';
import type { QueryResult } from '../api/use-query.ts';
import { EmptyState } from '../components/query-view.tsx';
import { formatDayLabel } from '../formatting/dates.ts';
import { updateParams } from '../routing/view-route.ts';
import { formatTypePlural } from '../security/quote.ts';
import { MarketFilterBar } from './market-filter-bar.tsx';
import { type MarketFilters, matchesFilters } from './market-filters.ts';
import { MarketQuotesPanel } from './market-quotes-panel.tsx';
import type { ComparisonDay, MarketDayData } from './use-market-day.ts';
import { YieldCurvePanel } from './yield-curve-panel.tsx';
import { YieldTiles } from './yield-tiles.tsx';

interface MarketDayProps {
  readonly entry: DatasetEntry;
  readonly wanted: MarketFilters;
  readonly shown: MarketDayData;
  /** The day to compare with, where there is to be one, and what was answered to that. */
  readonly against: string | undefined;
  readonly before: QueryResult<MarketDayData>;
  readonly first: string;
}

/** A day of the market: its curve and its quotes. */
export function MarketDay({
  entry,
  wanted: filters,
  shown,
  against,
  before,
  first,
}: MarketDayProps) {
  const kept = useMemo(
    () => shown.quotes.filter((quote) => matchesFilters(quote, filters)),
    [shown, filters],
  );
  const then = against === undefined ? undefined : before.data;
  const earlier = useMemo((): ComparisonDay | undefined => {
    if (!then?.date || then.date === shown.date) return undefined;
    const { date, quotes } = then;
    return {
      date,
      quotes,
      filteredQuotes: quotes.filter((quote) => matchesFilters(quote, filters)),
    };
  }, [then, shown, filters]);
  const { date: day, quotes } = shown;
  if (day === undefined) return <NoQuotesUpToDay first={first} />;
  const compared = earlier
    ? `Changes are against ${formatDayLabel(earlier.date)}.`
    : against && explainNoComparison(against, day, before);
  const taken = getExportSelection(shown, filters.type);
  return (
    <>
      <YieldTiles quotes={quotes} before={earlier} />
      <MarketFilterBar entry={entry} wanted={filters} />
      <div class="market-grid">
        <YieldCurvePanel {...taken} {...{ entry, day, quotes, wanted: kept, before: earlier }} />
        <MarketQuotesPanel
          {...taken}
          {...{
            entry,
            day,
            quotes,
            filteredQuotes: kept,
            comparisonDay: earlier,
            filters,
            comparisonNote: compared,
          }}
        />
      </div>
    </>
  );
}

/** What can be taken elsewhere: the service knows types, the other filters are the page's own. */
function getExportSelection({ quotes, date = '' }: MarketDayData, wanted: string) {
  if (wanted === 'all') {
    return { type: undefined, about: `All ${quotes.length} quotes of ${formatDayLabel(date)}` };
  }
  const count = quotes.filter((quote) => quote.type === wanted).length;
  return {
    type: wanted,
    about: `All ${count} ${formatTypePlural(wanted)} of ${formatDayLabel(date)}`,
  };
}

function explainNoComparison(
  against: string,
  day: string,
  { data, failure }: QueryResult<MarketDayData>,
): string {
  if (failure) return `There is nothing to compare with: ${failure.message}.`;
  if (!data) return `Loading ${formatDayLabel(against)} to compare with…`;
  if (data.date === day)
    return `The last quotes up to ${formatDayLabel(against)} are these themselves.`;
  return `There are no quotes of ${formatDayLabel(against)}, or of another day before it, to compare with.`;
}

function NoQuotesUpToDay({ first }: { readonly first: string }) {
  return (
    <EmptyState title="No quotes up to that day">
      The first are of {formatDayLabel(first)}.{' '}
      <button type="button" onClick={() => updateParams({ date: first })}>
        Show them
      </button>
    </EmptyState>
  );
}
