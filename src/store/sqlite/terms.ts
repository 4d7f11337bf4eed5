import type { Database } from 'bun:sqlite';
import type { SecurityTerms } from '../store.ts';

/** The terms that were kept, by folded symbol. */
export function termsIn(database: Database): ReadonlyMap<string, SecurityTerms> {
  const rows = database.query<TermsRow, []>('SELECT * FROM security_terms').all();
  return new Map(
    rows.map(({ symbol_key, coupon_rate, coupon_frequency, pricing }) => [
      symbol_key,
      { couponRate: coupon_rate, couponFrequency: coupon_frequency, pricing },
    ]),
  );
}

/** Keeps terms in the place of what was kept for the same securities. */
export function keepTerms(database: Database, terms: ReadonlyMap<string, SecurityTerms>): void {
  const put = database.query(
    `INSERT INTO security_terms VALUES (?, ?, ?, ?) ON CONFLICT (symbol_key) DO UPDATE SET
      coupon_rate = excluded.coupon_rate, coupon_frequency = excluded.coupon_frequency,
      pricing = excluded.pricing`,
  );
  for (const [symbol, { couponRate, couponFrequency, pricing }] of terms) {
    put.run(symbol, couponRate, couponFrequency, pricing);
  }
}

interface TermsRow {
  readonly symbol_key: string;
  readonly coupon_rate: number | null;
  readonly coupon_frequency: number | null;
  readonly pricing: string | null;
}
