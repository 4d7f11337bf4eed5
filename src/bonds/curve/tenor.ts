import { getDiscountFactor, getForwardRate, getParRate, getZeroRate } from './curve-rates.ts';
import { getFittedYield } from './fit-yields.ts';
import type { MarketCurve } from './market-curve.ts';

/** A time to maturity such as 3M, and its years. */
export interface Tenor {
  readonly tenor: string;
  readonly years: number;
}

/** Rates in percent; null outside of the maturities quoted, or where there is no such curve. */
export interface CurvePoint extends Tenor {
  readonly yield: number | null;
  /** Compounded twice a year, as `par` is. */
  readonly zero: number | null;
  readonly par: number | null;
  /** The instantaneous rate, compounded continuously. */
  readonly forward: number | null;
  readonly discountFactor: number | null;
}

/** The curves of a market at a tenor. */
export function getCurvePoint({ yieldFit, discountFit }: MarketCurve, tenor: Tenor): CurvePoint {
  const { years } = tenor;
  const isQuoted = (fit: { readonly shortest: number; readonly longest: number }) =>
    years >= fit.shortest && years <= fit.longest;
  const hasYield = yieldFit && isQuoted(yieldFit);
  const curve = discountFit && isQuoted(discountFit) ? discountFit.parameters : undefined;
  return {
    ...tenor,
    yield: hasYield ? toFinite(getFittedYield(yieldFit, years)) : null,
    zero: curve ? toFinite(getZeroRate(curve, years)) : null,
    par: curve ? toFinite(getParRate(curve, years)) : null,
    forward: curve ? toFinite(getForwardRate(curve, years)) : null,
    discountFactor: curve ? toFinite(getDiscountFactor(curve, years)) : null,
  };
}

/** Rates that absurd prices lead to may be beyond the range of numbers. */
function toFinite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
