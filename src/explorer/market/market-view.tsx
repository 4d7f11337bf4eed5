import { useEffect, useState } from 'preact/hooks';
import { useDataset } from '../api/explorer-context.ts';
import { DateInput } from '../components/date-input.tsx';
import { LateNote } from '../components/late-note.tsx';
import { EmptyState, QueryView } from '../components/panel.tsx';
import { SegmentedControl } from '../components/segmented-control.tsx';
import { formatDayLabel } from '../formatting/dates.ts';
import { updateParams, updateParamsContinuously, useViewRoute } from '../routing/view-route.tsx';
import { MarketDay } from './market-day.tsx';
import {
  COMPARISON_OPTIONS,
  DEFAULT_COMPARISON,
  fromWeekdayIndex,
  getComparisonDay,
  parseMarketFilters,
  toWeekdayIndex,
} from './market-filters.ts';
import { type MarketDayData, useMarketDay } from './use-market-day.ts';

/** The market of a day: its yield curve and its quotes, compared with those of another day. */
export function MarketView() {
  const entry = useDataset('quotes');
  const { first, last } = entry.coverage;
  const { params } = useViewRoute();
  const filters = parseMarketFilters(params);
  const query = useMarketDay(entry.path, filters.date);
  const day = query.data?.date;
  const notice = query.data && explainDay(query.data, params.date);
  const comparisonDate = day && getComparisonDay(day, filters.comparison);
  const comparisonQuery = useMarketDay(entry.path, comparisonDate, comparisonDate !== undefined);
  if (first === null || last === null) return <NoQuotesYet />;
  return (
    <>
      <div class="view-header">
        <h1>Market{day && `, ${formatDayLabel(day)}`}</h1>
        {notice && <p class="muted">{notice}</p>}
        {day === last && <LateNote entry={entry} />}
      </div>
      <div class="date-bar">
        <DayScrubber
          first={first}
          last={last}
          selectedDay={filters.date}
          isLoading={query.isLoading}
          onDay={(date) => updateParamsContinuously({ date })}
        />
        {renderComparisonPicker(filters.comparison, first, last)}
      </div>
      <QueryView query={query} subject="the market">
        {(data) => (
          <MarketDay {...{ entry, filters, data, comparisonDate, comparisonQuery, first }} />
        )}
      </QueryView>
    </>
  );
}

function renderComparisonPicker(comparison: string, first: string, last: string) {
  const select = (value: string) =>
    updateParams({ against: value === DEFAULT_COMPARISON ? '' : value });
  const isDay = /^\d/.test(comparison);
  return (
    <div class="input-row">
      <span class="muted">Compare with</span>
      <SegmentedControl
        label="Compare with"
        options={COMPARISON_OPTIONS}
        value={comparison as 'day'}
        onChange={select}
      />
      <DateInput
        label="Compare with the day"
        first={first}
        last={last}
        day={isDay ? comparison : ''}
        onDay={select}
      />
    </div>
  );
}

/** Explains which day is shown, where the URL names another or none. */
function explainDay({ requestedDate, date }: MarketDayData, dateParam: string | undefined) {
  if (date === undefined || requestedDate === date) return undefined;
  if (requestedDate !== undefined) {
    const day = formatDayLabel(requestedDate);
    return `There are no quotes of ${day}: these are the last before it.`;
  }
  const problem = dateParam && `“${dateParam}” is not a date such as 2026-06-30: `;
  return `${problem ?? ''}the newest day`;
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

interface DayScrubberProps {
  readonly first: string;
  readonly last: string;
  /** Undefined for the newest day. */
  readonly selectedDay: string | undefined;
  readonly isLoading: boolean;
  readonly onDay: (day: string | undefined) => void;
}

const PLAY_INTERVAL_MS = 140;
const WEEKDAYS_PER_WEEK = 5;

/** Moves the market through time: with a slider, day by day, or playing week by week. */
function DayScrubber(props: DayScrubberProps) {
  const { first, last, selectedDay, onDay } = props;
  const { index, min, max, isPlaying, move, togglePlaying } = useScrubber(props);
  return (
    <div class="scrubber">
      <button
        type="button"
        aria-label="Day before"
        onClick={() => move(index - 1)}
        disabled={index <= min}
      >
        ‹
      </button>
      <button
        type="button"
        aria-label="Day after"
        onClick={() => move(index + 1)}
        disabled={index >= max}
      >
        ›
      </button>
      <button type="button" onClick={togglePlaying} title="Week by week to the newest day">
        {isPlaying ? 'Pause' : 'Play'}
      </button>
      <input
        type="range"
        aria-label="Day"
        aria-valuetext={formatDayLabel(selectedDay ?? last)}
        min={min}
        max={max}
        value={index}
        onInput={({ currentTarget }) => move(Number(currentTarget.value))}
      />
      <DateInput
        label="Date"
        first={first}
        last={last}
        day={selectedDay ?? last}
        onDay={(day) => onDay(day || undefined)}
      />
      {selectedDay !== undefined && (
        <button type="button" onClick={() => onDay(undefined)}>
          Newest
        </button>
      )}
    </div>
  );
}

/** The position among the weekdays, and whether it advances by itself. */
function useScrubber({ first, last, selectedDay, isLoading, onDay }: DayScrubberProps) {
  const [min, max] = [toWeekdayIndex(first), toWeekdayIndex(last)];
  const index = Math.min(max, Math.max(min, toWeekdayIndex(selectedDay ?? last)));
  const [isPlaying, setPlaying] = useState(false);
  const move = (to: number) => onDay(to >= max ? undefined : fromWeekdayIndex(Math.max(min, to)));
  useEffect(() => {
    // The next day waits until this one has loaded.
    if (!isPlaying || isLoading) return;
    if (index >= max) {
      setPlaying(false);
      return;
    }
    const timer = setTimeout(() => move(index + WEEKDAYS_PER_WEEK), PLAY_INTERVAL_MS);
    return () => clearTimeout(timer);
  });
  const togglePlaying = () => {
    if (!isPlaying && index >= max) move(min);
    setPlaying(!isPlaying);
  };
  return { index, min, max, isPlaying, move, togglePlaying };
}
