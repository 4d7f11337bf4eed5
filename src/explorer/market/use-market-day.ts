import type { CurveRecord } from '../../../clients/typescript/src/generated.ts';
import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { ApiClient, TenorResponse } from '../api/api-client.ts';
import { type QueryResult, useAsyncQuery } from '../api/use-query.ts';
import { CURVE_REQUESTS, type MarketCurves } from './yield-curves.ts';

export interface MarketDayData {
  /** The day of the request; undefined for the newest. */
  readonly requestedDate: string | undefined;
  /** The day of the quotes; undefined where there are none up to the requested day. */
  readonly date: string | undefined;
  readonly quotes: readonly Quote[];
  readonly curves: MarketCurves;
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
    // The curves are requested at once with the quotes, so that dragging waits only once.
    const curves = date === undefined ? undefined : readCurves(api, date);
    // A failure of both is that of the quotes.
    curves?.catch(() => {});
    const response = await readQuotes(api, path, date);
    const [first] = response.data;
    const day = first?.date;
    const dayCurves = day === undefined ? {} : await (day === date ? curves : readCurves(api, day));
    return {
      data: { requestedDate: date, date: day, quotes: response.data, curves: dayCurves ?? {} },
      meta: response.meta,
    };
  };
  // The last day stays visible until the next has loaded.
  return useAsyncQuery<MarketDayData>(key, readDay, { keepPreviousData: true });
}

/** Requests all quotes of a day, of one type or of all. */
export function createDayRequest(path: string, date: string | undefined, type?: string) {
  return { path, parameters: { date, type, limit: 10_000 }, allPages: true };
}

/** The quotes of a day, or of the last day before it that has some. */
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

async function readCurves(api: ApiClient, date: string): Promise<MarketCurves> {
  const entries = CURVE_REQUESTS.map(async ({ market, createRequest }) => {
    const { data } = await api.read<readonly CurveRecord[]>(createRequest(date));
    return [market, data[0]] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

function debounce(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, DEBOUNCE_MS);
    signal.addEventListener('abort', () => clearTimeout(timer));
  });
}
