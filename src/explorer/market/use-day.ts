import type { Quote } from '../quotes/quote.ts';
import type { Answer, Api } from '../service/api.ts';
import { type Asked, useAsked } from '../service/use-answer.ts';

/** The market of a day. */
export interface Day {
  /** The day that was asked for; undefined for the newest. */
  readonly asked: string | undefined;
  /** The day itself; undefined where there was none up to the day that was asked for. */
  readonly date: string | undefined;
  readonly quotes: readonly Quote[];
}

/** The day that one is compared with: all its quotes, and those of them that are wanted. */
export interface DayBefore {
  readonly date: string;
  readonly quotes: readonly Quote[];
  readonly wanted: readonly Quote[];
}

/** How long a hand must rest on the scrubber before it is asked for what is there. */
const REST_MS = 60;

/** All quotes of a day, or of the last one before it that has some; the newest where none is named. */
export function useDay(path: string, date: string | undefined, isWanted = true): Asked<Day> {
  const key = isWanted ? `${path} ${date ?? 'newest'}` : undefined;
  const work = async (api: Api, signal: AbortSignal) => {
    if (date !== undefined) await rest(signal);
    const asked = await quotesOf(api, path, date);
    if (asked.data.length > 0 || date === undefined) return dayOf(asked, date);
    const parameters = { to: date, limit: 1 };
    const last = await api.read<readonly Quote[]>({ path, parameters });
    const [before] = last.data;
    return dayOf(before ? await quotesOf(api, path, before.date) : asked, date);
  };
  // The curve moves from day to day, and does not go away in between.
  return useAsked<Day>(key, work, { keepsLast: true });
}

function quotesOf(api: Api, path: string, date: string | undefined) {
  return api.read<readonly Quote[]>(dayQuestion(path, date));
}

/** What is asked for all quotes of a day. */
export function dayQuestion(path: string, date: string | undefined, type?: string) {
  return { path, parameters: { date, type, limit: 10_000 }, whole: true };
}

function dayOf({ data, meta }: Answer<readonly Quote[]>, asked: string | undefined): Answer<Day> {
  return { data: { asked, date: data[0]?.date, quotes: data }, meta };
}

function rest(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    // Where the hand moves on, nobody waits any more.
    const timer = setTimeout(resolve, REST_MS);
    signal.addEventListener('abort', () => clearTimeout(timer));
  });
}
