import type { Security } from '../quotes/quote.ts';

/** Which securities are looked for; what is not named does not matter. */
export interface Wanted {
  /** A part of the symbol or of the ISIN, in any letter case. */
  readonly text?: string | undefined;
  readonly type?: string | undefined;
  readonly life?: Life | undefined;
}

export type Life = 'live' | 'matured';

/** Whether a security had matured on a day: the newest of the data, never today's. */
export function isMatured({ maturityDate }: Pick<Security, 'maturityDate'>, day: string): boolean {
  return maturityDate <= day;
}

/** The securities that are wanted, in the order that they came in. */
export function matching(
  securities: readonly Security[],
  { text, type, life }: Wanted,
  newest: string,
): Security[] {
  const part = folded(text ?? '');
  return securities.filter(
    (each) =>
      (type === undefined || each.type === type) &&
      (life === undefined || isMatured(each, newest) === (life === 'matured')) &&
      (folded(each.symbol).includes(part) || folded(each.isin).includes(part)),
  );
}

/** The same for a short list: those that begin with the text come first. */
export function suggestions(
  securities: readonly Security[],
  text: string,
  most: number,
): Security[] {
  const part = folded(text);
  const begins = ({ symbol, isin }: Security) =>
    folded(symbol).startsWith(part) || folded(isin).startsWith(part);
  return matching(securities, { text }, '')
    .toSorted((one, other) => Number(begins(other)) - Number(begins(one)))
    .slice(0, most);
}

function folded(text: string): string {
  return text.trim().toLowerCase();
}
