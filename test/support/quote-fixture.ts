import type { DatasetRecord } from '../../src/catalogue/dataset.ts';
import { quotes } from '../../src/catalogue/quotes.ts';

export type Quote = DatasetRecord<typeof quotes>;

/** A quote where only what a test speaks of differs from the example. */
export function quote(differing: Partial<Quote>): Quote {
  return { ...quotes.example, ...differing };
}
