import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { DatasetEntry } from '../api/types.ts';
import { groupByRevision, type RevisionCorrections } from '../corrections/revision-corrections.ts';
import { getQuoteValue, type QuoteCorrection } from './quote.ts';

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
