import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { ApiClient, TenorResponse } from '../api/api-client.ts';
import { type QueryResult, useAsyncQuery } from '../api/explorer-context.ts';

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

export function createDayRequest(path: string, date: string | undefined, type?: string) {
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
