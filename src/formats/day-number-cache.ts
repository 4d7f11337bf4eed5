import { DAY_MS } from '../shared/calendar.ts';

/** Converts `YYYY-MM-DD` to days since 1970-01-01; memoized, because days of a table repeat. */
export function createDayNumberCache(): (text: string) => number {
  const cache = new Map<string, number>();
  return (text) => {
    const day = cache.get(text) ?? Date.parse(text) / DAY_MS;
    if (!Number.isInteger(day)) throw new RangeError(`not a calendar day: ${text}`);
    cache.set(text, day);
    return day;
  };
}
