import { parseDay } from '../../shared/calendar.ts';
import { accruedInterest } from '../coupon-bond.ts';
import { type PricingTerms, toPricedSecurity } from '../pricing-terms.ts';
import { choosePriceBasis, getPrice, type QuotedPrices } from '../quoted-price.ts';
import type { CurveParameters } from './curve-rates.ts';
import { type DiscountCurveFit, fitDiscountCurve } from './fit-discount-curve.ts';
import { fitYields, type YieldFit } from './fit-yields.ts';
import type { PricedSecurity } from './priced-flows.ts';

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
  readonly yieldFit: YieldFit | undefined;
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
  const yields = selectYields(quotes, findTerms);
  const yieldFit = fitYields(yields.observations);
  const prices = selectPrices(quotes, findTerms, settlement);
  const discountFit = fitDiscountCurve(prices.securities, settlement);
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
  leftOut: [],
  yieldFit: undefined,
  discountFit: undefined,
};

/** The curve through the quoted yields alone. */
export function fitQuotedYields(
  quotes: readonly CurveQuote[],
  findTerms: FindTerms,
): YieldFit | undefined {
  return fitYields(selectYields(quotes, findTerms).observations);
}

function selectYields(quotes: readonly CurveQuote[], findTerms: FindTerms) {
  const symbols: string[] = [];
  const observations: [number, number][] = [];
  const leftOut: LeftOutSecurity[] = [];
  for (const { symbol, ytm, maturityYears } of quotes) {
    const reason = findYieldObstacle(ytm, maturityYears, findTerms(symbol));
    if (reason) leftOut.push({ symbol, reason });
    else {
      symbols.push(symbol);
      observations.push([maturityYears, ytm]);
    }
  }
  return { symbols, observations, leftOut };
}

function findYieldObstacle(ytm: number, maturityYears: number, terms: CurveTerms | undefined) {
  if (terms?.isFloating) return 'floating';
  if (!(maturityYears > 0)) return 'matured';
  return ytm === 0 ? 'no yield' : undefined;
}

function selectPrices(quotes: readonly CurveQuote[], findTerms: FindTerms, settlement: number) {
  const symbols: string[] = [];
  const securities: PricedSecurity[] = [];
  const leftOut: LeftOutSecurity[] = [];
  for (const quote of quotes) {
    const { symbol } = quote;
    const priced = toPricedQuote(quote, findTerms(symbol), settlement);
    if (typeof priced === 'string') leftOut.push({ symbol, reason: priced });
    else {
      symbols.push(symbol);
      securities.push(priced);
    }
  }
  return { symbols, securities, leftOut: sortBySymbol(leftOut) };
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
  return { security, dirtyPrice: getPrice(basis, quote) + accrued };
}

function sortBySymbol(list: readonly LeftOutSecurity[]): LeftOutSecurity[] {
  return list.toSorted((a, b) => (a.symbol < b.symbol ? -1 : a.symbol > b.symbol ? 1 : 0));
}
