import { figure } from '../../catalogue/identity.ts';
import { type Quote, sixDecimals } from '../derivation/index.ts';
import { onward, priceOf, type Settled, yieldOf } from '../derivation/outcome.ts';
import { type Basis, priceOn } from '../derivation/price.ts';
import { BOUNDS, type Warning } from './rules.ts';

/**
 * A warning where the given yield is not the one that the price means. Pricing at the given yield
 * needs no iteration, so a yield is solved for only where the two prices differ.
 */
export function yieldWarning(quote: Quote, settled: Settled, basis: Basis): Warning | undefined {
  const { ytm, bidPrice, askPrice } = quote;
  const price = priceOn(basis, quote);
  const implied = onward(settled, (security) => priceOf(security, ytm));
  if (typeof implied === 'number') {
    if (Math.abs(implied - price) <= BOUNDS.price) return undefined;
    // The price falls as the yield rises, so a yield between those of bid and ask is priced there.
    if (bidPrice > 0 && askPrice > 0 && isWithin(implied, bidPrice, askPrice)) return undefined;
  }
  const computed = onward(settled, (security) => sixDecimals(yieldOf(security, price)));
  if (typeof computed === 'string') return undefined;
  const off = Math.abs(computed - ytm);
  if (off <= BOUNDS.ytm) return undefined;
  const sides = `ytm ${ytm} is not the ${computed} computed from ${basis} ${figure(price)}`;
  const text = `${sides}; off by ${figure(off)}, tolerance ${BOUNDS.ytm}`;
  return { rule: 'ytm-off-price', field: 'ytm', value: ytm, text };
}

function isWithin(price: number, bid: number, ask: number): boolean {
  const [low, high] = bid < ask ? [bid, ask] : [ask, bid];
  return price >= low - BOUNDS.price && price <= high + BOUNDS.price;
}
