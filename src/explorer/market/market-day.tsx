import { useMemo, useState } from 'preact/hooks';
import type { DatasetEntry } from '../api/types.ts';
import type { QueryResult } from '../api/use-query.ts';
import { EmptyState } from '../components/panel.tsx';
import { SegmentedControl } from '../components/segmented-control.tsx';
import { formatDayLabel } from '../formatting/dates.ts';
import { formatNumber, formatSigned, pluralize } from '../formatting/numbers.ts';
import { updateParams, updateParamsContinuously } from '../routing/view-route.tsx';
import { formatTypePlural, getField } from '../security/quote.ts';
import { createQuoteFilter, MATURITY_OPTIONS, type MarketFilters } from './market-filters.ts';
import { MarketQuotesPanel } from './market-quotes-panel.tsx';
import { createDayRequest, type MarketDayData } from './use-market-day.ts';
import { YieldCurvePanel } from './yield-curve-panel.tsx';
import {
  createGovernmentYield,
  type FilteredDay,
  getCurveQuotes,
  getTileYield,
  TILE_TENORS,
} from './yield-curves.ts';

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
        <button type="button" onClick={() => updateParams({ date: first })}>
          Show them
        </button>
      </EmptyState>
    );
  }
  const comparisonNote = comparison
    ? `Changes are against ${formatDayLabel(comparison.date)}.`
    : comparisonDate && explainNoComparison(comparisonDate, day.date, comparisonQuery);
  return (
    <>
      {renderYieldTiles(day, comparison)}
      <MarketFilterBar entry={entry} filters={filters} />
      <MarketPanels {...{ entry, filters, day, comparison, comparisonNote, playRates }} />
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
    <div class="market-grid">
      <YieldCurvePanel {...panelProps} playRates={playRates} />
      <MarketQuotesPanel {...panelProps} sort={filters.sort} comparisonNote={comparisonNote} />
    </div>
  );
}

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

/** What is exported: the service filters by type, but not by the other filters of the page. */
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

function MarketFilterBar({ entry, filters }: Pick<MarketDayProps, 'entry' | 'filters'>) {
  const types = getField(entry, 'type').values ?? [];
  return (
    <search class="filters">
      <SegmentedControl
        label="Type"
        options={['all', ...types].map((key) => ({
          key,
          text: key === 'all' ? 'All' : formatTypePlural(key),
        }))}
        value={filters.type}
        onChange={(type) => updateParams({ type: type === 'all' ? '' : type })}
      />
      <select
        aria-label="Maturity"
        value={filters.maturityRange}
        onChange={({ currentTarget }) => updateParams({ years: currentTarget.value })}
      >
        {MATURITY_OPTIONS.map(({ key, text }) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </select>
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

function renderYieldTiles(day: FilteredDay, comparison: FilteredDay | undefined) {
  const tiles = TILE_TENORS.flatMap((tenor) => {
    const percent = getTileYield(day.curves, tenor);
    const earlier = comparison && getTileYield(comparison.curves, tenor);
    return percent === undefined ? [] : { tenor, percent, earlier };
  });
  if (tiles.length === 0) return null;
  const isCompared = tiles.some(({ earlier }) => earlier !== undefined);
  return (
    <section class="tenors" aria-label="Government yields">
      <h2>
        Government yields{' '}
        <span class="muted">
          on the fitted curve
          {comparison &&
            isCompared &&
            `, and how they changed since ${formatDayLabel(comparison.date)}`}
        </span>
      </h2>
      <div class="tiles">
        {tiles.map(({ tenor, percent, earlier }) => (
          <div key={tenor} class="tile">
            <span>{formatTenor(tenor)}</span>
            <b>{formatNumber(percent, 2)} %</b>
            {earlier !== undefined && (
              // Without green and red, because a higher yield is neither good nor bad.
              <small class="change">{formatSigned((percent - earlier) * 100, 0)} bp</small>
            )}
            <small class="nearest">Nearest quote: {findNearestQuote(day, tenor)}</small>
          </div>
        ))}
      </div>
    </section>
  );
}

function formatTenor(tenor: string): string {
  return pluralize(Number.parseInt(tenor, 10), tenor.endsWith('M') ? 'month' : 'year');
}

/** Quotes further from the curve, in percentage points, are hardly comparable paper. */
const MAX_CURVE_DISTANCE = 0.2;

/** The quote near the curve with the nearest maturity. */
function findNearestQuote({ quotes, curves }: FilteredDay, tenor: string): string {
  const years = Number.parseInt(tenor, 10) / (tenor.endsWith('M') ? 12 : 1);
  const getFitted = createGovernmentYield(curves);
  const [nearest] = getCurveQuotes(quotes, 'government')
    .filter(({ ytm, maturityYears }) => {
      const fitted = getFitted(maturityYears);
      return fitted !== undefined && Math.abs(ytm - fitted) < MAX_CURVE_DISTANCE;
    })
    .toSorted((a, b) => Math.abs(a.maturityYears - years) - Math.abs(b.maturityYears - years));
  return nearest ? `${nearest.symbol} ${formatNumber(nearest.ytm, 2)} %` : 'none';
}
