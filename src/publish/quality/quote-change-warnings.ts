import { formatDay } from '../../calendar.ts';
import type { Quote } from '../../catalogue/datasets/quotes.ts';
import { formatRounded } from '../../catalogue/model/consistency-check.ts';
import type { PriceBasis } from '../derivation/price-basis.ts';
import { NO_WARNINGS, WARNING_THRESHOLDS, type Warning } from './warning-rules.ts';

/** What is remembered of a security. */
export interface LastQuote {
  isin: string;
  maturityDate: string;
  /** The last quote that had a price. */
  lastPriced: PricedQuote | undefined;
}

export interface PricedQuote {
  readonly day: number;
  readonly basis: PriceBasis;
  readonly price: number;
  /** 0 where it was not computed. */
  readonly ytm: number;
  /** The coupon rate, where it is known. */
  readonly rate: number | undefined;
}

/** Warnings where a symbol now stands for another ISIN, or for another maturity. */
export function findIdentityChanges(last: LastQuote, quote: Quote): readonly Warning[] {
  if (last.isin === quote.isin && last.maturityDate === quote.maturityDate) return NO_WARNINGS;
  const warnings: Warning[] = [];
  for (const [field, rule] of IDENTIFYING_FIELDS) {
    const [before, value] = [last[field], quote[field]];
    if (before === value) continue;
    const text = `${field} ${value} of ${quote.symbol} was ${before} in its previous quote`;
    warnings.push({ rule, field, value, text });
  }
  return warnings;
}

const IDENTIFYING_FIELDS = [
  ['isin', 'isin-changed'],
  ['maturityDate', 'maturity-changed'],
] as const;

/**
 * Warnings where price and yield moved as they hardly do between two quotes of a security, whichever
 * is the earlier one. Two quotes of one day are not compared: the second is a correction, and
 * answers to the days around it. Nor are prices of different kinds, such as a bid and an ask.
 */
export function findUnusualMoves(last: PricedQuote, next: PricedQuote): readonly Warning[] {
  const days = Math.abs(next.day - last.day);
  if (days === 0 || days > WARNING_THRESHOLDS.days) return NO_WARNINGS;
  // Files and tables go either way in time; a move does not.
  const [before, now] = last.day < next.day ? [last, next] : [next, last];
  const price = before.basis === now.basis ? now.price - before.price : 0;
  const ytm = areYieldsComparable(before, now) ? now.ytm - before.ytm : 0;
  const percent = (100 * price) / before.price;
  const priceJumps = exceedsBound(percent, WARNING_THRESHOLDS.priceJump);
  const ytmJumps = exceedsBound(ytm, WARNING_THRESHOLDS.ytmJump);
  const sameWay =
    price * ytm > 0 &&
    exceedsBound(percent, WARNING_THRESHOLDS.sameWayPrice) &&
    exceedsBound(ytm, WARNING_THRESHOLDS.sameWayYtm);
  if (!priceJumps && !ytmJumps && !sameWay) return NO_WARNINGS;

  const since = `on ${formatDay(before.day)}`;
  const at = `on ${formatDay(now.day)}`;
  const prices = `${now.basis} ${formatRounded(now.price)} ${at} was ${formatRounded(before.price)} ${since}`;
  const ytms = `ytm ${now.ytm} ${at} was ${before.ytm} ${since}`;
  const warnings: Warning[] = [];
  if (priceJumps) {
    const field = now.basis === 'mid' ? 'bidPrice' : now.basis;
    const text = `${prices}; a change of ${percent.toFixed(1)} %, bound ${WARNING_THRESHOLDS.priceJump} %`;
    warnings.push({ rule: 'price-jump', field, value: now.price, text });
  }
  if (ytmJumps) {
    const text = `${ytms}; a change of ${formatRounded(ytm)} points, bound ${WARNING_THRESHOLDS.ytmJump}`;
    warnings.push({ rule: 'ytm-jump', field: 'ytm', value: now.ytm, text });
  }
  if (sameWay) {
    const bounds = `bounds ${WARNING_THRESHOLDS.sameWayPrice} % and ${WARNING_THRESHOLDS.sameWayYtm} points`;
    const text = `${prices} and ${ytms}: both ${price > 0 ? 'rose' : 'fell'}, ${bounds}`;
    warnings.push({ rule: 'price-with-ytm', field: 'ytm', value: now.ytm, text });
  }
  return warnings;
}

/** A floater's yield follows its rate: on the day that sets a new one, a jump is as it should be. */
function areYieldsComparable(before: PricedQuote, now: PricedQuote): boolean {
  if (before.ytm === 0 || now.ytm === 0) return false;
  return before.rate === now.rate || before.rate === undefined || now.rate === undefined;
}

/** Whether a move is larger than a bound; a move of just the bound is not, as decimals go. */
function exceedsBound(move: number, bound: number): boolean {
  return Math.abs(move) > bound + 1e-9;
}
