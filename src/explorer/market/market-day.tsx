import { useEffect, useMemo, useState } from 'preact/hooks';
import { isDay } from '../../shared/calendar.ts';
import type { DatasetEntry } from '../api/types.ts';
import { Button } from '../components/button.tsx';
import { EmptyState, LoadingState } from '../components/panel.tsx';
import { formatDayLabel } from '../formatting/dates.ts';
import { formatNumber } from '../formatting/numbers.ts';
import { updateParams } from '../routing/view-route.tsx';
import { formatTypePlural } from '../security/quote-fields.ts';
import { CurveFitDetails } from './curve-fit-details.tsx';
import { formatSince } from './describe-market.ts';
import { DEFAULT_KEY_RATE, KEY_RATES, type KeyRate, listReferenceDays } from './key-rates.ts';
import { KeyRatesPanel } from './key-rates-panel.tsx';
import { createQuoteFilter, type MarketFilters } from './market-filters.ts';
import { MarketQuotesPanel } from './market-quotes-panel.tsx';
import { MoversPanel } from './movers-panel.tsx';
import { useQuoteTable } from './quote-table.tsx';
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
  readonly data: MarketDayData;
  readonly comparisons: readonly MarketComparison[];
  readonly first: string;
  readonly isPlaying: boolean;
}

export function MarketDay(props: MarketDayProps) {
  const { filters, data, comparisons, first } = props;
  const day = useFilteredDay(data, filters);
  const compared = [
    useFilteredDay(comparisons[0]?.data, filters),
    useFilteredDay(comparisons[1]?.data, filters),
  ];
  if (!day) {
    return (
      <EmptyState title="No quotes up to that day">
        The first are of {formatDayLabel(first)}.{' '}
        <Button onClick={() => updateParams({ date: first })}>Show them</Button>
      </EmptyState>
    );
  }
  const [main, second] = compared.map((other) => (other?.date === day.date ? undefined : other));
  return <MarketPanels {...props} day={day} main={main} second={second} />;
}

interface MarketPanelsProps extends MarketDayProps {
  readonly day: FilteredDay;
  /** The day that changes are computed against. */
  readonly main: FilteredDay | undefined;
  /** A second day, of which only the curve is drawn. */
  readonly second: FilteredDay | undefined;
}

/** The curve and, rendered in a separate task, the quotes. */
function MarketPanels(props: MarketPanelsProps) {
  const { entry, filters, day, main, second, isPlaying, first } = props;
  const { type } = filters;
  const exported = useMemo(() => createExport(entry, day, type), [entry, day, type]);
  const compared = useMemo(() => [main, second].flatMap((other) => other ?? []), [main, second]);
  const [comparison] = props.comparisons;
  const comparisonNote =
    comparison && !main ? explainNoComparison(comparison, day.date) : undefined;
  const comparisonDate = comparisonNote ? undefined : (main?.date ?? comparison?.requestedDate);
  const listed = useDelayedValue(
    useMemo(
      () => ({ day, main, comparisonNote, comparisonDate }),
      [day, main, comparisonNote, comparisonDate],
    ),
  );
  const panelProps = { entry, exported };
  return (
    <>
      <YieldCurvePanel
        {...panelProps}
        day={day}
        compared={compared}
        isPlaying={isPlaying}
        rate={filters.rate}
        chartRequests={createChartRequests(entry.path, filters.date)}
      />
      {listed ? (
        <>
          <QuotePanels {...panelProps} {...listed} filters={filters} />
          <KeyRatePanels filters={filters} day={day} first={first} />
        </>
      ) : (
        <LoadingState subject="the quotes" />
      )}
    </>
  );
}

interface QuotePanelsProps extends Pick<MarketPanelsProps, 'entry' | 'day' | 'main' | 'filters'> {
  readonly exported: ReturnType<typeof createExport>;
  readonly comparisonNote: string | undefined;
  readonly comparisonDate: string | undefined;
}

/** The movers and all quotes. */
function QuotePanels({ main, ...props }: QuotePanelsProps) {
  const { entry, day, comparisonDate } = props;
  const table = useQuoteTable(entry, day, main, comparisonDate);
  return (
    <div class="columns quote-columns">
      {comparisonDate && table.rows.length > 0 && (
        <MoversPanel {...table} since={formatSince(comparisonDate, day.date)} isLoading={!main} />
      )}
      <MarketQuotesPanel {...props} {...table} />
    </div>
  );
}

type KeyRatePanelsProps = Pick<MarketPanelsProps, 'filters' | 'first' | 'day'>;

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

function useFilteredDay(
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
