import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { ApiClient, TenorResponse } from '../api/api-client.ts';
import type { DatasetEntry } from '../api/types.ts';
import { type QueryResult, useAsyncQuery } from '../api/use-query.ts';
import { EmptyState } from '../components/panel.tsx';
import { SegmentedControl } from '../components/segmented-control.tsx';
import { formatDayLabel } from '../formatting/dates.ts';
import { formatNumber, formatSigned, pluralize } from '../formatting/numbers.ts';
import { updateParams, updateParamsContinuously } from '../routing/view-route.tsx';
import { formatTypePlural, getField } from '../security/quote.ts';
import type { CurveFit } from './fit-nelson-siegel.ts';
import { MATURITY_OPTIONS, type MarketFilters, matchesFilters } from './market-filters.ts';
import { MarketQuotesPanel } from './market-quotes-panel.tsx';
import { YieldCurvePanel } from './yield-curve-panel.tsx';
import { type FilteredDay, getCurveQuotes, getFit, ISSUER_GROUPS } from './yield-curves.ts';

interface MarketDayProps {
  readonly entry: DatasetEntry;
  readonly filters: MarketFilters;
  readonly data: MarketDayData;
  readonly comparisonDate: string | undefined;
  readonly comparisonQuery: QueryResult<MarketDayData>;
  readonly first: string;
}

export function MarketDay(props: MarketDayProps) {
  const { entry, filters, data, comparisonDate, comparisonQuery, first } = props;
  const day = filterDay(data, filters);
  const comparisonData = comparisonDate === undefined ? undefined : comparisonQuery.data;
  const comparison = filterDay(
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
  const panelProps = { entry, day, comparison, ...createExport(entry, day, filters.type) };
  return (
    <>
      {renderYieldTiles(day, comparison)}
      <MarketFilterBar entry={entry} filters={filters} />
      <div class="market-grid">
        <YieldCurvePanel {...panelProps} />
        <MarketQuotesPanel {...panelProps} sort={filters.sort} comparisonNote={comparisonNote} />
      </div>
    </>
  );
}

function filterDay(
  data: MarketDayData | undefined,
  filters: MarketFilters,
): FilteredDay | undefined {
  if (data?.date === undefined) return undefined;
  const { date, quotes } = data;
  return { date, quotes, filteredQuotes: quotes.filter((q) => matchesFilters(q, filters)) };
}

/** What is exported: the service filters by type, but not by the other filters of the page. */
function createExport(entry: DatasetEntry, { date, quotes }: FilteredDay, type: string) {
  const isAll = type === 'all';
  const count = isAll ? quotes.length : quotes.filter((quote) => quote.type === type).length;
  const request = createDayRequest(entry.path, date, isAll ? undefined : type);
  const noun = isAll ? 'quotes' : formatTypePlural(type);
  const description = `All ${count} ${noun} of ${formatDayLabel(date)}`;
  return { exported: { request, fileName: `quotes-${date}`, description } };
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

const [GOVERNMENT] = ISSUER_GROUPS;
/** In years. */
const TILE_TENORS = [0.25, 0.5, 1, 3, 5, 10];

function renderYieldTiles(day: FilteredDay, comparison: FilteredDay | undefined) {
  const fit = getFit(day.quotes, GOVERNMENT);
  const earlierFit = comparison && getFit(comparison.quotes, GOVERNMENT);
  if (!fit) return null;
  return (
    <section class="tenors" aria-label="Government yields">
      <h2>
        Government yields{' '}
        <span class="muted">
          on the fitted curve
          {earlierFit && `, and how they changed since ${formatDayLabel(comparison.date)}`}
        </span>
      </h2>
      <div class="tiles">
        {TILE_TENORS.filter((years) => isCoveredByFit(fit, years)).map((years) => (
          <div key={years} class="tile">
            <span>{years < 1 ? pluralize(years * 12, 'month') : pluralize(years, 'year')}</span>
            <b>{formatNumber(fit.yieldAt(years), 2)} %</b>
            {earlierFit && isCoveredByFit(earlierFit, years) && (
              // Without green and red, because a higher yield is neither good nor bad.
              <small class="change">
                {formatSigned((fit.yieldAt(years) - earlierFit.yieldAt(years)) * 100, 0)} bp
              </small>
            )}
            <small class="nearest">Nearest quote: {findNearestQuote(day, fit, years)}</small>
          </div>
        ))}
      </div>
    </section>
  );
}

/** Whether the maturity is near enough to the quotes that the curve is fitted through. */
function isCoveredByFit({ from, to }: CurveFit, years: number): boolean {
  return years >= from * 0.8 && years <= to * 1.05;
}

/** Quotes further from the curve, in percentage points, are hardly comparable paper. */
const MAX_CURVE_DISTANCE = 0.2;

/** The quote near the curve with the nearest maturity. */
function findNearestQuote({ quotes }: FilteredDay, { yieldAt }: CurveFit, years: number): string {
  const [nearest] = getCurveQuotes(quotes, GOVERNMENT)
    .filter(({ ytm, maturityYears }) => Math.abs(ytm - yieldAt(maturityYears)) < MAX_CURVE_DISTANCE)
    .toSorted((a, b) => Math.abs(a.maturityYears - years) - Math.abs(b.maturityYears - years));
  return nearest ? `${nearest.symbol} ${formatNumber(nearest.ytm, 2)} %` : 'none';
}

export interface MarketDayData {
  /** The day of the request; undefined for the newest. */
  readonly requestedDate: string | undefined;
  /** The day of the quotes; undefined where there are none up to the requested day. */
  readonly date: string | undefined;
  readonly quotes: readonly Quote[];
}

/** How long the scrubber must rest on a day before the day is requested. */
const DEBOUNCE_MS = 60;

/** All quotes of a day, or of the last day before it that has quotes; by default of the newest. */
export function useMarketDay(
  path: string,
  date: string | undefined,
  isEnabled = true,
): QueryResult<MarketDayData> {
  const key = isEnabled ? `${path} ${date ?? 'newest'}` : undefined;
  const readDay = async (api: ApiClient, signal: AbortSignal) => {
    if (date !== undefined) await debounce(signal);
    const response = await api.read<readonly Quote[]>(createDayRequest(path, date));
    if (response.data.length > 0 || date === undefined) return toMarketDayData(response, date);
    const parameters = { to: date, limit: 1 };
    const [last] = (await api.read<readonly Quote[]>({ path, parameters })).data;
    if (!last) return toMarketDayData(response, date);
    return toMarketDayData(await api.read(createDayRequest(path, last.date)), date);
  };
  // The last day stays visible until the next has loaded.
  return useAsyncQuery<MarketDayData>(key, readDay, { keepPreviousData: true });
}

function createDayRequest(path: string, date: string | undefined, type?: string) {
  return { path, parameters: { date, type, limit: 10_000 }, allPages: true };
}

function toMarketDayData(
  { data, meta }: TenorResponse<readonly Quote[]>,
  requestedDate: string | undefined,
): TenorResponse<MarketDayData> {
  return { data: { requestedDate, date: data[0]?.date, quotes: data }, meta };
}

function debounce(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, DEBOUNCE_MS);
    signal.addEventListener('abort', () => clearTimeout(timer));
  });
}
