import type { Quote } from '../../catalogue/datasets/quotes.ts';
import { DAY_MS, parseDay } from '../../shared/calendar.ts';
import { WARNING_THRESHOLDS, type Warning } from './warning-rules.ts';

/** How many days are compared: the newest, the one before it, and how that one moved. */
export const COMPARED_DAYS = 3;

/** A security's quotes of the newest day and of the day before. */
type Pair = readonly [quote: Quote, previous: Quote];

/**
 * Warns of a market as a whole on its newest day, by the quotes of the last days, newest first. Older
 * days are not compared: a history has holidays that its source filled, and there it is too late.
 */
export function findDayWarnings([
  today = [],
  previous = [],
  before = [],
]: readonly (readonly Quote[])[]): Warning[] {
  const earlier = new Map(previous.map((quote) => [quote.symbol, quote]));
  const pairs = today.flatMap((quote): Pair[] => {
    const last = earlier.get(quote.symbol);
    return last ? [[quote, last]] : [];
  });
  const warnings = [
    findStalePrices(pairs, before),
    findGoneSecurities(today, previous, before),
    ...VOLUME_FIELDS.map((field) => findVolumeJump(pairs, field)),
    findReversedVolumes(pairs),
    findMisplacedVolumes(today),
    ...FIGURE_FIELDS.map((field) => findSingleValue(today, previous, field)),
  ];
  const date = today[0]?.date ?? '';
  return warnings.flatMap((warning) =>
    warning ? [{ ...warning, value: date, text: `${date}, the newest day: ${warning.text}` }] : [],
  );
}

/** Warns of a newest day at a weekend; `hasQuotes` says whether there are quotes of another day. */
export async function findWeekendDate(
  date: string,
  hasQuotes: (day: number) => Promise<boolean> | boolean,
): Promise<Warning | undefined> {
  const day = parseDay(date);
  const weekday = new Date(day * DAY_MS).getUTCDay();
  if (weekday !== 0 && weekday !== 6) return undefined;
  for (let week = 1; week <= WARNING_THRESHOLDS.weekendWeeks; week += 1)
    if (await hasQuotes(day - 7 * week)) return undefined;
  const text = `${date} is a ${weekday === 0 ? 'Sunday' : 'Saturday'}, as no other day with quotes in ${WARNING_THRESHOLDS.weekendWeeks} weeks`;
  return { rule: 'weekend-date', field: 'date', value: date, text };
}

/** Warns of a few quotes of other days in a file of one day. */
export function findStrayDays(quotesByDay: ReadonlyMap<string, number>): Warning | undefined {
  const counts = [...quotesByDay].toSorted(([, a], [, b]) => b - a);
  const [[mainDay, mainCount] = ['', 0], ...others] = counts;
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  const { mainDayShare, dayMinQuotes } = WARNING_THRESHOLDS;
  if (others.length === 0 || mainCount < Math.max(dayMinQuotes, mainDayShare * total))
    return undefined;
  const days = others.map(([day]) => day).toSorted();
  const named = days.length > 3 ? `${days.length} other days` : days.join(', ');
  const text = `${total - mainCount} of ${total} quotes are of ${named}, all others of ${mainDay}`;
  return { rule: 'stray-day', field: 'date', value: days[0], text };
}

const PRICE_FIELDS = ['bidPrice', 'askPrice', 'lastPrice'] as const;
const VOLUME_FIELDS = ['bidVolume', 'askVolume', 'volume'] as const;
const FIGURE_FIELDS = [...PRICE_FIELDS, ...VOLUME_FIELDS, 'ytm', 'duration'] as const;

type DayFinding = Omit<Warning, 'value'> | undefined;

function findStalePrices(pairs: readonly Pair[], before: readonly Quote[]): DayFinding {
  const history = new Map(before.map((quote) => [quote.symbol, quote]));
  const isSame = (a: Quote, b: Quote, fields: readonly (keyof Quote)[] = PRICE_FIELDS) =>
    fields.every((field) => a[field] === b[field]);
  // In a market where prices stay for days, only those that moved last say that a feed stands still.
  const movers = pairs.filter(([quote, previous]) => {
    const last = history.get(quote.symbol);
    if (last) return !isSame(previous, last);
    const hasVolume = VOLUME_FIELDS.some((field) => quote[field] > 0);
    return before.length === 0 && hasVolume && PRICE_FIELDS.some((field) => quote[field] > 0);
  });
  const { staleShare, staleMinQuotes } = WARNING_THRESHOLDS;
  if (movers.length < staleMinQuotes) return undefined;
  const fields = before.length > 0 ? PRICE_FIELDS : [...PRICE_FIELDS, ...VOLUME_FIELDS];
  const stale = movers.filter(([quote, previous]) => isSame(quote, previous, fields)).length;
  if (stale < staleShare * movers.length) return undefined;
  const text = `${stale} of ${movers.length} prices that moved before are those of ${movers[0]?.[1].date}`;
  return { rule: 'stale-prices', field: 'date', text };
}

