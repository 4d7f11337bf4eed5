import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { CurveRecord } from '../../client/generated.ts';
import { SYSTEM_CLOCK } from '../../client/retry.ts';
import type { ApiClient, TenorResponse } from '../api/api-client.ts';
import type { ApiRequest } from '../api/types.ts';
import { KEEP_PREVIOUS, type QueryResult, useAsyncQuery } from '../api/use-query.ts';
import { getComparisonDay, type MarketFilters } from './market-filters.ts';
import { CURVE_REQUESTS, type MarketCurves } from './yield-curves.ts';

export interface MarketDayData {
  /** The day of the request; undefined for the newest. */
  readonly requestedDate: string | undefined;
  /** The day of the quotes; undefined if there are none up to the requested day. */
  readonly date: string | undefined;
  readonly quotes: readonly Quote[];
  readonly curves: MarketCurves;
}

/** How long the scrubber must rest on a day before the day is requested. */
const DEBOUNCE_MS = 60;

/** All quotes of a day, or of the last day before it that has quotes; by default, of the newest day. */
export function useMarketDay(
  path: string,
  date: string | undefined,
  isEnabled = true,
): QueryResult<MarketDayData> {
  const key = isEnabled ? `${path} ${date ?? 'newest'}` : undefined;
  const readDay = async (api: ApiClient, signal: AbortSignal) => {
    if (date !== undefined) await SYSTEM_CLOCK.wait(DEBOUNCE_MS, signal);
    // The curves are requested together with the quotes, so that the page waits only once.
    const requestedCurves = readCurves(api, date);
    // If both fail, the failure of the quotes counts.
    requestedCurves.catch(() => {});
    const { data, meta } = await readQuotes(api, path, date);
    const day = data[0]?.date;
    let curves = day === undefined ? {} : await requestedCurves;
    if (Object.values(curves).some((curve) => curve && curve.date !== day))
      curves = await readCurves(api, day);
    // Parsed, sorted and drawn in separate tasks, because there may be ten thousand.
    await SYSTEM_CLOCK.wait(0, signal);
    const quotes = data.toSorted((a, b) => a.maturityYears - b.maturityYears || a.ytm - b.ytm);
    await SYSTEM_CLOCK.wait(0, signal);
    return { data: { requestedDate: date, date: day, quotes, curves }, meta };
  };
  // The last day stays visible until the next has loaded.
  return useAsyncQuery<MarketDayData>(key, readDay, KEEP_PREVIOUS);
}

/** The days to compare a day with, at most two, as they arrive. */
export function useComparisons(path: string, filters: MarketFilters, day: string | undefined) {
  const dates = filters.comparisons.map((comparison) => day && getComparisonDay(day, comparison));
  const queries = [
    useMarketDay(path, dates[0], dates[0] !== undefined),
    useMarketDay(path, dates[1], dates[1] !== undefined),
  ];
  return queries.flatMap((query, index) => {
    const requestedDate = dates[index];
    return requestedDate === undefined ? [] : { ...query, requestedDate };
  });
}

export type MarketComparison = ReturnType<typeof useComparisons>[number];

/** Requests all quotes of a day, of one type or of all. */
export function createDayRequest(path: string, date: string | undefined, type?: string) {
  return { path, parameters: { date, type, limit: 10_000 }, allPages: true };
}

/** The quotes of a day, or of the last day before it that has quotes. */
async function readQuotes(
  api: ApiClient,
  path: string,
  date: string | undefined,
): Promise<TenorResponse<readonly Quote[]>> {
  const response = await api.read<readonly Quote[]>(createDayRequest(path, date));
  if (response.data.length > 0 || date === undefined) return response;
  const parameters = { to: date, limit: 1 };
  const [last] = (await api.read<readonly Quote[]>({ path, parameters })).data;
  return last ? api.read(createDayRequest(path, last.date)) : response;
}

/** The requests for the chart of a day, by default the newest. */
export function createChartRequests(path: string, date: string | undefined): ApiRequest[] {
  const curves = CURVE_REQUESTS.map(({ createRequest }) => createRequest(date));
  return [createDayRequest(path, date), ...curves];
}

/** Requests the data of a day before the catalogue has arrived. */
export function preloadMarketDay(api: ApiClient, path: string, date: string | undefined): void {
  // The next read of the same request gets the failure.
  for (const request of createChartRequests(path, date)) api.read(request).catch(() => {});
}

/** The curves of the markets; by default, of the newest day of each. */
async function readCurves(api: ApiClient, date: string | undefined): Promise<MarketCurves> {
  const entries = CURVE_REQUESTS.map(async ({ market, createRequest }) => {
    const { data } = await api.read<readonly CurveRecord[]>(createRequest(date));
    return [market, data[0]] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}
