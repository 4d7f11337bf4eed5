import type { FundSummary, SecuritySummary } from '../catalogue/discovery.ts';

type ListEntry = SecuritySummary | FundSummary;

export interface ListFilter {
  /** Text in an identifier or in the name, in any letter case, with or without accents. */
  readonly q?: string | undefined;
  /** All that match where absent. */
  readonly limit?: number | undefined;
  /** The identifier of the last entry of the page before. */
  readonly after?: string | undefined;
}

/**
 * The entries of a list that match, up to the limit; how many match on all pages; and where more match
 * than the limit, where the next page begins.
 */
export function selectListPage(entries: readonly ListEntry[], { q, limit, after }: ListFilter) {
  const matches = q === undefined ? entries : entries.filter(createMatcher(q));
  const start =
    after === undefined ? 0 : matches.findIndex((entry) => getIdentifier(entry) === after) + 1;
  const end = limit === undefined ? matches.length : start + limit;
  const selected = matches.slice(start, end);
  const last = selected.at(-1);
  return {
    entries: selected,
    total: matches.length,
    ...(last && end < matches.length && { nextPosition: [getIdentifier(last)] }),
  };
}

function createMatcher(q: string): (entry: ListEntry) => boolean {
  const part = normalizeText(q);
  return (entry) => {
    const isin = 'isin' in entry ? entry.isin : null;
    return [getIdentifier(entry), isin, entry.name].some(
      (text) => text !== null && normalizeText(text).includes(part),
    );
  };
}

function getIdentifier(entry: ListEntry): string {
  return 'symbol' in entry ? entry.symbol : entry.fund_id;
}

/** Without accents and in lower case; what has no letters but accents stays as it is. */
function normalizeText(text: string): string {
  const plain = text.normalize('NFD').replace(/\p{Mn}+/gu, '');
  return (plain === '' ? text : plain).toLowerCase();
}
