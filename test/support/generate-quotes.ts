import type { Quote } from './quote-fixture.ts';
import { quote } from './quote-fixture.ts';

const TYPES = ['tbill', 'bond', 'corporate'] as const;

/** So many securities on each of the days: S00, S01, …, of types in turn, two to each ISIN. */
export function generateQuotes(days: readonly string[], securities: number): Quote[] {
  const digits = Math.max(2, String(securities - 1).length);
  return days.flatMap((date) =>
    Array.from({ length: securities }, (_, index) =>
      quote({
        date,
        symbol: `S${String(index).padStart(digits, '0')}`,
        isin: `ZZ${Math.floor(index / 2)}`,
        type: TYPES[index % 3] ?? 'bond',
        lastPrice: 90 + index,
      }),
    ),
  );
}
