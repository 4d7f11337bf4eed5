import { type Amendment, amendmentsOf } from '../differences/amendments.ts';
import { type Correction, figureIn, type Quote } from '../quotes/quote.ts';
import type { Entry } from '../service/catalogue.ts';

/** What corrections did to quotes; a figure that means that there is none is none. */
export function quoteAmendments(entry: Entry, corrections: readonly Correction[]): Amendment[] {
  const present = (quote: Quote) =>
    Object.fromEntries(entry.fields.map((field) => [field.name, figureIn(quote, field)]));
  return amendmentsOf(
    entry,
    corrections.map(({ old, new: now, ...rest }) => ({
      ...rest,
      old: present(old),
      new: now && present(now),
    })),
  );
}
