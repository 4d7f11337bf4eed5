import { foldAsciiCase } from '../../schema/fold-ascii-case.ts';
import type { SecurityTerms } from '../../store/open-store.ts';
import type { DraftQuote } from '../derivation/price-basis.ts';
import { type PricingTerms, toPricingTerms, toStoredTerms } from '../derivation/pricing-terms.ts';
import type { Warning } from '../quality/index.ts';

/** Pricing terms of each security while a file is read: the stored ones and those of the file. */
export interface TermsTracker {
  /** Undefined where none are known. */
  get(symbol: unknown): PricingTerms | undefined;
  /** Adds the terms of a quote; a warning where they differ from the known ones. */
  update(quote: DraftQuote, terms: PricingTerms): Warning | undefined;
  /** The terms of the newest quotes, where they differ from the stored ones. */
  getChanges(): ReadonlyMap<string, SecurityTerms>;
}

/** `stored` is by case-folded symbol. */
export function createTermsTracker(stored: ReadonlyMap<string, SecurityTerms>): TermsTracker {
  const known = new Map<string, PricingTerms>(
    [...stored].map(([symbol, terms]) => [symbol, toPricingTerms(terms)]),
  );
  const latest = new Map<string, { readonly date: string; readonly terms: PricingTerms }>();
  return {
    get: (symbol) => (known.size === 0 ? undefined : known.get(foldAsciiCase(String(symbol)))),
    update({ symbol = '', date = '' }, quoteTerms) {
      const key = foldAsciiCase(symbol);
      const previous = known.get(key);
      const terms = { ...previous, ...quoteTerms };
      known.set(key, terms);
      if (date >= (latest.get(key)?.date ?? '')) latest.set(key, { date, terms });
      return previous && findTermsChange(previous, terms);
    },
    getChanges() {
      const all = [...latest].map(([key, { terms }]) => [key, toStoredTerms(terms)] as const);
      return new Map(all.filter(([key, terms]) => !isSameTerms(stored.get(key), terms)));
    },
  };
}

/** A warning about the first known term that changed. */
function findTermsChange(previous: PricingTerms, terms: PricingTerms): Warning | undefined {
  const field = TERM_NAMES.find(
    (name) => previous[name] !== undefined && previous[name] !== terms[name],
  );
  if (field === undefined) return undefined;
  const text = `${field} ${terms[field]} was ${previous[field]} before`;
  return { rule: 'terms-changed', field, value: terms[field], text };
}

function isSameTerms(stored: SecurityTerms | undefined, terms: SecurityTerms): boolean {
  return stored !== undefined && TERM_NAMES.every((name) => stored[name] === terms[name]);
}

const TERM_NAMES = ['couponRate', 'couponFrequency', 'pricing'] as const;
