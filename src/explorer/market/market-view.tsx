import { useState } from 'preact/hooks';
import { isDay } from '../../shared/calendar.ts';
import { useDataset } from '../api/explorer-context.ts';
import type { DatasetEntry } from '../api/types.ts';
import { Button } from '../components/button.tsx';
import { DateInput } from '../components/date-input.tsx';
import { LateNote } from '../components/late-note.tsx';
import { EmptyState, QueryView } from '../components/panel.tsx';
import { SegmentedControl } from '../components/segmented-control.tsx';
import { Select } from '../components/select.tsx';
import { ViewHeader } from '../components/view-header.tsx';
import { formatDayLabel } from '../formatting/dates.ts';
import { updateParams, updateParamsContinuously, useViewRoute } from '../routing/view-route.tsx';
import { useDayScrubber } from './day-scrubber.tsx';
import { describeMarket } from './describe-market.ts';
import { MarketDay, useFilteredDay } from './market-day.tsx';
import {
  COMPARISON_OPTIONS,
  describeFilters,
  formatComparisons,
  MATURITY_OPTIONS,
  type MarketFilters,
  parseMarketFilters,
  toggleComparison,
} from './market-filters.ts';
import { type MarketDayData, useComparisons, useMarketDay } from './use-market-day.ts';

/** The market of a day: its yield curve and its quotes, compared with those of other days. */
export function MarketView() {
  const entry = useDataset('quotes');
  const { first, last } = entry.coverage;
  if (first === null || last === null) return <NoQuotesYet />;
  return <QuotedMarket entry={entry} first={first} last={last} />;
}

interface QuotedMarketProps {
  readonly entry: DatasetEntry;
  readonly first: string;
  readonly last: string;
}

function QuotedMarket({ entry, first, last }: QuotedMarketProps) {
  const { params } = useViewRoute();
  const filters = parseMarketFilters(params);
  const query = useMarketDay(entry.path, filters.date);
  const day = query.data?.date;
  const filteredDay = useFilteredDay(query.data, filters);
  const comparisons = useComparisons(entry.path, filters, day);
  const [isPlaying, setPlaying] = useState(false);
  const { stepper, slider } = useDayScrubber({
    first,
    last,
    selectedDay: filters.date,
    loadedDay: day,
    isLoading: [query, ...comparisons].some(({ isLoading }) => isLoading),
    isPlaying,
    onDay: (date) => updateParamsContinuously({ date }),
    onPlay: setPlaying,
  });
  return (
    <>
      <div class="stack market-header">
        <ViewHeader
          title={`Market${day ? `, ${formatDayLabel(day)}` : ''}`}
          options={
            <MarketOptions filters={filters} first={first} last={last}>
              {slider}
            </MarketOptions>
          }
        >
          {stepper}
        </ViewHeader>
        <p class="sentence" title="From the fitted yields of government paper">
          {query.data && describeMarket(query.data, comparisons[0]?.data)}
        </p>
        {renderDayNotes(query.data, filters, params.date, day === last ? entry : undefined)}
      </div>
      <QueryView query={query} subject="the market">
        {() =>
          filteredDay ? (
            <MarketDay
              entry={entry}
              filters={filters}
              day={filteredDay}
              comparisons={comparisons}
              first={first}
              isPlaying={isPlaying}
            />
          ) : (
            <EmptyState title="No quotes up to that day">
              The first are of {formatDayLabel(first)}.{' '}
              <Button onClick={() => updateParams({ date: first })}>Show them</Button>
            </EmptyState>
          )
        }
      </QueryView>
    </>
  );
}

interface MarketOptionsProps extends Omit<QuotedMarketProps, 'entry'> {
  readonly filters: MarketFilters;
  readonly children: preact.ComponentChildren;
}

function MarketOptions({ filters, first, last, children }: MarketOptionsProps) {
  const { comparisons, maturityRange, search } = filters;
  return (
    <>
      <div class="input-row">
        <span class="muted">Compare with</span>
        <SegmentedControl
          label="Compare with"
          options={COMPARISON_OPTIONS}
          value={comparisons}
          onChange={(key) => updateParams({ against: toggleComparison(comparisons, key) })}
        />
        <DateInput
          label="Compare with the day"
          first={first}
          last={last}
          day={comparisons.find(isDay) ?? ''}
          onDay={(day) => updateParams({ against: formatComparisons(day ? [day] : []) })}
        />
      </div>
      <search class="row">
        <Select
          label="Maturity"
          options={MATURITY_OPTIONS}
          value={maturityRange}
          onChange={(years) => updateParams({ years })}
        />
        <input
          type="search"
          aria-label="Symbol or ISIN"
          placeholder="Symbol or ISIN"
          value={search}
          onInput={({ currentTarget }) => updateParamsContinuously({ find: currentTarget.value })}
        />
      </search>
      {children}
    </>
  );
}

function renderDayNotes(
  data: MarketDayData | undefined,
  filters: MarketFilters,
  dateParam: string | undefined,
  newestEntry: DatasetEntry | undefined,
) {
  const notice = data && explainDay(data, dateParam);
  const filtered = describeFilters(filters);
  return (
    <div class="day-notes row">
      {notice && <p class="muted">{notice}</p>}
      {filtered && (
        <p>
          {filtered}{' '}
          <Button onClick={() => updateParams({ type: '', find: '', years: '' })}>Show all</Button>
        </p>
      )}
      {newestEntry && <LateNote entry={newestEntry} />}
    </div>
  );
}

/** Explains which day is shown, if it is not the one in the URL. */
function explainDay({ requestedDate, date }: MarketDayData, dateParam: string | undefined) {
  if (date === undefined || requestedDate === date) return undefined;
  if (requestedDate !== undefined) {
    const day = formatDayLabel(requestedDate);
    return `There are no quotes of ${day}: these are the last before it.`;
  }
  if (dateParam === undefined || isDay(dateParam)) return undefined;
  return `“${dateParam}” is not a date such as 2026-06-30: this is the newest day.`;
}

function NoQuotesYet() {
  return (
    <>
      <h1>Market</h1>
      <EmptyState title="No quotes yet">
        No quotes have been published up to here. Load a file of quotes with{' '}
        <code>npx tenor load quotes FILE</code>, or look at a later instant.
      </EmptyState>
    </>
  );
}
