import type { Quote } from '../../catalogue/datasets/quotes.ts';
import { DAY_MS, parseDay } from '../../shared/calendar.ts';
import { PRICE_FIELDS, VOLUME_FIELDS } from './plausible-figures.ts';
import { WARNING_THRESHOLDS, type Warning } from './warning-rules.ts';

/** The number of compared days: the newest, the previous one, and the one before that. */
export const COMPARED_DAYS = 3;

const FIGURE_FIELDS = [...PRICE_FIELDS, ...VOLUME_FIELDS, 'ytm', 'duration'] as const;

type Quotes = readonly Quote[];
/** A security's quotes of a day and of the day before. */
type Pair = readonly [quote: Quote, previous: Quote];
type Finding = Omit<Warning, 'value'> | false;

/**
 * Warns about a market as a whole on its newest day, from the quotes of the last days, newest first. Older
 * days are not compared: histories contain holidays that the source filled in, and a warning would be too
 * late.
 */
export function findDayWarnings([today = [], previous = [], before = []]: readonly Quotes[]) {
  const date = today[0]?.date;
  const pairs = pairQuotes(today, previous);
  const findings: Finding[] = [
    findStalePrices(pairs, pairQuotes(previous, before)),
    findGoneSecurities(today, previous, before),
    ...VOLUME_FIELDS.map((field) => findVolumeJump(pairs, field)),
    findReversedVolumes(pairs),
    findMisplacedVolumes(today),
    ...FIGURE_FIELDS.map((field) => findSingleValue(today, previous, field)),
  ];
  const since = `since ${previous[0]?.date}`;
  return findings.flatMap((finding): Warning[] =>
    finding ? [{ ...finding, value: date, text: `${date}, ${since}: ${finding.text}` }] : [],
  );
}

/** Warns about a newest day on a weekend; `hasQuotes` says whether another day has quotes. */
export async function findWeekendDate(
  date: string,
  hasRecords: (day: number) => boolean | Promise<boolean>,
  field = 'date',
) {
  const day = parseDay(date);
  const weekday = new Date(day * DAY_MS).getUTCDay();
  if (weekday > 0 && weekday < 6) return undefined;
  const { weekendWeeks } = WARNING_THRESHOLDS;
  for (let week = 1; week <= weekendWeeks; week += 1)
    if (await hasRecords(day - 7 * week)) return undefined;
  const text = `${date} is a ${weekday === 0 ? 'Sunday' : 'Saturday'}, as no other day with records in ${weekendWeeks} weeks`;
  return { rule: 'weekend-date', field, value: date, text } as const;
}

/** Warns about a few quotes of other days in a file for one day. */
export function findStrayDays(quotesByDay: ReadonlyMap<string, number>): Warning | undefined {
  const [main, ...others] = [...quotesByDay].toSorted(([, a], [, b]) => b - a);
  const [mainDay, mainCount] = main ?? ['', 0];
  const count = others.reduce((sum, [, quotes]) => sum + quotes, 0);
  const { mainDayShare, dayMinQuotes } = WARNING_THRESHOLDS;
  const isMain = mainCount >= dayMinQuotes && mainCount >= mainDayShare * (mainCount + count);
  if (count === 0 || !isMain) return undefined;
  const [day] = others[0] ?? [''];
  const text = `${count} quotes are of ${day}${others.length > 1 ? ' and other days' : ''}, and ${mainCount} of ${mainDay}`;
  return { rule: 'stray-day', field: 'date', value: day, text };
}

function pairQuotes(today: Quotes, previous: Quotes): Pair[] {
  const earlier = new Map(previous.map((quote) => [quote.symbol, quote]));
  return today.flatMap((quote): Pair[] => {
    const last = earlier.get(quote.symbol);
    return last ? [[quote, last]] : [];
  });
}

/** In a market where prices stay unchanged for days, only prices that moved recently can show that a feed has stalled. */
function findStalePrices(pairs: readonly Pair[], earlierPairs: readonly Pair[]): Finding {
  const isSame = ([quote, previous]: Pair) =>
    PRICE_FIELDS.every((field) => quote[field] === previous[field]);
  const movers = new Set(earlierPairs.filter((pair) => !isSame(pair)).map(([quote]) => quote));
  const compared = pairs.filter(([, previous]) => movers.has(previous));
  const stale = compared.filter(isSame).length;
  const { staleShare, marketMinQuotes } = WARNING_THRESHOLDS;
  if (compared.length < marketMinQuotes || stale < staleShare * compared.length) return false;
  const text = `${stale} of ${compared.length} prices that moved on that day stayed`;
  return { rule: 'stale-prices', field: 'date', text };
}

