import {
  choosePriceBasis,
  getPrice,
  getSettlementDay,
  getTradeSettlement,
  guessSettlementDays,
  type PricingTerms,
  toPricedSecurity,
} from '../../bonds/index.ts';
import type { Quote } from '../../catalogue/datasets/quotes.ts';
import { parseDay } from '../../shared/calendar.ts';
import { copyText } from '../../shared/copy-text.ts';
import {
  findIdentityChanges,
  findUnusualMoves,
  findYieldMismatch,
  type LastQuote,
  type QuotedPrice,
} from './quote-change-warnings.ts';
import { IsinSymbols } from './shared-isins.ts';
import { findUnknownConvention } from './unknown-convention.ts';
import { NO_WARNINGS, type Warning } from './warning-rules.ts';

/** Compares each quote with the previous one of the same security. */
export class QuoteWarnings {
  readonly #lastQuotes = new Map<string, LastQuote>();
  /** The symbols of the ISINs of the checked quotes. */
  readonly isinSymbols = new IsinSymbols();
  /** Whether the last checked quote is the first of its symbol with its ISIN. */
  isNewIdentity = false;
  /** The days to maturity of the last checked quote. */
  daysLeft = Number.NaN;
  #lastDate = '';
  #lastDay = Number.NaN;

  constructor(private readonly settlementDays?: number) {}

  /** Whether a quote of the symbol was seeded or checked. */
  hasSeen(symbol: string): boolean {
    return this.#lastQuotes.has(symbol);
  }

  /** The symbols of all quotes that were seeded or checked. */
  listSymbols(): Iterable<string> {
    return this.#lastQuotes.keys();
  }

  /** Stores a published quote without checking it. */
  seed(quote: Quote, terms?: PricingTerms): void {
    const priced = this.#toQuotedPrice(quote, terms);
    this.#store(quote, priced, this.#lastQuotes.get(quote.symbol));
  }

  /** The warnings about a quote, which is then stored for comparison with the next one. */
  check(quote: Quote, terms: PricingTerms | undefined): readonly Warning[] {
    const last = this.#lastQuotes.get(quote.symbol);
    const priced = this.#toQuotedPrice(quote, terms);
    const mismatch = priced && this.#checkYield(quote, priced, terms, last);
    let warnings = mismatch ? [mismatch] : NO_WARNINGS;
    if (last) {
      const changes = findIdentityChanges(last, quote);
      const moves =
        last.lastPriced && priced ? findUnusualMoves(last.lastPriced, priced) : NO_WARNINGS;
      if (changes.length + moves.length > 0) warnings = [...warnings, ...changes, ...moves];
    }
    const unknown = !last && terms && findUnknownConvention(quote.symbol, quote.type, terms);
    if (unknown) warnings = [...warnings, unknown];
    this.isNewIdentity = !last?.isChecked || last.isin !== quote.isin;
    const stored = this.#store(quote, priced, last);
    this.daysLeft = stored.maturity - this.#toDay(quote.date);
    if (this.isNewIdentity) {
      stored.isChecked = true;
      this.isinSymbols.add(stored.isin, copyText(quote.symbol));
    }
    return warnings;
  }

  #toQuotedPrice(quote: Quote, terms: PricingTerms | undefined): QuotedPrice | undefined {
    const basis = choosePriceBasis(quote);
    if (!basis) return undefined;
    const day = this.#toDay(quote.date);
    return { day, basis, price: getPrice(basis, quote), ytm: quote.ytm, rate: terms?.couponRate };
  }

  /** Files group quotes by day or by security, so most days repeat. */
  #toDay(date: string): number {
    if (date !== this.#lastDate) {
      this.#lastDate = copyText(date);
      this.#lastDay = parseDay(date);
    }
    return this.#lastDay;
  }

  #store(
    { symbol, isin, type, maturityDate }: Quote,
    priced: QuotedPrice | undefined,
    last: LastQuote | undefined,
  ): LastQuote {
    if (!last) {
      const first: LastQuote = {
        isin: copyText(isin),
        type: copyText(type),
        maturityDate: copyText(maturityDate),
        maturity: parseDay(maturityDate),
        lastPriced: priced,
        isChecked: false,
      };
      this.#lastQuotes.set(copyText(symbol), first);
      return first;
    }
    if (last.isin !== isin) last.isin = copyText(isin);
    if (last.type !== type) last.type = copyText(type);
    if (last.maturityDate !== maturityDate) {
      last.maturityDate = copyText(maturityDate);
      last.maturity = parseDay(maturityDate);
    }
    // The last price persists through days without orders.
    if (priced) last.lastPriced = priced;
    return last;
  }

  #checkYield(
    quote: Quote,
    { day, basis }: QuotedPrice,
    terms: PricingTerms | undefined,
    last: LastQuote | undefined,
  ): Warning | undefined {
    // A quoted yield of 0 means not computed.
    if (quote.ytm === 0) return undefined;
    const maturity =
      last?.maturityDate === quote.maturityDate ? last.maturity : parseDay(quote.maturityDate);
    const trade = { date: day, maturity };
    const settlement = getTradeSettlement(trade, terms, undefined, this.settlementDays);
    // The bond functions would throw, which is slow.
    if (settlement >= maturity) return undefined;
    const security = toPricedSecurity(quote.type, maturity, terms);
    if (typeof security === 'string') return undefined;
    const mismatch = findYieldMismatch(quote, { security, settlement }, basis);
    if (!mismatch || terms?.settlementDays !== undefined) return mismatch;
    const ownDays = guessSettlementDays({ ...trade, maturityYears: quote.maturityYears });
    const ownSettlement = getSettlementDay(day, ownDays ?? this.settlementDays);
    if (ownSettlement === settlement || ownSettlement >= maturity) return mismatch;
    // A yield that matches at that day is no coincidence; some sources count years only from the date.
    return findYieldMismatch(quote, { security, settlement: ownSettlement }, basis);
  }
}