function findGoneSecurities(
  today: readonly Quote[],
  previous: readonly Quote[],
  before: readonly Quote[],
): DayFinding {
  const share = findGoneShare(today, previous);
  const { goneShare, dayMinQuotes } = WARNING_THRESHOLDS;
  if (previous.length < dayMinQuotes || share <= goneShare) return undefined;
  // On a board that lists what has orders, securities come and go every day.
  if (findGoneShare(previous, before) > goneShare / 2) return undefined;
  const text = `${Math.round(100 * share)} % of the securities of ${previous[0]?.date} have no quote`;
  return { rule: 'securities-gone', field: 'symbol', text };
}

function findGoneShare(today: readonly Quote[], previous: readonly Quote[]): number {
  const symbols = new Set(today.map(({ symbol }) => symbol));
  const date = today[0]?.date ?? '';
  const alive = previous.filter(({ maturityDate }) => maturityDate > date);
  const gone = alive.filter(({ symbol }) => !symbols.has(symbol));
  return alive.length === 0 ? 0 : gone.length / alive.length;
}

function findVolumeJump(pairs: readonly Pair[], field: (typeof VOLUME_FIELDS)[number]): DayFinding {
  const { volumeFactor, dayMinQuotes } = WARNING_THRESHOLDS;
  const ratios = pairs
    .filter(([quote, previous]) => quote[field] > 0 && previous[field] > 0)
    .map(([quote, previous]) => quote[field] / previous[field])
    .toSorted((a, b) => a - b);
  const median = ratios[Math.floor(ratios.length / 2)] ?? 1;
  if (ratios.length < dayMinQuotes || Math.max(median, 1 / median) < volumeFactor) return undefined;
  const text = `half of ${ratios.length} figures of ${field} are by a factor of ${median.toPrecision(3)} or more from those of ${pairs[0]?.[1].date}`;
  return { rule: 'volume-jump', field, text };
}

function findReversedVolumes(pairs: readonly Pair[]): DayFinding {
  const { reversedShare, reversedMinQuotes } = WARNING_THRESHOLDS;
  const findLargerSide = ({ bidVolume, askVolume }: Quote) => Math.sign(bidVolume - askVolume);
  const sides = pairs
    .map(([quote, previous]) => findLargerSide(quote) * findLargerSide(previous))
    .filter((product) => product !== 0);
  const reversed = sides.filter((product) => product < 0).length;
  if (sides.length < reversedMinQuotes || reversed < reversedShare * sides.length) return undefined;
  const text = `the larger of bidVolume and askVolume is another than on ${pairs[0]?.[1].date} in ${reversed} of ${sides.length} quotes: they may be swapped`;
  return { rule: 'volumes-reversed', field: 'bidVolume', text };
}

/** A volume belongs to an order: where there is one order, there is one volume, on its side. */
function findMisplacedVolumes(today: readonly Quote[]): DayFinding {
  const { reversedShare, dayMinQuotes } = WARNING_THRESHOLDS;
  const oneSided = today.filter(
    ({ bidPrice, askPrice, bidVolume, askVolume }) =>
      bidPrice > 0 !== askPrice > 0 && bidVolume > 0 !== askVolume > 0,
  );
  const misplaced = oneSided.filter(({ bidPrice, bidVolume }) => bidPrice > 0 !== bidVolume > 0);
  if (oneSided.length < dayMinQuotes || misplaced.length < reversedShare * oneSided.length)
    return undefined;
  const text = `${misplaced.length} of ${oneSided.length} quotes with one price have their volume on the other side`;
  return { rule: 'volumes-reversed', field: 'bidVolume', text };
}

function findSingleValue(
  today: readonly Quote[],
  previous: readonly Quote[],
  field: (typeof FIGURE_FIELDS)[number],
): DayFinding {
  const { dayMinQuotes } = WARNING_THRESHOLDS;
  const [value] = today.map((quote) => quote[field]);
  if (today.length < dayMinQuotes || today.some((quote) => quote[field] !== value))
    return undefined;
  if (new Set(previous.map((quote) => quote[field])).size < dayMinQuotes) return undefined;
  const text = `${field} is ${value} in all ${today.length} quotes`;
  return { rule: 'one-value', field, text };
}
