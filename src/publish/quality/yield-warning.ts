import type { Quote } from '../../catalogue/datasets/quotes.ts';
import { formatRounded } from '../../catalogue/model/consistency-check.ts';
import { roundToSixDecimals } from '../derivation/derive-fields.ts';
import { getPrice, type PriceBasis } from '../derivation/price-basis.ts';
import {
  computePrice,
  computeYield,
  mapFigure,
  type SettledSecurity,
} from '../derivation/price-security.ts';
import { WARNING_THRESHOLDS, type Warning } from './warning-rules.ts';

/**
 * A warning where the quoted yield is not the one of the price. Pricing at the quoted yield needs no
 * iteration, so a yield is solved for only where the two prices differ.
 */
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
    // The price falls as the yield rises, so a yield between those of bid and ask is priced there.
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
