import { yearsToMaturity } from '../../bonds/index.ts';
import { daysOf, durationOf, type Outcome, onward, settledOf, yieldOf } from './outcome.ts';
import { basisOf, type DraftQuote, priceOn } from './price.ts';
import type { Terms } from './terms.ts';

export type { DraftQuote, Quote } from './price.ts';
export { PRICINGS, type Terms, termsProblems } from './terms.ts';

/** The fields that are computed where a quote leaves them blank. */
export const DERIVED = ['maturityYears', 'ytm', 'duration'] as const;
export type Derived = (typeof DERIVED)[number];

export interface Derivation {
  /** The fields that were blank and now hold a figure. */
  readonly filled: readonly Derived[];
  /** Those that stay blank, and why, in words that follow "must be". */
  readonly refused: readonly { readonly field: Derived; readonly rule: string }[];
}

/**
 * Fills in what the quote leaves undefined of `DERIVED`, at T+1 and to six decimals; what is given
 * stays as it is. The yield comes from the last price, else the mid of bid and ask, else the one
 * side that has an order; the duration from the given yield, else from the computed one.
 */
export function derive(quote: DraftQuote, terms: Terms | undefined): Derivation {
  const { maturityYears, ytm, duration } = quote;
  if (maturityYears !== undefined && ytm !== undefined && duration !== undefined) return COMPLETE;
  const figures = figuresOf(quote, terms);
  const filled: Derived[] = [];
  const refused: { field: Derived; rule: string }[] = [];
  for (const field of DERIVED) {
    if (quote[field] !== undefined) continue;
    const figure = onward(figures[field], sixDecimals);
    if (typeof figure === 'string') {
      refused.push({ field, rule: `given where it cannot be computed: ${figure} (${WAY_OUT})` });
    } else {
      quote[field] = figure;
      filled.push(field);
    }
  }
  return { filled, refused };
}

/** The yield of a quoted security at a price, unrounded; undefined where it cannot be computed. */
export function yieldAt(
  quote: DraftQuote,
  terms: Terms | undefined,
  price: number,
): number | undefined {
  const settled = settledOf(quote, daysOf(quote), terms);
  const found = onward(settled, (security) => yieldOf(security, price));
  return typeof found === 'string' ? undefined : found;
}

/** At most six decimals, which is what is kept of a computed figure. */
export function sixDecimals(value: number): number {
  const millionths = Math.round(value * 1e6);
  if (!Number.isSafeInteger(millionths)) throw new RangeError(`${value} is out of range`);
  // Adding 0 makes a 0 of the -0 that a small negative figure rounds to.
  return millionths / 1e6 + 0;
}

const WAY_OUT = '--uncomputable zero takes it as 0';

const COMPLETE: Derivation = { filled: [], refused: [] };

function figuresOf(quote: DraftQuote, terms: Terms | undefined): Record<Derived, Outcome> {
  const days = daysOf(quote);
  const settled = settledOf(quote, days, terms);
  // On a board a yield of 0 means not computed; where it is a true 0, the price says so as well.
  const ytm =
    quote.ytm ||
    onward(settled, (security) => {
      const basis = basisOf(quote);
      if (!basis) return 'none of lastPrice, bidPrice and askPrice is above 0';
      return yieldOf(security, priceOn(basis, quote));
    });
  return {
    maturityYears: onward(days, ({ settlement, maturity }) =>
      yearsToMaturity(settlement, maturity),
    ),
    ytm,
    duration: onward(settled, (security) => onward(ytm, (exact) => durationOf(security, exact))),
  };
}
