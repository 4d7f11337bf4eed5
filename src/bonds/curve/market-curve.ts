import { parseDay } from '../../shared/calendar.ts';
import { accruedInterest } from '../coupon-bond.ts';
import { type PricingTerms, toPricedSecurity } from '../pricing-terms.ts';
import { choosePriceBasis, getPrice, type QuotedPrices } from '../quoted-price.ts';
import type { PricedSecurity } from './cash-flows.ts';
import {
  type CurveParameters,
  getContinuousZero,
  getDiscountFactor,
  getForwardRate,
  getParRate,
  getZeroRate,
} from './curve-rates.ts';
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

/** The terms of a security; a floater is in no curve, because its yield supposes its rate to stay. */
export interface CurveTerms extends PricingTerms {
  readonly isFloating?: boolean;
}

export const LEFT_OUT_REASONS = [
  'floating',
  'matured',
  'no price',
  'no terms',
  'no yield',
  'outlier',
] as const;

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

/** The curves of a market on a day. */
export interface MarketCurve {
  /**
   * How the discount function was fitted; `nelson-siegel-yields` where only yields could be fitted,
   * `not-converged` where the best discount function was not found, null where there is no curve.
   */
  readonly method: (typeof CURVE_METHODS)[number] | null;
  /** Of the curve that the method names, as are the following three. */
  readonly parameters: CurveParameters | null;
  /** In basis points. */
  readonly rmse: number | null;
  readonly usedCount: number;
  readonly leftOut: readonly LeftOutSecurity[];
  readonly yieldFit: CurveFit | undefined;
  /** Undefined where the terms of too few securities are known, or the fit did not converge. */
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
  const discountFit = fitDiscountCurve(prices.items, settlement);
  if (discountFit && !discountFit.isConverged)
    return { ...NO_CURVE, method: 'not-converged', leftOut: prices.leftOut, yieldFit };
  const fit = discountFit ?? yieldFit;
  if (!fit) return { ...NO_CURVE, leftOut: prices.leftOut };
  const { symbols, leftOut } = discountFit ? prices : yields;
  const outliers = symbols.filter((_, index) => fit.isOutlier[index]);
  return {
    method: discountFit?.method ?? 'nelson-siegel-yields',
    parameters: fit.parameters,
    rmse: fit.rmse,
    usedCount: symbols.length - outliers.length,
    leftOut: sortBySymbol([
      ...leftOut,
      ...outliers.map((symbol) => ({ symbol, reason: 'outlier' as const })),
    ]),
    yieldFit,
    discountFit,
  };
}

const NO_CURVE = {
  method: null,
  parameters: null,
  rmse: null,
  usedCount: 0,
  yieldFit: undefined,
  discountFit: undefined,
};

/** The curve through the quoted yields alone. */
export function fitQuotedYields(
  quotes: readonly CurveQuote[],
  findTerms: FindTerms,
): CurveFit | undefined {
  return fitYields(select(quotes, (quote) => toObservation(quote, findTerms(quote.symbol))).items);
}

/** What a curve is fitted to, of the quotes that have it. */
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
  return { symbols, items, leftOut: sortBySymbol(leftOut) };
}

function toObservation(
  { ytm, maturityYears }: CurveQuote,
  terms: CurveTerms | undefined,
): YieldObservation | LeftOutSecurity['reason'] {
  if (terms?.isFloating) return 'floating';
  if (!(maturityYears > 0)) return 'matured';
  return ytm === 0 ? 'no yield' : [maturityYears, ytm];
}

/** A quote with its dirty price, or the reason why it is in no discount function. */
function toPricedQuote(
  quote: CurveQuote,
  terms: CurveTerms | undefined,
  settlement: number,
): PricedSecurity | LeftOutSecurity['reason'] {
  const maturity = parseDay(quote.maturityDate);
  if (terms?.isFloating) return 'floating';
  if (maturity <= settlement) return 'matured';
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
  const isQuoted = (fit: CurveFit) => years >= fit.shortest && years <= fit.longest;
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

/** Rates that absurd prices lead to may be beyond the range of numbers. */
function evaluate(
  getRate: typeof getZeroRate,
  curve: CurveParameters | undefined,
  years: number,
): number | null {
  const rate = curve && getRate(curve, years);
  return Number.isFinite(rate) ? (rate as number) : null;
}
