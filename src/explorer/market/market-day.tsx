import { useMemo, useState } from 'preact/hooks';
import { isDay } from '../../shared/calendar.ts';
import type { DatasetEntry } from '../api/types.ts';
import type { QueryResult } from '../api/use-query.ts';
import { Button } from '../components/button.tsx';
import { EmptyState } from '../components/panel.tsx';
import { formatDayLabel } from '../formatting/dates.ts';
import { formatNumber, formatSigned } from '../formatting/numbers.ts';
import { updateParams } from '../routing/view-route.tsx';
import { formatTypePlural } from '../security/quoted-security.ts';
import { DEFAULT_KEY_RATE, KEY_RATES, type KeyRate, listReferenceDays } from './key-rates.ts';
import { formatTenor, KeyRatesPanel } from './key-rates-panel.tsx';
import { createQuoteFilter, type MarketFilters } from './market-filters.ts';
import { MarketQuotesPanel } from './market-quotes-panel.tsx';
import { RateHistoryPanel } from './rate-history-panel.tsx';
import { createChartRequests, createDayRequest, type MarketDayData } from './use-market-day.ts';
import { useSettled } from './use-reference-curves.ts';
import { YieldCurvePanel } from './yield-curve-panel.tsx';
import { type FilteredDay, getTileYield, TILE_TENORS } from './yield-curves.ts';

interface MarketDayProps {
  readonly entry: DatasetEntry;
  readonly filters: MarketFilters;
  readonly data: MarketDayData;
  readonly comparisonDate: string | undefined;
  readonly comparisonQuery: QueryResult<MarketDayData>;
  readonly first: string;
  /** Fitted yields that a run will reach; undefined while nothing plays. */
  readonly playRates: readonly number[] | undefined;
}

export function MarketDay(props: MarketDayProps) {
  const { entry, filters, data, comparisonDate, comparisonQuery, first, playRates } = props;
  const day = useFilteredDay(data, filters);
  const comparisonData = comparisonDate === undefined ? undefined : comparisonQuery.data;
  const comparison = useFilteredDay(
    comparisonData?.date === data.date ? undefined : comparisonData,
    filters,
  );
  if (!day) {
    return (
      <EmptyState title="No quotes up to that day">
        The first are of {formatDayLabel(first)}.{' '}
        <Button onClick={() => updateParams({ date: first })}>Show them</Button>
      </EmptyState>
    );
  }
  const comparisonNote = comparison
    ? `Changes are against ${formatDayLabel(comparison.date)}.`
    : comparisonDate && explainNoComparison(comparisonDate, day.date, comparisonQuery);
  return (
    <>
      {renderYieldTiles(day, comparison)}
      <MarketPanels {...{ entry, filters, day, comparison, comparisonNote, playRates }} />
      <KeyRatePanels {...{ filters, day, first }} />
    </>
  );
}

interface MarketPanelsProps extends Pick<MarketDayProps, 'entry' | 'filters' | 'playRates'> {
  readonly day: FilteredDay;
  readonly comparison: FilteredDay | undefined;
  readonly comparisonNote: string | undefined;
}

/** The curve and the quotes, which show what is pointed at in the other. */
function MarketPanels(props: MarketPanelsProps) {
  const { entry, filters, day, comparison, comparisonNote, playRates } = props;
  const [pointedKey, setPointedKey] = useState<string>();
  const { type } = filters;
  const exported = useMemo(() => createExport(entry, day, type), [entry, day, type]);
  const panelProps = { entry, day, comparison, exported, pointedKey, onPointKey: setPointedKey };
  return (
    <div class="columns market-grid">
      <YieldCurvePanel
        {...panelProps}
        rate={filters.rate}
        playRates={playRates}
        chartRequests={createChartRequests(entry.path, filters.date)}
      />
      <MarketQuotesPanel {...panelProps} sort={filters.sort} comparisonNote={comparisonNote} />
    </div>
  );
}

interface KeyRatePanelsProps extends Pick<MarketDayProps, 'filters' | 'first'> {
  readonly day: FilteredDay;
}

/** The key tenors of a day, and one of them through time. */
function KeyRatePanels({ filters, day, first }: KeyRatePanelsProps) {
  const { comparison, rate, historyKey, historyRange } = filters;
  const date = useSettled(day.date);
  const references = listReferenceDays(date, isDay(comparison) ? comparison : undefined);
  const keyRate = KEY_RATES.find(({ key }) => key === historyKey) ?? DEFAULT_RATE;
  return (
    <div class="columns market-grid">
      <KeyRatesPanel {...{ references, rate }} day={date} chosenKey={keyRate.key} />
      <RateHistoryPanel {...{ keyRate, rate, first }} range={historyRange} day={date} />
    </div>
  );
}

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

/** The data to export: the service filters by type, but not by the other filters of the page. */
function createExport(entry: DatasetEntry, { date, quotes }: FilteredDay, type: string) {
  const isAll = type === 'all';
  const count = isAll ? quotes.length : quotes.filter((quote) => quote.type === type).length;
  const request = createDayRequest(entry.path, date, isAll ? undefined : type);
  const noun = isAll ? 'quotes' : formatTypePlural(type);
  const description = `All ${count} ${noun} of ${formatDayLabel(date)}`;
  return { request, fileName: `quotes-${date}`, description };
}

function explainNoComparison(
  comparisonDate: string,
  date: string,
  { data, failure }: QueryResult<MarketDayData>,
): string {
  const label = formatDayLabel(comparisonDate);
  if (failure) return `Comparison unavailable: ${failure.message}.`;
  if (!data) return `Loading ${label} to compare with…`;
  return data.date === date
    ? `There are no earlier quotes up to ${label} to compare with.`
    : `There are no quotes of ${label}, or of a day before it, to compare with.`;
}

function renderYieldTiles(day: FilteredDay, comparison: FilteredDay | undefined) {
  const tiles = TILE_TENORS.flatMap((tenor) => {
    const percent = getTileYield(day.curves, tenor);
    const earlier = comparison && getTileYield(comparison.curves, tenor);
    return percent === undefined ? [] : { tenor, percent, earlier };
  });
  if (tiles.length === 0) return null;
  return (
    <section class="tenors" aria-label="Government yields">
      <h2 class="visually-hidden">Government yields on the fitted curve</h2>
      <div class="tiles">
        {tiles.map(({ tenor, percent, earlier }) => (
          <div key={tenor} class="tile">
            <small>{formatTenor(tenor)}</small> <b>{formatNumber(percent, 2)} %</b>{' '}
            {comparison && earlier !== undefined && (
              // Without green and red, because a higher yield is neither good nor bad.
              <small class="change" title={`Since ${formatDayLabel(comparison.date)}`}>
                {formatSigned((percent - earlier) * 100, 0)} bp
              </small>
            )}
          </div>
        ))}
      </div>
    </section>
  );
}
