import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { ApiClient, TenorResponse } from '../api/api-client.ts';
import { type QueryResult, useAsyncQuery } from '../api/use-query.ts';

/** The market of a day. */
export interface MarketDayData {
  /** The day that was asked for; undefined for the newest. */
  readonly requestedDate: string | undefined;
  /** The day itself; undefined where there was none up to the day that was asked for. */
  readonly date: string | undefined;
  readonly quotes: readonly Quote[];
}

/** The day that one is compared with: all its quotes, and those of them that are wanted. */
export interface ComparisonDay {
  readonly date: string;
  readonly quotes: readonly Quote[];
  readonly filteredQuotes: readonly Quote[];
}

/** How long a hand must rest on the scrubber before it is asked for what is there. */
const DEBOUNCE_MS = 60;

/** All quotes of a day, or of the last one before it that has some; the newest where none is named. */
export function useMarketDay(
  path: string,
  date: string | undefined,
  isWanted = true,
): QueryResult<MarketDayData> {
  const key = isWanted ? `${path} ${date ?? 'newest'}` : undefined;
  const callback = async (api: ApiClient, signal: AbortSignal) => {
    if (date !== undefined) await debounce(signal);
    const asked = await fetchQuotes(api, path, date);
    if (asked.data.length > 0 || date === undefined) return toMarketDayData(asked, date);
    const parameters = { to: date, limit: 1 };
    const last = await api.read<readonly Quote[]>({ path, parameters });
    const [before] = last.data;
    return toMarketDayData(before ? await fetchQuotes(api, path, before.date) : asked, date);
  };
  // The curve moves from day to day, and does not go away in between.
  return useAsyncQuery<MarketDayData>(key, callback, { keepPreviousData: true });
}

function fetchQuotes(api: ApiClient, path: string, date: string | undefined) {
  return api.read<readonly Quote[]>(createDayRequest(path, date));
}

/** What is asked for all quotes of a day. */
export function createDayRequest(path: string, date: string | undefined, type?: string) {
  return { path, parameters: { date, type, limit: 10_000 }, allPages: true };
}

function toMarketDayData(
  { data, meta }: TenorResponse<readonly Quote[]>,
  asked: string | undefined,
): TenorResponse<MarketDayData> {
  return { data: { requestedDate: asked, date: data[0]?.date, quotes: data }, meta };
}

function debounce(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    // Where the hand moves on, nobody waits any more.
    const timer = setTimeout(resolve, DEBOUNCE_MS);
    signal.addEventListener('abort', () => clearTimeout(timer));
  });
}
