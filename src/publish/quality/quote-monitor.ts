import { getSettlementDay } from '../../bonds/index.ts';
import { parseDay } from '../../calendar.ts';
import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { PricingTerms } from '../derivation/derive-fields.ts';
import { choosePriceBasis, getPrice } from '../derivation/price-basis.ts';
import { toPricedSecurity } from '../derivation/pricing-terms.ts';
import {
  findIdentityChanges,
  findUnusualMoves,
  type LastQuote,
  type PricedQuote,
} from './quote-change-warnings.ts';
import { NO_WARNINGS, type Warning } from './warning-rules.ts';
import { findYieldMismatch } from './yield-warning.ts';

/** Remembers the last quote of each security, and compares the next one with it. */
export interface QuoteMonitor {
  /** Whether a quote of the symbol was seeded or looked at. */
  hasSeen(symbol: string): boolean;
  /** Remembers a quote that is already published, without a word on it. */
  seed(record: Quote, terms?: PricingTerms): void;
  /**
   * What there is to look at in an accepted quote, given its terms and the quote of the security
   * that was remembered last; then remembers this one.
   */
  check(record: Quote, terms: PricingTerms | undefined): readonly Warning[];
}

/** A watch that has seen nothing yet. */
export function createQuoteMonitor(): QuoteMonitor {
  const lasts = new Map<string, LastQuote>();
  const dayOf = createDayNumberCache();

  const pricedOf = (record: Quote, terms: PricingTerms | undefined): PricedQuote | undefined => {
    const basis = choosePriceBasis(record);
    if (!basis) return undefined;
    const price = getPrice(basis, record);
    return { day: dayOf(record.date), basis, price, ytm: record.ytm, rate: terms?.couponRate };
  };

  const remember = (
    record: Quote,
    last: LastQuote | undefined,
    priced: PricedQuote | undefined,
  ) => {
    const { symbol, isin, maturityDate } = record;
    if (!last) {
      const own = {
        isin: copyText(isin),
        maturityDate: copyText(maturityDate),
        lastPriced: priced,
      };
      lasts.set(copyText(symbol), own);
      return;
    }
    if (last.isin !== isin) last.isin = copyText(isin);
    if (last.maturityDate !== maturityDate) last.maturityDate = copyText(maturityDate);
    // A day without orders does not make the price before it forgotten.
    if (priced) last.lastPriced = priced;
  };

  const yieldCheck = (
    record: Quote,
    { day, basis }: PricedQuote,
    terms: PricingTerms | undefined,
  ) => {
    // On a board a yield of 0 means not computed.
    if (record.ytm === 0) return undefined;
    const maturity = dayOf(record.maturityDate);
    const settlement = getSettlementDay(day);
    // The arithmetic would refuse it as well, but by throwing, which is dear.
    if (settlement >= maturity) return undefined;
    const security = toPricedSecurity(record.type, maturity, terms);
    if (typeof security === 'string') return undefined;
    return findYieldMismatch(record, { security, settlement }, basis);
  };

  return {
    hasSeen: (symbol) => lasts.has(symbol),
    seed: (record, terms) => remember(record, lasts.get(record.symbol), pricedOf(record, terms)),
    check(record, terms) {
      const priced = pricedOf(record, terms);
      const off = priced && yieldCheck(record, priced, terms);
      let warnings = off ? [off] : NO_WARNINGS;
      const last = lasts.get(record.symbol);
      if (last) {
        const changed = findIdentityChanges(last, record);
        const moved =
          last.lastPriced && priced ? findUnusualMoves(last.lastPriced, priced) : NO_WARNINGS;
        if (changed.length + moved.length > 0) warnings = [...warnings, ...changed, ...moved];
      }
      remember(record, last, priced);
      return warnings;
    },
  };
}

/** A text of its own: one that was cut out of a file would keep a whole piece of it in memory. */
function copyText(text: string): string {
  return Buffer.from(text).toString();
}

/** A file holds few days and many quotes: each day is read once. */
function createDayNumberCache(): (text: string) => number {
  const days = new Map<string, number>();
  return (text) => {
    const known = days.get(text);
    if (known !== undefined) return known;
    const day = parseDay(text);
    days.set(text, day);
    return day;
  };
}
