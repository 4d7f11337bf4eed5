import { dayText } from '../../calendar.ts';
import { figure } from '../../catalogue/identity.ts';
import type { Quote } from '../derivation/index.ts';
import type { Basis } from '../derivation/price.ts';
import { BOUNDS, NO_WARNINGS, type Warning } from './rules.ts';

/** What is remembered of a security. */
export interface Last {
  isin: string;
  maturityDate: string;
  /** The last quote that had a price. */
  priced: Priced | undefined;
}

export interface Priced {
  readonly day: number;
  readonly basis: Basis;
  readonly price: number;
  /** 0 where it was not computed. */
  readonly ytm: number;
  /** The coupon rate, where it is known. */
  readonly rate: number | undefined;
}

/** Warnings where a symbol now stands for another ISIN, or for another maturity. */
export function identityWarnings(last: Last, quote: Quote): readonly Warning[] {
  if (last.isin === quote.isin && last.maturityDate === quote.maturityDate) return NO_WARNINGS;
  const warnings: Warning[] = [];
  for (const [field, rule] of IDENTIFYING) {
    const [before, value] = [last[field], quote[field]];
    if (before === value) continue;
    const text = `${field} ${value} of ${quote.symbol} was ${before} in its previous quote`;
    warnings.push({ rule, field, value, text });
  }
  return warnings;
}

const IDENTIFYING = [
  ['isin', 'isin-changed'],
  ['maturityDate', 'maturity-changed'],
] as const;

/**
 * Warnings where price and yield moved as they hardly do between two quotes of a security, whichever
 * is the earlier one. Two quotes of one day are not compared: the second is a correction, and
 * answers to the days around it. Nor are prices of different kinds, such as a bid and an ask.
 */
export function moveWarnings(last: Priced, next: Priced): readonly Warning[] {
  const days = Math.abs(next.day - last.day);
  if (days === 0 || days > BOUNDS.days) return NO_WARNINGS;
  // Files and tables go either way in time; a move does not.
  const [before, now] = last.day < next.day ? [last, next] : [next, last];
  const price = before.basis === now.basis ? now.price - before.price : 0;
  const ytm = yieldsCompare(before, now) ? now.ytm - before.ytm : 0;
  const percent = (100 * price) / before.price;
  const priceJumps = exceeds(percent, BOUNDS.priceJump);
  const ytmJumps = exceeds(ytm, BOUNDS.ytmJump);
  const sameWay =
    price * ytm > 0 && exceeds(percent, BOUNDS.sameWayPrice) && exceeds(ytm, BOUNDS.sameWayYtm);
  if (!priceJumps && !ytmJumps && !sameWay) return NO_WARNINGS;

  const since = `on ${dayText(before.day)}`;
  const at = `on ${dayText(now.day)}`;
  const prices = `${now.basis} ${figure(now.price)} ${at} was ${figure(before.price)} ${since}`;
  const ytms = `ytm ${now.ytm} ${at} was ${before.ytm} ${since}`;
  const warnings: Warning[] = [];
  if (priceJumps) {
    const field = now.basis === 'mid' ? 'bidPrice' : now.basis;
    const text = `${prices}; a change of ${percent.toFixed(1)} %, bound ${BOUNDS.priceJump} %`;
    warnings.push({ rule: 'price-jump', field, value: now.price, text });
  }
  if (ytmJumps) {
    const text = `${ytms}; a change of ${figure(ytm)} points, bound ${BOUNDS.ytmJump}`;
    warnings.push({ rule: 'ytm-jump', field: 'ytm', value: now.ytm, text });
  }
  if (sameWay) {
    const bounds = `bounds ${BOUNDS.sameWayPrice} % and ${BOUNDS.sameWayYtm} points`;
    const text = `${prices} and ${ytms}: both ${price > 0 ? 'rose' : 'fell'}, ${bounds}`;
    warnings.push({ rule: 'price-with-ytm', field: 'ytm', value: now.ytm, text });
  }
  return warnings;
}

/** A floater's yield follows its rate: on the day that sets a new one, a jump is as it should be. */
function yieldsCompare(before: Priced, now: Priced): boolean {
  if (before.ytm === 0 || now.ytm === 0) return false;
  return before.rate === now.rate || before.rate === undefined || now.rate === undefined;
}

/** Whether a move is larger than a bound; a move of just the bound is not, as decimals go. */
function exceeds(move: number, bound: number): boolean {
  return Math.abs(move) > bound + 1e-9;
}
