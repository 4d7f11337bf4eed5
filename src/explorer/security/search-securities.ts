import type { DatasetEntry } from '../api/types.ts';
import type { SecuritySummary } from './quote.ts';

interface SecurityFilter {
  /** A part of the symbol or ISIN, in any letter case. */
  readonly text?: string | undefined;
  readonly type?: string | undefined;
  readonly isMatured?: boolean | undefined;
}

/** Whether a security has matured by the newest day of the data, which may not be today. */
export function hasMatured(
  { maturityDate, lastDate }: Pick<SecuritySummary, 'maturityDate' | 'lastDate'>,
  { coverage }: Pick<DatasetEntry, 'coverage'>,
): boolean {
  return maturityDate <= (coverage.last ?? lastDate);
}

export function filterSecurities(
  securities: readonly SecuritySummary[],
  { text = '', type, isMatured }: SecurityFilter,
  entry: Pick<DatasetEntry, 'coverage'>,
): SecuritySummary[] {
  return securities.filter(
    (security) =>
      (type === undefined || security.type === type) &&
      (isMatured === undefined || hasMatured(security, entry) === isMatured) &&
      findMatchPosition(security, text) !== undefined,
  );
}

/** The first securities that match the text, those that begin with it before the others. */
export function suggestSecurities(
  securities: readonly SecuritySummary[],
  text: string,
  max: number,
): SecuritySummary[] {
  const isPrefix = (security: SecuritySummary) => findMatchPosition(security, text) === 0;
  return securities
    .filter((security) => findMatchPosition(security, text) !== undefined)
    .toSorted((a, b) => Number(isPrefix(b)) - Number(isPrefix(a)))
    .slice(0, max);
}

/** Where the text occurs in the symbol or the ISIN, whichever is earlier. */
function findMatchPosition({ symbol, isin }: SecuritySummary, text: string): number | undefined {
  const part = text.trim().toLowerCase();
  const positions = [symbol, isin].map((name) => name.toLowerCase().indexOf(part));
  const matches = positions.filter((position) => position >= 0);
  return matches.length > 0 ? Math.min(...matches) : undefined;
}
