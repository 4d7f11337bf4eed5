import type { Quote } from '../../catalogue/datasets/quotes.ts';
import { hasYield } from './quote-fields.ts';

/** How many neighbours are listed on each side. */
const COUNT = 3;

/** The quote of a security among those of its market that mature next before and after it, the shortest first. */
export function listNeighbours(quotes: readonly Quote[], symbol: string): Quote[] {
  const own = quotes.find((quote) => quote.symbol === symbol);
  if (!own) return [];
  const isCorporate = own.type === 'corporate';
  const market = quotes
    .filter((quote) => (quote.type === 'corporate') === isCorporate)
    .filter((quote) => hasYield(quote) || quote === own)
    .toSorted((a, b) => a.maturityYears - b.maturityYears || (a.symbol < b.symbol ? -1 : 1));
  const index = market.indexOf(own);
  return market.slice(Math.max(0, index - COUNT), index + COUNT + 1);
}
