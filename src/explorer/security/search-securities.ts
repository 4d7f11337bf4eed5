import type { SecuritySummary } from './quote.ts';

/** Which securities are looked for; what is not named does not matter. */
export interface SecurityFilter {
  /** A part of the symbol or of the ISIN, in any letter case. */
  readonly text?: string | undefined;
  readonly type?: string | undefined;
  readonly status?: MaturityStatus | undefined;
}

export type MaturityStatus = 'live' | 'matured';

/** Whether a security had matured on a day: the newest of the data, never today's. */
export function hasMaturedBy(
  { maturityDate }: Pick<SecuritySummary, 'maturityDate'>,
  day: string,
): boolean {
  return maturityDate <= day;
}

/** The securities that are wanted, in the order that they came in. */
export function filterSecurities(
  securities: readonly SecuritySummary[],
  { text, type, status }: SecurityFilter,
  newest: string,
): SecuritySummary[] {
  const part = normalizeSearchText(text ?? '');
  return securities.filter(
    (each) =>
      (type === undefined || each.type === type) &&
      (status === undefined || hasMaturedBy(each, newest) === (status === 'matured')) &&
      (normalizeSearchText(each.symbol).includes(part) ||
        normalizeSearchText(each.isin).includes(part)),
  );
}

/** The same for a short list: those that begin with the text come first. */
export function suggestSecurities(
  securities: readonly SecuritySummary[],
  text: string,
  max: number,
): SecuritySummary[] {
  const part = normalizeSearchText(text);
  const begins = ({ symbol, isin }: SecuritySummary) =>
    normalizeSearchText(symbol).startsWith(part) || normalizeSearchText(isin).startsWith(part);
  return filterSecurities(securities, { text }, '')
    .toSorted((one, other) => Number(begins(other)) - Number(begins(one)))
    .slice(0, max);
}

function normalizeSearchText(text: string): string {
  return text.trim().toLowerCase();
}
