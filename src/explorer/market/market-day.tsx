import { useEffect, useMemo, useState } from 'preact/hooks';
import { isDay } from '../../shared/calendar.ts';
import type { DatasetEntry } from '../api/types.ts';
import { LoadingState } from '../components/panel.tsx';
import { formatDayLabel } from '../formatting/dates.ts';
import { formatNumber } from '../formatting/numbers.ts';
import { formatTypePlural } from '../security/quote-fields.ts';
import { DEFAULT_KEY_RATE, KEY_RATES, type KeyRate, listReferenceDays } from './key-rates.ts';
import { CurveFitDetails, KeyRatesPanel } from './key-rates-panel.tsx';
import { createQuoteFilter, type MarketFilters } from './market-filters.ts';
import { QuotePanels } from './quote-panels.tsx';
import { RateHistoryPanel } from './rate-history-panel.tsx';
import {
  createChartRequests,
  createDayRequest,
  type MarketComparison,
  type MarketDayData,
} from './use-market-day.ts';
import { YieldCurvePanel } from './yield-curve-panel.tsx';
import type { FilteredDay } from './yield-curves.ts';

interface MarketDayProps {
  readonly entry: DatasetEntry;
  readonly filters: MarketFilters;
  readonly day: FilteredDay;
  readonly comparisons: readonly MarketComparison[];
  readonly first: string;
  readonly isPlaying: boolean;
}

/** The curve and, rendered in a separate task, the quotes. */
export function MarketDay({ entry, filters, day, comparisons, first, isPlaying }: MarketDayProps) {
  const [comparison] = comparisons;
  const others = [
    useFilteredDay(comparison?.data, filters),
    useFilteredDay(comparisons[1]?.data, filters),
  ];
  // Changes are computed against the first; of the second, only the curve is drawn.
  const [main, second] = others.map((other) => (other?.date === day.date ? undefined : other));
  const exported = useMemo(
    () => createExport(entry, day, filters.type),
    [entry, day, filters.type],
  );
  const compared = useMemo(() => [main, second].flatMap((other) => other ?? []), [main, second]);
  const comparisonNote =
    comparison && !main ? explainNoComparison(comparison, day.date) : undefined;
  const comparisonDate = comparisonNote ? undefined : (main?.date ?? comparison?.requestedDate);
  const listed = useDelayedValue(
    useMemo(
      () => ({ day, comparison: main, comparisonNote, comparisonDate }),
      [day, main, comparisonNote, comparisonDate],
    ),
  );
  return (
    <>
      <YieldCurvePanel
        entry={entry}
        day={day}
        compared={compared}
        exported={exported}
        isPlaying={isPlaying}
        rate={filters.rate}
        chartRequests={createChartRequests(entry.path, filters.date)}
      />
      {listed ? (
        <>
          <QuotePanels {...listed} entry={entry} filters={filters} exported={exported} />
          <KeyRatePanels filters={filters} day={day} first={first} />
        </>
      ) : (
        <LoadingState subject="the quotes" />
      )}
    </>
  );
}

type KeyRatePanelsProps = Pick<MarketDayProps, 'filters' | 'first' | 'day'>;

/** The key tenors of a day, and one of them over time. */
function KeyRatePanels({ filters, day, first }: KeyRatePanelsProps) {
  const { comparisons, rate, historyKey, historyRange } = filters;
  // The slider may pass many days.
  const date = useDelayedValue(day.date, SETTLE_MS, day.date) ?? day.date;
  const references = listReferenceDays(date, comparisons.find(isDay));
  const keyRate = KEY_RATES.find(({ key }) => key === historyKey) ?? DEFAULT_RATE;
  return (
    <div class="columns rate-columns">
      <KeyRatesPanel references={references} rate={rate} day={date} chosenKey={keyRate.key}>
        <CurveFitDetails curves={day.curves} />
      </KeyRatesPanel>
      <RateHistoryPanel
        keyRate={keyRate}
        rate={rate}
        first={first}
        range={historyRange}
        day={date}
      />
    </div>
  );
}

const SETTLE_MS = 400;
const DEFAULT_RATE = KEY_RATES.find(({ key }) => key === DEFAULT_KEY_RATE) as KeyRate;

/** Undefined without quotes. */
export function useFilteredDay(
  data: MarketDayData | undefined,
  filters: MarketFilters,
): FilteredDay | undefined {
  const { type, search, maturityRange } = filters;
  return useMemo(() => {
    if (data?.date === undefined) return undefined;
    const { date, quotes, curves } = data;
    const filteredQuotes = quotes.filter(createQuoteFilter(filters));
    return { date, quotes, curves, filteredQuotes };
  }, [data, type, search, maturityRange]);
}

/** The data to export; the service only supports the type filter of the page. */
function createExport(entry: DatasetEntry, { date, quotes }: FilteredDay, type: string) {
  const isAll = type === 'all';
  const count = isAll ? quotes.length : quotes.filter((quote) => quote.type === type).length;
  const request = createDayRequest(entry.path, date, isAll ? undefined : type);
  const noun = isAll ? 'quotes' : formatTypePlural(type);
  const description = `All ${formatNumber(count, 0)} ${noun} of ${formatDayLabel(date)}`;
  return { request, fileName: `quotes-${date}`, description };
}

/** Undefined while the day is loading. */
function explainNoComparison(comparison: MarketComparison, date: string): string | undefined {
  const { data, failure, requestedDate } = comparison;
  if (failure) return `Comparison unavailable: ${failure.message}.`;
  const earlier = data?.date === date ? ' earlier' : '';
  return (
    data && `There are no${earlier} quotes up to ${formatDayLabel(requestedDate)} to compare with.`
  );
}

/** A value in a later task, or after a delay; until then the previous one. */
function useDelayedValue<T>(value: T, milliseconds?: number, initial?: T): T | undefined {
  const [delayed, setDelayed] = useState(initial);
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value]);
  return delayed;
}
