import {
  choosePriceBasis,
  computeDuration,
  computeYield,
  getPrice,
  getYearsToMaturity,
  type PricingTerms,
} from '../../bonds/index.ts';
import {
  type DraftQuote,
  type FigureOrReason,
  getQuoteDays,
  mapFigure,
  resolveSettledSecurity,
} from './price-security.ts';

/** The fields that are computed if a quote leaves them blank. */
export const DERIVED_FIELDS = ['maturityYears', 'ytm', 'duration'] as const;
export type DerivedField = (typeof DERIVED_FIELDS)[number];

export interface DerivationResult {
  /** The formerly blank fields that were computed. */
  readonly filled: readonly DerivedField[];
  /** The fields that stay blank, with the requirement that they violate. */
  readonly uncomputable: readonly { readonly field: DerivedField; readonly rule: string }[];
}

/**
 * Computes the blank fields of a quote, at settlement (T+1 by default), to six decimals. The yield comes from
 * the last price, else the mid of bid and ask, else the only side with an order; the duration from the quoted
 * yield, else from the computed one.
 */
export function deriveFields(
  quote: DraftQuote,
  terms: PricingTerms | undefined,
  settlementDays?: number,
): DerivationResult {
  const { maturityYears, ytm, duration } = quote;
  if (maturityYears !== undefined && ytm !== undefined && duration !== undefined)
    return NOTHING_TO_DERIVE;
  const figures = computeFigures(quote, terms, getQuoteDays(quote, settlementDays, terms));
  const filled: DerivedField[] = [];
  const uncomputable: { field: DerivedField; rule: string }[] = [];
  for (const field of DERIVED_FIELDS) {
    if (quote[field] !== undefined) continue;
    const figure = mapFigure(figures[field], roundToSixDecimals);
    if (typeof figure === 'string') {
      const rule = `given if it cannot be computed: ${figure} (--uncomputable zero takes it as 0)`;
      uncomputable.push({ field, rule });
    } else {
      quote[field] = figure;
      filled.push(field);
    }
  }
  return { filled, uncomputable };
}

/** Rounds to six decimals, the precision of stored figures. */
export function roundToSixDecimals(value: number): number {
  const millionths = Math.round(value * 1e6);
  if (!Number.isSafeInteger(millionths)) throw new RangeError(`${value} is out of range`);
  // Adding 0 turns -0, to which small negative figures round, into 0.
  return millionths / 1e6 + 0;
}

const NOTHING_TO_DERIVE: DerivationResult = { filled: [], uncomputable: [] };

function computeFigures(
  quote: DraftQuote,
  terms: PricingTerms | undefined,
  days: ReturnType<typeof getQuoteDays>,
): Record<DerivedField, FigureOrReason> {
  const settled = resolveSettledSecurity(quote, days, terms);
  // A quoted yield of 0 means not computed; a true 0 also follows from the price.
  const ytm =
    quote.ytm ||
    mapFigure(settled, (security) => {
      const basis = choosePriceBasis(quote);
      if (!basis) return 'none of lastPrice, bidPrice and askPrice is above 0';
      return computeYield(security, getPrice(basis, quote));
    });
  return {
    maturityYears: mapFigure(days, ({ settlement, maturity }) =>
      getYearsToMaturity(settlement, maturity),
    ),
    ytm,
    duration: mapFigure(settled, (security) =>
      mapFigure(ytm, (exact) => computeDuration(security, exact)),
    ),
  };
}
