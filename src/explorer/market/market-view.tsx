import { useMemo } from 'preact/hooks';
import { useDataset } from '../api/explorer-context.ts';
import { EmptyState, QueryView } from '../components/query-view.tsx';
import { formatDayLabel } from '../formatting/dates.ts';
import { updateParamsContinuously, useViewRoute } from '../routing/view-route.ts';
import { ComparisonPicker } from './comparison-picker.tsx';
import { DayScrubber } from './day-scrubber.tsx';
import { MarketDay } from './market-day.tsx';
import { getComparisonDay, parseMarketFilters } from './market-filters.ts';
import { type MarketDayData, useMarketDay } from './use-market-day.ts';

/** The market of a day: its curve and its quotes, beside those of another day. */
export function MarketView() {
  const entry = useDataset('quotes');
  const { first, last } = entry.coverage;
  const { params } = useViewRoute();
  const filters = useMemo(() => parseMarketFilters(params), [params]);
  const query = useMarketDay(entry.path, filters.date);
  const day = query.data?.date;
  const against = day === undefined ? undefined : getComparisonDay(day, filters.comparison);
  const before = useMarketDay(entry.path, against, against !== undefined);
  if (first === null || last === null) return <NoQuotesYet />;
  return (
    <>
      <div class="view-header">
        <h1>Market{day && `, ${formatDayLabel(day)}`}</h1>
        {query.data && <DayNotice shown={query.data} named={params.date} />}
      </div>
      <div class="date-bar">
        <DayScrubber
          first={first}
          last={last}
          selectedDay={filters.date}
          isLoading={query.isLoading}
          onDay={(date) => updateParamsContinuously({ date })}
        />
        <ComparisonPicker against={filters.comparison} first={first} last={last} />
      </div>
      <QueryView query={query} subject="the market">
        {(shown) => <MarketDay {...{ entry, wanted: filters, shown, against, before, first }} />}
      </QueryView>
    </>
  );
}

interface DayNoticeProps {
  readonly shown: MarketDayData;
  /** What the address calls the day. */
  readonly named: string | undefined;
}

/** Says which day it is, where that is not the one that the address names. */
function DayNotice({ shown: { requestedDate, date }, named }: DayNoticeProps) {
  if (date === undefined || requestedDate === date) return null;
  const isStrange = requestedDate === undefined && named !== undefined;
  return (
    <p class="muted">
      {requestedDate !== undefined &&
        `There are no quotes of ${formatDayLabel(requestedDate)}: these are the last before it.`}
      {isStrange && `“${named}” is no day such as 2026-06-30: `}
      {requestedDate === undefined && 'the newest day'}
    </p>
  );
}

function NoQuotesYet() {
  return (
    <>
      <h1>Market</h1>
      <EmptyState title="No quotes yet">
        Nothing was published up to here. <code>npx tenor load quotes FILE</code> loads a file of
        quotes; or look at a later instant.
      </EmptyState>
    </>
  );
}
