import { isDay } from '../../calendar.ts';
import { dayWords, monthsLater } from '../figures/days.ts';

/** How far back from its last quote a security is shown, in months; undefined is all of it. */
export const SPANS = { '1M': 1, '3M': 3, '6M': 6, '1Y': 12, '3Y': 36, All: undefined } as const;

export type Span = keyof typeof SPANS;

export const USUAL_SPAN: Span = '1Y';

/** The days that are shown, both inclusive; undefined is open. */
export interface Range {
  readonly from: string | undefined;
  readonly to: string | undefined;
}

interface Quoted {
  readonly firstDate: string;
  readonly lastDate: string;
}

/** The span that the address names, or the usual one. */
export function spanIn(at: Readonly<Record<string, string>>): Span {
  return at.span !== undefined && Object.hasOwn(SPANS, at.span) ? (at.span as Span) : USUAL_SPAN;
}

/** The range that the address names: its days where it has some, otherwise its span. */
export function rangeIn(at: Readonly<Record<string, string>>, quoted: Quoted): Range {
  if (isNarrowed(at)) return { from: at.from, to: at.to };
  const months = SPANS[spanIn(at)];
  const from = months === undefined ? quoted.firstDate : monthsLater(quoted.lastDate, -months);
  return { from, to: undefined };
}

/** Whether days were chosen, rather than a span. */
export function isNarrowed(at: Readonly<Record<string, string>>): boolean {
  return at.from !== undefined || at.to !== undefined;
}

/** Why there is no such range; undefined where there is one. */
export function refusalOf({ from, to }: Range): string | undefined {
  for (const day of [from, to]) {
    if (day !== undefined && !isDay(day)) {
      return `“${day}” is no day of the calendar: a day is written as YYYY-MM-DD.`;
    }
  }
  if (from === undefined || to === undefined || from <= to) return undefined;
  return `The range would begin on ${dayWords(from)}, after its end on ${dayWords(to)}.`;
}

/** Whether a day lies within a range. */
export function isWithin(day: string, { from, to }: Range): boolean {
  return (from === undefined || from <= day) && (to === undefined || day <= to);
}

/** A range in words that follow a noun: `from 1 Jun 2026 to 30 Jun 2026`. */
export function rangeWords({ from, to }: Range): string {
  const words = [from && `from ${dayWords(from)}`, to && `to ${dayWords(to)}`];
  return words.filter(Boolean).join(' ');
}

/** From the first to the last of quotes that come newest first. */
export function spanned(quotes: readonly { readonly date: string }[]): Range {
  return { from: quotes.at(-1)?.date, to: quotes[0]?.date };
}
