import type { PricedSecurity } from './cash-flows.ts';
import type { DiscountCurveFit } from './fit-discount-curve.ts';
import { type CurveFit, MIN_MATURITIES, type YieldObservation } from './fit-yields.ts';
import { MAX_STEPS } from './minimize-errors.ts';

/** The observations of a fit, and the curves that were found. */
interface FitAttempt {
  readonly quotes: readonly unknown[];
  readonly prices: { readonly items: readonly PricedSecurity[] };
  readonly yields: { readonly items: readonly YieldObservation[] };
  readonly discountFit: DiscountCurveFit | undefined;
  readonly yieldFit: CurveFit | undefined;
}

/** Why securities have no discount function, or no curve at all; null if they have one. */
export function explainMissingFit(attempt: FitAttempt): string | null {
  const { quotes, prices, yields, discountFit, yieldFit } = attempt;
  if (quotes.length === 0) return 'no quotes';
  if (discountFit?.isConverged) return null;
  if (discountFit)
    return Number.isFinite(discountFit.rmse)
      ? `no best discount function was found in ${MAX_STEPS} steps`
      : 'no discount function is near the prices';
  const priced = new Set(prices.items.map(({ security }) => security.maturity)).size;
  const [count, kind, curve] = yieldFit
    ? [priced, ' with price and terms', 'discount function']
    : [Math.max(priced, new Set(yields.items.map(([years]) => years)).size), '', 'fit'];
  return count < MIN_MATURITIES
    ? `${count} ${count === 1 ? 'maturity' : 'maturities'}${kind}; a ${curve} needs ${MIN_MATURITIES}`
    : `${count} maturities${kind} do not determine a ${curve}`;
}
