import { getSettlementDay } from '../../bonds/index.ts';
import { parseDay } from '../../calendar.ts';
import type { Quote } from '../../catalogue/datasets/quotes.ts';
import { memoizeByText } from '../cells/value-format.ts';
import {
  choosePriceBasis,
  getPrice,
  type PricingTerms,
  toPricedSecurity,
} from '../derivation/price-security.ts';
import {
  findIdentityChanges,
  findUnusualMoves,
  findYieldMismatch,
  type LastQuote,
  type PricedQuote,
} from './quote-change-warnings.ts';
import { NO_WARNINGS, type Warning } from './warning-rules.ts';

/** Compares each quote with the previous one of the same security. */
export class QuoteWarnings {
  readonly #lastQuotes = new Map<string, LastQuote>();
  readonly #parseDay = memoizeByText(parseDay);

  /** Whether a quote of the symbol was seeded or checked. */
  hasSeen(symbol: string): boolean {
    return this.#lastQuotes.has(symbol);
  }

  /** Stores a published quote without checking it. */
  seed(quote: Quote, terms?: PricingTerms): void {
    this.#store(quote, this.#toPricedQuote(quote, terms));
  }

  /** The warnings about a quote; then stores it to compare the next one with. */
  check(quote: Quote, terms: PricingTerms | undefined): readonly Warning[] {
    const priced = this.#toPricedQuote(quote, terms);
    const mismatch = priced && this.#checkYield(quote, priced, terms);
    let warnings = mismatch ? [mismatch] : NO_WARNINGS;
    const last = this.#lastQuotes.get(quote.symbol);
    if (last) {
      const changes = findIdentityChanges(last, quote);
      const moves =
        last.lastPriced && priced ? findUnusualMoves(last.lastPriced, priced) : NO_WARNINGS;
      if (changes.length + moves.length > 0) warnings = [...warnings, ...changes, ...moves];
    }
    this.#store(quote, priced);
    return warnings;
  }

  #toPricedQuote(quote: Quote, terms: PricingTerms | undefined): PricedQuote | undefined {
    const basis = choosePriceBasis(quote);
    if (!basis) return undefined;
    const day = this.#parseDay(quote.date);
    return { day, basis, price: getPrice(basis, quote), ytm: quote.ytm, rate: terms?.couponRate };
  }

  #store({ symbol, isin, maturityDate }: Quote, priced: PricedQuote | undefined): void {
    const last = this.#lastQuotes.get(symbol);
    if (!last) {
      this.#lastQuotes.set(copyText(symbol), {
        isin: copyText(isin),
        maturityDate: copyText(maturityDate),
        lastPriced: priced,
      });
      return;
    }
    if (last.isin !== isin) last.isin = copyText(isin);
    if (last.maturityDate !== maturityDate) last.maturityDate = copyText(maturityDate);
    // The last price stays through days without orders.
    if (priced) last.lastPriced = priced;
  }

  #checkYield(
    quote: Quote,
    { day, basis }: PricedQuote,
    terms: PricingTerms | undefined,
  ): Warning | undefined {
    // A quoted yield of 0 means not computed.
    if (quote.ytm === 0) return undefined;
    const maturity = this.#parseDay(quote.maturityDate);
    const settlement = getSettlementDay(day);
    // The bond functions would throw, which is slow.
    if (settlement >= maturity) return undefined;
    const security = toPricedSecurity(quote.type, maturity, terms);
    if (typeof security === 'string') return undefined;
    return findYieldMismatch(quote, { security, settlement }, basis);
  }
}

/** A slice of a file's text would keep a whole chunk of it in memory. */
function copyText(text: string): string {
  return Buffer.from(text).toString();
}
