import { type Quote, quotes } from '../../../src/catalogue/datasets/quotes.ts';
import { serializeRecord } from '../../../src/schema/serialize-record.ts';
import { generateRecord, listWeekdays } from '../../million-quotes.ts';

const SECURITIES = 300;
const DAYS = 1_000;

export const symbols = Array.from({ length: SECURITIES }, (_, index) => `ZZ${10_000 + index}TB`);
/** Newest first, as responses are. */
export const days = listWeekdays('2026-06-30', DAYS).toReversed();
export const QUOTE_COUNT = SECURITIES * DAYS;

/** The quotes of a day. The volume of the newest day differs between revisions. */
export function listQuotes(dayIndex: number, volume: number): Quote[] {
  const date = days[dayIndex] ?? '';
  return symbols.map((symbol, security) => {
    const record = generateRecord(date, DAYS - dayIndex, symbol, security);
    return dayIndex === 0 ? { ...record, volume } : record;
  });
}

export function* listAllQuotes(volume: number): Generator<Quote> {
  for (const dayIndex of days.keys()) yield* listQuotes(dayIndex, volume);
}

/** The text of a quote in responses. */
export function formatQuote(quote: Quote): string {
  return serializeRecord(quotes, quote);
}

/** A hash of the whole export after the newest day, which no revision changes. */
export function hashEarlierDays(): string {
  const hasher = new Bun.CryptoHasher('sha256');
  for (const dayIndex of days.keys())
    if (dayIndex > 0)
      for (const quote of listQuotes(dayIndex, 0)) hasher.update(`${formatQuote(quote)}\n`);
  return hasher.digest('hex');
}
