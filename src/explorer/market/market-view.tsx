import { useState } from 'preact/hooks';
import { isDay } from '../../shared/calendar.ts';
import { useDataset, useExplorer } from '../api/explorer-context.ts';
import type { DatasetEntry } from '../api/types.ts';
import { DateInput } from '../components/date-input.tsx';
import { LateNote } from '../components/late-note.tsx';
import { EmptyState, QueryView } from '../components/panel.tsx';
import { SegmentedControl } from '../components/segmented-control.tsx';
import { Select } from '../components/select.tsx';
import { formatDayLabel } from '../formatting/dates.ts';
import { updateParams, updateParamsContinuously, useViewRoute } from '../routing/view-route.tsx';
import { getField, listTypeOptions } from '../security/quoted-security.ts';
import { DayScrubber } from './day-scrubber.tsx';
import { MarketDay } from './market-day.tsx';
import {
  COMPARISON_OPTIONS,
  DEFAULT_COMPARISON,
  getComparisonDay,
  MATURITY_OPTIONS,
  type MarketFilters,
  parseMarketFilters,
} from './market-filters.ts';
import {
  type MarketDayData,
  preloadMarketDay,
  useMarketDay,
  usePlayRates,
} from './use-market-day.ts';

/** The market of a day: its yield curve and its quotes, compared with those of another day. */
export function MarketView() {
  const { api } = useExplorer();
  const entry = useDataset('quotes');
  const { first, last } = entry.coverage;
  const { params } = useViewRoute();
  const filters = parseMarketFilters(params);
  const query = useMarketDay(entry.path, filters.date);
  const day = query.data?.date;
  const [playStart, setPlayStart] = useState<string>();
  const playRates = usePlayRates(playStart, last ?? undefined);
  const comparisonDate = day && getComparisonDay(day, filters.comparison);
  const comparisonQuery = useMarketDay(entry.path, comparisonDate, comparisonDate !== undefined);
  if (first === null || last === null) return <NoQuotesYet />;
  return (
    <>
      <div class="market-controls">
        <div class="view-header row">
          <h1>Market{day && `, ${formatDayLabel(day)}`}</h1>
          <DayScrubber
            {...{ first, last }}
            selectedDay={filters.date}
            loadedDay={day}
            isLoading={query.isLoading || comparisonQuery.isLoading || playRates.isLoading}
            isPlaying={playStart !== undefined}
            onDay={(date) => updateParamsContinuously({ date })}
            onPlay={setPlayStart}
            onUpcomingDay={(next) => {
              for (const date of [next, getComparisonDay(next, filters.comparison) ?? []].flat())
                preloadMarketDay(api, entry.path, date);
            }}
          />
        </div>
        <div class="date-bar row">
          {renderComparisonPicker(filters.comparison, first, last)}
          <MarketFilterBar entry={entry} filters={filters} />
        </div>
        {renderDayNotes(query.data, params.date, day === last ? entry : undefined)}
      </div>
      <QueryView query={query} subject="the market">
        {(data) => (
          <MarketDay
            {...{ entry, filters, data, comparisonDate, comparisonQuery, first }}
            playRates={playStart === undefined ? undefined : (playRates.data ?? [])}
          />
        )}
      </QueryView>
    </>
  );
}

function renderComparisonPicker(comparison: string, first: string, last: string) {
  const select = (value: string) =>
    updateParams({ against: value === DEFAULT_COMPARISON ? '' : value });
  return (
    <div class="input-row">
      <span class="muted">Compare with</span>
      <SegmentedControl
        label="Compare with"
        options={COMPARISON_OPTIONS}
        value={comparison}
        onChange={select}
      />
      <DateInput
        label="Compare with the day"
        {...{ first, last }}
        day={isDay(comparison) ? comparison : ''}
        onDay={select}
      />
    </div>
  );
}

function MarketFilterBar({ entry, filters }: { entry: DatasetEntry; filters: MarketFilters }) {
  return (
    <search class="filters row">
      <SegmentedControl
        label="Type"
        options={listTypeOptions(getField(entry, 'type').values ?? [], 'All')}
        value={filters.type}
        param="type"
      />
      <Select
        label="Maturity"
        options={MATURITY_OPTIONS}
        value={filters.maturityRange}
        onChange={(years) => updateParams({ years })}
      />
      <input
        type="search"
        aria-label="Symbol or ISIN"
        placeholder="Symbol or ISIN"
        value={filters.search}
        onInput={({ currentTarget }) => updateParamsContinuously({ find: currentTarget.value })}
      />
    </search>
  );
}

/** Always a line high, so that what follows stays where it is while days pass. */
function renderDayNotes(
  data: MarketDayData | undefined,
  dateParam: string | undefined,
  newestEntry: DatasetEntry | undefined,
) {
  const notice = data && explainDay(data, dateParam);
  return (
    <div class="day-notes row">
      {notice && <p class="muted">{notice}</p>}
      {newestEntry && <LateNote entry={newestEntry} />}
    </div>
  );
}

/** Explains which day is shown, where the URL names another. */
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
