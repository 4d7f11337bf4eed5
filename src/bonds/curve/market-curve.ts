import { parseDay } from '../../shared/calendar.ts';
import { accruedInterest } from '../coupon-bond.ts';
import type { DatedRate } from '../floating-rate.ts';
import { type PricingTerms, toPricedSecurity } from '../pricing-terms.ts';
import { choosePriceBasis, getPrice, type QuotedPrices } from '../quoted-price.ts';
import { findIssueDay } from '../settlement.ts';
import type { PricedSecurity } from './cash-flows.ts';
import {
  type CurveParameters,
  getContinuousZero,
  getDiscountFactor,
  getForwardRate,
  getParRate,
  getZeroRate,
} from './curve-rates.ts';
import { explainMissingFit } from './explain-missing-fit.ts';
import { type DiscountCurveFit, fitDiscountCurve } from './fit-discount-curve.ts';
import { type CurveFit, fitYields, type YieldObservation } from './fit-yields.ts';

/** The securities that a curve is fitted to. */
export interface CurveQuote extends QuotedPrices {
  readonly symbol: string;
  readonly type: string;
  readonly maturityDate: string;
  readonly maturityYears: number;
  /** In percent; 0 means that it was not computed. */
  readonly ytm: number;
}

/** The terms of a security; floaters are left out, because their yields assume that the current rate stays. */
export interface CurveTerms extends PricingTerms {
  readonly name?: string | null;
  readonly isFloating?: boolean;
  /** Of a floater, in their order. */
  readonly couponRates?: readonly DatedRate[];
}

export const LEFT_OUT_REASONS = [
  'floating',
  'matured',
  'no fit',
  'no price',
  'no terms',
  'no yield',
  'not issued',
  'outlier',
] as const;

/** A security that a curve is not fitted to; `no fit` if only the curve is missing. */
export interface LeftOutSecurity {
  readonly symbol: string;
  readonly reason: (typeof LEFT_OUT_REASONS)[number];
}

export const CURVE_METHODS = [
  'svensson',
  'nelson-siegel',
  'nelson-siegel-yields',
  'not-converged',
] as const;

/** Incremented whenever the figures of a fit change: stored fits are of one version. */
export const CURVE_FIT_VERSION = 2;

/** The curves of a market on a day. */
export interface MarketCurve {
  /**
   * How the discount function was fitted: `nelson-siegel-yields` if only yields could be fitted,
   * `not-converged` if the best discount function was not found, null if there is no curve.
   */
  readonly method: (typeof CURVE_METHODS)[number] | null;
  /** Of the curve that `method` names, as are the next three. */
  readonly parameters: CurveParameters | null;
  /** In basis points. */
  readonly rmse: number | null;
  /** Every security is in one of these two lists, which are sorted by symbol. */
  readonly usedSymbols: readonly string[];
  readonly leftOut: readonly LeftOutSecurity[];
  /** Why there is no curve, or no discount function; null if there is. */
  readonly reason: string | null;
  readonly yieldFit: CurveFit | undefined;
  /** Undefined if the terms of too few securities are known, or the fit did not converge. */
  readonly discountFit: DiscountCurveFit | undefined;
}

type FindTerms = (symbol: string) => CurveTerms | undefined;

/** Fits the curves through the quotes of a market on one day, settled on the same day. */
export function fitMarketCurve(
  quotes: readonly CurveQuote[],
  findTerms: FindTerms,
  settlement: number,
): MarketCurve {
  const yields = select(quotes, (quote) => toObservation(quote, findTerms(quote.symbol)));
  const yieldFit = fitYields(yields.items);
  const prices = select(quotes, (quote) =>
    toPricedQuote(quote, findTerms(quote.symbol), settlement),
  );
  const found = fitDiscountCurve(prices.items, settlement);
  const discountFit = found?.isConverged ? found : undefined;
  const fit = found ? discountFit : yieldFit;
  const { symbols, leftOut } = fit && !found ? yields : prices;
  const isUsed = (index: number) => fit?.isOutlier[index] === false;
  const otherReason = fit ? 'outlier' : 'no fit';
  const others = symbols.flatMap((symbol, index) =>
    isUsed(index) ? [] : [{ symbol, reason: otherReason } as const],
  );
  return {
    method: fit ? (found?.method ?? 'nelson-siegel-yields') : found ? 'not-converged' : null,
    parameters: fit?.parameters ?? null,
    rmse: fit?.rmse ?? null,
    usedSymbols: symbols.filter((_, index) => isUsed(index)).sort(),
    leftOut: sortBySymbol([...leftOut, ...others]),
    reason: explainMissingFit({ quotes, prices, yields, discountFit: found, yieldFit }),
    yieldFit,
    discountFit,
  };
}

