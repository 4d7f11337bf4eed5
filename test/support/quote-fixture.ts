import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import type { DatasetRecord } from '../../src/catalogue/model/dataset.ts';

export type Quote = DatasetRecord<typeof quotes>;

/** A quote where only what a test speaks of differs from the example. */
export function quote(differing: Partial<Quote>): Quote {
  return { ...quotes.example, ...differing };
}
