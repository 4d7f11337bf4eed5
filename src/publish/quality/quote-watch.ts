import { settlementDay } from '../../bonds/index.ts';
import { dayNumber } from '../../calendar.ts';
import type { Quote, Terms } from '../derivation/index.ts';
import { basisOf, priceOn } from '../derivation/price.ts';
import { securityOf } from '../derivation/terms.ts';
import { identityWarnings, type Last, moveWarnings, type Priced } from './change-warnings.ts';
import { NO_WARNINGS, type Warning } from './rules.ts';
import { yieldWarning } from './yield-warning.ts';

/** Remembers the last quote of each security, and compares the next one with it. */
export interface QuoteWatch {
  /** Whether a quote of the symbol was seeded or looked at. */
  known(symbol: string): boolean;
  /** Remembers a quote that is already published, without a word on it. */
  seed(record: Quote, terms?: Terms): void;
  /**
   * What there is to look at in an accepted quote, given its terms and the quote of the security
   * that was remembered last; then remembers this one.
   */
  look(record: Quote, terms: Terms | undefined): readonly Warning[];
}

/** A watch that has seen nothing yet. */
export function quoteWatch(): QuoteWatch {
  const lasts = new Map<string, Last>();
  const dayOf = rememberedDays();

  const pricedOf = (record: Quote, terms: Terms | undefined): Priced | undefined => {
    const basis = basisOf(record);
    if (!basis) return undefined;
    const price = priceOn(basis, record);
    return { day: dayOf(record.date), basis, price, ytm: record.ytm, rate: terms?.couponRate };
  };

  const remember = (record: Quote, last: Last | undefined, priced: Priced | undefined) => {
    const { symbol, isin, maturityDate } = record;
    if (!last) {
      const own = { isin: detached(isin), maturityDate: detached(maturityDate), priced };
      lasts.set(detached(symbol), own);
      return;
    }
    if (last.isin !== isin) last.isin = detached(isin);
    if (last.maturityDate !== maturityDate) last.maturityDate = detached(maturityDate);
    // A day without orders does not make the price before it forgotten.
    if (priced) last.priced = priced;
  };

  const yieldCheck = (record: Quote, { day, basis }: Priced, terms: Terms | undefined) => {
    // On a board a yield of 0 means not computed.
    if (record.ytm === 0) return undefined;
    const maturity = dayOf(record.maturityDate);
    const settlement = settlementDay(day);
    // The arithmetic would refuse it as well, but by throwing, which is dear.
    if (settlement >= maturity) return undefined;
    const security = securityOf(record.type, maturity, terms);
    if (typeof security === 'string') return undefined;
    return yieldWarning(record, { security, settlement }, basis);
  };

  return {
    known: (symbol) => lasts.has(symbol),
    seed: (record, terms) => remember(record, lasts.get(record.symbol), pricedOf(record, terms)),
    look(record, terms) {
      const priced = pricedOf(record, terms);
      const off = priced && yieldCheck(record, priced, terms);
      let warnings = off ? [off] : NO_WARNINGS;
      const last = lasts.get(record.symbol);
      if (last) {
        const changed = identityWarnings(last, record);
        const moved = last.priced && priced ? moveWarnings(last.priced, priced) : NO_WARNINGS;
        if (changed.length + moved.length > 0) warnings = [...warnings, ...changed, ...moved];
      }
      remember(record, last, priced);
      return warnings;
    },
  };
}

/** A text of its own: one that was cut out of a file would keep a whole piece of it in memory. */
function detached(text: string): string {
  return Buffer.from(text).toString();
}

/** A file holds few days and many quotes: each day is read once. */
function rememberedDays(): (text: string) => number {
  const days = new Map<string, number>();
  return (text) => {
    const known = days.get(text);
    if (known !== undefined) return known;
    const day = dayNumber(text);
    days.set(text, day);
    return day;
  };
}
