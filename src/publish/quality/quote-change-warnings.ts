import {
  computePrice,
  computeYield,
  getPrice,
  type PriceBasis,
  type SettledSecurity,
} from '../../bonds/index.ts';
import type { Quote } from '../../catalogue/datasets/quotes.ts';
import { formatRounded } from '../../catalogue/model/consistency-check.ts';
import { formatDay } from '../../shared/calendar.ts';
import { roundToSixDecimals } from '../derivation/derive-fields.ts';
import { mapFigure } from '../derivation/price-security.ts';
import { NO_WARNINGS, WARNING_THRESHOLDS, type Warning } from './warning-rules.ts';

/** The last quote of a security, to compare its next one with. */
export interface LastQuote {
  isin: string;
  type: string;
  maturityDate: string;
  /** The day number of maturityDate. */
  maturity: number;
  lastPriced: QuotedPrice | undefined;
  /** Whether it comes from a checked quote, rather than a published one. */
  isChecked: boolean;
}

export interface QuotedPrice {
  readonly day: number;
  readonly basis: PriceBasis;
  readonly price: number;
  /** 0 if not computed. */
  readonly ytm: number;
  readonly rate: number | undefined;
}

/** Warnings if a symbol has another ISIN, type or maturity than in its previous quote. */
export function findIdentityChanges(last: LastQuote, quote: Quote): readonly Warning[] {
  const isSame = last.isin === quote.isin && last.type === quote.type;
  if (isSame && last.maturityDate === quote.maturityDate) return NO_WARNINGS;
  return IDENTIFYING_FIELDS.flatMap(([field, rule]) => {
    const [previous, value] = [last[field], quote[field]];
    const text = `${field} ${value} of ${quote.symbol} was ${previous} in its previous quote`;
    return previous === value ? [] : [{ rule, field, value, text }];
  });
}

const IDENTIFYING_FIELDS = [
  ['isin', 'isin-changed'],
  ['type', 'type-changed'],
  ['maturityDate', 'maturity-changed'],
] as const;

/**
 * Warnings about unusual moves of price and yield between two quotes of a security, in either order. Two
 * quotes of one day are not compared, because the second one is a correction; nor are prices of different
 * kinds, such as a bid and an ask.
 */
export function findUnusualMoves(last: QuotedPrice, next: QuotedPrice): readonly Warning[] {
  const days = Math.abs(next.day - last.day);
  if (days === 0 || days > WARNING_THRESHOLDS.days) return NO_WARNINGS;
  const [before, after] = last.day < next.day ? [last, next] : [next, last];
  const price = before.basis === after.basis ? after.price - before.price : 0;
  const ytm = areYieldsComparable(before, after) ? after.ytm - before.ytm : 0;
  const percent = (100 * price) / before.price;
  const priceJumps = exceedsBound(percent, WARNING_THRESHOLDS.priceJump);
  const ytmJumps = exceedsBound(ytm, WARNING_THRESHOLDS.ytmJump);
  const isSameDirection =
    price * ytm > 0 &&
    exceedsBound(percent, WARNING_THRESHOLDS.sameWayPrice) &&
    exceedsBound(ytm, WARNING_THRESHOLDS.sameWayYtm);
  if (!priceJumps && !ytmJumps && !isSameDirection) return NO_WARNINGS;

  const beforeDay = `on ${formatDay(before.day)}`;
  const afterDay = `on ${formatDay(after.day)}`;
  const prices = `${after.basis} ${formatRounded(after.price)} ${afterDay} was ${formatRounded(before.price)} ${beforeDay}`;
  const ytms = `ytm ${after.ytm} ${afterDay} was ${before.ytm} ${beforeDay}`;
  const warnings: Warning[] = [];
  if (priceJumps) {
    const field = after.basis === 'mid' ? 'bidPrice' : after.basis;
    const text = `${prices}; a change of ${percent.toFixed(1)} %, bound ${WARNING_THRESHOLDS.priceJump} %`;
    warnings.push({ rule: 'price-jump', field, value: after.price, text });
  }
  if (ytmJumps) {
    const text = `${ytms}; a change of ${formatRounded(ytm)} points, bound ${WARNING_THRESHOLDS.ytmJump}`;
    warnings.push({ rule: 'ytm-jump', field: 'ytm', value: after.ytm, text });
  }
  if (isSameDirection) {
    const bounds = `bounds ${WARNING_THRESHOLDS.sameWayPrice} % and ${WARNING_THRESHOLDS.sameWayYtm} points`;
    const text = `${prices} and ${ytms}: both ${price > 0 ? 'rose' : 'fell'}, ${bounds}`;
    warnings.push({ rule: 'price-with-ytm', field: 'ytm', value: after.ytm, text });
  }
  return warnings;
}

/** A floater's yield moves with its rate, so a jump is expected on the day of a new rate. */
function areYieldsComparable(before: QuotedPrice, after: QuotedPrice): boolean {
  if (before.ytm === 0 || after.ytm === 0) return false;
  return before.rate === after.rate || before.rate === undefined || after.rate === undefined;
}

/** Tolerates rounding, so that a move of exactly the bound does not exceed it. */
function exceedsBound(move: number, bound: number): boolean {
  return Math.abs(move) > bound + 1e-9;
}

/** Pricing at the quoted yield needs no iteration, so a yield is only solved for if prices differ. */
export function findYieldMismatch(
  quote: Quote,
  settled: SettledSecurity,
  basis: PriceBasis,
): Warning | undefined {
  const { ytm, bidPrice, askPrice } = quote;
  const price = getPrice(basis, quote);
  const implied = mapFigure(settled, (security) => computePrice(security, ytm));
  if (typeof implied === 'number') {
    if (Math.abs(implied - price) <= WARNING_THRESHOLDS.price) return undefined;
    // The price falls as the yield rises, so a yield between those of bid and ask has a price between them.
    if (bidPrice > 0 && askPrice > 0 && isBetweenBidAndAsk(implied, bidPrice, askPrice))
      return undefined;
  }
  const computed = mapFigure(settled, (security) =>
    roundToSixDecimals(computeYield(security, price)),
  );
  if (typeof computed === 'string') return undefined;
  const deviation = Math.abs(computed - ytm);
  if (deviation <= WARNING_THRESHOLDS.ytm) return undefined;
  const sides = `ytm ${ytm} is not the ${computed} computed from ${basis} ${formatRounded(price)}`;
  const text = `${sides}; off by ${formatRounded(deviation)}, tolerance ${WARNING_THRESHOLDS.ytm}`;
  return { rule: 'ytm-off-price', field: 'ytm', value: ytm, text };
}

function isBetweenBidAndAsk(price: number, bid: number, ask: number): boolean {
  const [low, high] = bid < ask ? [bid, ask] : [ask, bid];
  return price >= low - WARNING_THRESHOLDS.price && price <= high + WARNING_THRESHOLDS.price;
}