/** Splits quotes into those a curve can be fitted to, and those left out. */
function select<Item extends object>(
  quotes: readonly CurveQuote[],
  toItem: (quote: CurveQuote) => Item | LeftOutSecurity['reason'],
) {
  const symbols: string[] = [];
  const items: Item[] = [];
  const leftOut: LeftOutSecurity[] = [];
  for (const quote of quotes) {
    const { symbol } = quote;
    const item = toItem(quote);
    if (typeof item === 'string') leftOut.push({ symbol, reason: item });
    else {
      symbols.push(symbol);
      items.push(item);
    }
  }
  return { symbols, items, leftOut };
}

function toObservation(
  { ytm, maturityYears }: CurveQuote,
  terms: CurveTerms | undefined,
): YieldObservation | LeftOutSecurity['reason'] {
  if (terms?.isFloating) return 'floating';
  if (!(maturityYears > 0)) return 'matured';
  return ytm === 0 ? 'no yield' : [maturityYears, ytm];
}

/** A quote with its dirty price, or the reason why it is left out of the discount function. */
function toPricedQuote(
  quote: CurveQuote,
  terms: CurveTerms | undefined,
  settlement: number,
): PricedSecurity | LeftOutSecurity['reason'] {
  const maturity = parseDay(quote.maturityDate);
  if (terms?.isFloating) return 'floating';
  if (maturity <= settlement) return 'matured';
  // Its price is as of its issue day, and only the curve itself could discount it.
  if ((findIssueDay(terms?.issueDate, maturity) ?? settlement) > settlement) return 'not issued';
  const basis = choosePriceBasis(quote);
  if (!basis) return 'no price';
  const security = toPricedSecurity(quote.type, maturity, terms);
  if (typeof security === 'string') return 'no terms';
  const accrued = 'couponRate' in security ? accruedInterest(security, settlement) : 0;
  const dirtyPrice = getPrice(basis, quote) + accrued;
  // In an ex-dividend period, accrued interest is negative.
  return dirtyPrice > 0 ? { security, dirtyPrice } : 'no price';
}

function sortBySymbol(list: readonly LeftOutSecurity[]): LeftOutSecurity[] {
  return list.toSorted((a, b) => (a.symbol < b.symbol ? -1 : a.symbol > b.symbol ? 1 : 0));
}

/** A time to maturity such as 3M, and its years. */
export interface Tenor {
  readonly tenor: string;
  readonly years: number;
}

/** Rates in percent; null beyond the quoted maturities, or without such a curve. */
export interface CurvePoint extends Tenor {
  readonly yield: number | null;
  /** Compounded twice a year, as `par` is. */
  readonly zero: number | null;
  readonly par: number | null;
  /** The instantaneous rate, compounded continuously. */
  readonly forward: number | null;
  readonly discountFactor: number | null;
}

/** Half a unit of the fourth decimal, to which years may be rounded; no other tenor is that close. */
const MAX_ROUNDING = 0.51e-4;

/** Whether a time is within the maturities that a curve is fitted to. */
const isQuotedAt = ({ shortest, longest }: CurveFit, years: number) =>
  years >= shortest - MAX_ROUNDING && years <= longest + MAX_ROUNDING;

/** The yield in percent of a market at a maturity; undefined beyond those quoted. */
export function getQuotedYield({ yieldFit }: MarketCurve, years: number): number | undefined {
  return yieldFit && isQuotedAt(yieldFit, years)
    ? getContinuousZero(yieldFit.parameters, years)
    : undefined;
}

/** The discount function up to a time; undefined beyond the longest quoted maturity. */
export function getDiscountCurve(
  { discountFit }: MarketCurve,
  years: number,
): CurveParameters | undefined {
  return discountFit && years <= discountFit.longest + MAX_ROUNDING
    ? discountFit.parameters
    : undefined;
}

export function getCurvePoint({ yieldFit, discountFit }: MarketCurve, tenor: Tenor): CurvePoint {
  const { years } = tenor;
  const isQuoted = (fit: CurveFit) => isQuotedAt(fit, years);
  const curve = discountFit && isQuoted(discountFit) ? discountFit.parameters : undefined;
  const yieldCurve = yieldFit && isQuoted(yieldFit) ? yieldFit.parameters : undefined;
  return {
    ...tenor,
    yield: evaluate(getContinuousZero, yieldCurve, years),
    zero: evaluate(getZeroRate, curve, years),
    par: evaluate(getParRate, curve, years),
    forward: evaluate(getForwardRate, curve, years),
    discountFactor: evaluate(getDiscountFactor, curve, years),
  };
}

/** Absurd prices may lead to rates beyond the range of numbers. */
function evaluate(
  getRate: typeof getZeroRate,
  curve: CurveParameters | undefined,
  years: number,
): number | null {
  const rate = curve && getRate(curve, years);
  return Number.isFinite(rate) ? (rate as number) : null;
}
