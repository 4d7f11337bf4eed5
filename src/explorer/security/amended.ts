import { groupByRevision, type RevisionCorrections } from '../differences/amendments.ts';
import { getQuoteValue, type Quote, type QuoteCorrection } from '../quotes/quote.ts';
import type { DatasetEntry } from '../service/catalogue.ts';

/** What corrections did to quotes; a figure that means that there is none is none. */
export function groupQuoteCorrections(
  entry: DatasetEntry,
  corrections: readonly QuoteCorrection[],
): RevisionCorrections[] {
  const present = (quote: Quote) =>
    Object.fromEntries(entry.fields.map((field) => [field.name, getQuoteValue(quote, field)]));
  return groupByRevision(
    entry,
    corrections.map(({ old, new: now, ...rest }) => ({
      ...rest,
      old: present(old),
      new: now && present(now),
    })),
  );
}