/** On a board that only lists securities with orders, securities come and go every day. */
function findGoneSecurities(today: Quotes, previous: Quotes, before: Quotes): Finding {
  const share = findGoneShare(today, previous);
  const { goneShare, dayMinQuotes } = WARNING_THRESHOLDS;
  if (previous.length < dayMinQuotes || share <= goneShare) return false;
  if (findGoneShare(previous, before) > goneShare / 2) return false;
  const text = `${Math.round(100 * share)} % of the securities have no quote any more`;
  return { rule: 'securities-gone', field: 'symbol', text };
}

function findGoneShare(today: Quotes, previous: Quotes): number {
  const symbols = new Set(today.map(({ symbol }) => symbol));
  const date = today[0]?.date ?? '';
  const alive = previous.filter(({ maturityDate }) => maturityDate > date);
  return alive.filter(({ symbol }) => !symbols.has(symbol)).length / Math.max(1, alive.length);
}

function findVolumeJump(pairs: readonly Pair[], field: (typeof VOLUME_FIELDS)[number]): Finding {
  const ratios = pairs
    .filter(([quote, previous]) => quote[field] > 0 && previous[field] > 0)
    .map(([quote, previous]) => quote[field] / previous[field])
    .toSorted((a, b) => a - b);
  // Volumes vary widely from day to day, but not in the same direction for three quarters of a market.
  const [low = 1, high = 1] = [1 / 4, 3 / 4].map(
    (part) => ratios[Math.floor(part * ratios.length)],
  );
  const { volumeFactor, marketMinQuotes } = WARNING_THRESHOLDS;
  const factor = low >= volumeFactor ? low : high;
  const isJump = low >= volumeFactor || high <= 1 / volumeFactor;
  if (ratios.length < marketMinQuotes || !isJump) return false;
  const text = `three quarters of ${ratios.length} figures of ${field} moved by a factor of ${factor.toPrecision(3)} or more`;
  return { rule: 'volume-jump', field, text };
}

function findReversedVolumes(pairs: readonly Pair[]): Finding {
  const findLargerSide = ({ bidVolume, askVolume }: Quote) => Math.sign(bidVolume - askVolume);
  const sides = pairs
    .map(([quote, previous]) => findLargerSide(quote) * findLargerSide(previous))
    .filter((product) => product !== 0);
  const reversed = sides.filter((product) => product < 0).length;
  const { reversedShare, reversedMinQuotes } = WARNING_THRESHOLDS;
  if (sides.length < reversedMinQuotes || reversed < reversedShare * sides.length) return false;
  const text = `the larger of bidVolume and askVolume is the other one in ${reversed} of ${sides.length} quotes: they may be swapped`;
  return { rule: 'volumes-reversed', field: 'bidVolume', text };
}

/** A volume belongs to an order: with a single order, the only volume is on its side. */
function findMisplacedVolumes(today: Quotes): Finding {
  const oneSided = today.filter(
    ({ bidPrice, askPrice, bidVolume, askVolume }) =>
      bidPrice > 0 !== askPrice > 0 && bidVolume > 0 !== askVolume > 0,
  );
  const misplaced = oneSided.filter(({ bidPrice, bidVolume }) => bidPrice > 0 !== bidVolume > 0);
  const { reversedShare, dayMinQuotes } = WARNING_THRESHOLDS;
  const isMany = misplaced.length >= reversedShare * oneSided.length;
  if (oneSided.length < dayMinQuotes || !isMany) return false;
  const text = `${misplaced.length} of ${oneSided.length} quotes with one price have their volume on the other side`;
  return { rule: 'volumes-reversed', field: 'bidVolume', text };
}

function findSingleValue(
  today: Quotes,
  previous: Quotes,
  field: (typeof FIGURE_FIELDS)[number],
): Finding {
  const { dayMinQuotes } = WARNING_THRESHOLDS;
  const countValues = (quotes: Quotes) => new Set(quotes.map((quote) => quote[field])).size;
  const isSingle = today.length >= dayMinQuotes && countValues(today) === 1;
  if (!isSingle || countValues(previous) < dayMinQuotes) return false;
  const text = `${field} is now ${today[0]?.[field]} in all ${today.length} quotes`;
  return { rule: 'one-value', field, text };
}
