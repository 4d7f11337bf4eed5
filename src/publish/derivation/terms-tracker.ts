import { foldAsciiCase } from '../../schema/fold-ascii-case.ts';
import type { SecurityTerms } from '../../store/open-store.ts';
import type { Warning } from '../quality/index.ts';
import type { DraftQuote } from './derive-fields.ts';
import type { PricingTerms } from './pricing-terms.ts';
import { toPricingTerms, toStoredTerms } from './stored-terms.ts';

/** The terms of securities while a file is read: those that were kept, and those it brings. */
export interface TermsTracker {
  /** The terms that hold for a security now; undefined where none are known. */
  get(symbol: unknown): PricingTerms | undefined;
  /** Takes terms from a quote; a warning where they are not what they were. */
  update(quote: DraftQuote, given: PricingTerms): Warning | undefined;
  /** What is new against what was kept: of the newest day, where a file has the rates of many. */
  getChanges(): ReadonlyMap<string, SecurityTerms>;
}

/** A learner that knows what was kept, by folded symbol. */
export function createTermsTracker(kept: ReadonlyMap<string, SecurityTerms>): TermsTracker {
  const known = new Map<string, PricingTerms>(
    [...kept].map(([symbol, terms]) => [symbol, toPricingTerms(terms)]),
  );
  const latest = new Map<string, { readonly date: string; readonly terms: PricingTerms }>();
  return {
    get: (symbol) => (known.size === 0 ? undefined : known.get(foldAsciiCase(String(symbol)))),
    update({ symbol = '', date = '' }, given) {
      const key = foldAsciiCase(symbol);
      const before = known.get(key);
      const terms = { ...before, ...given };
      known.set(key, terms);
      if (date >= (latest.get(key)?.date ?? '')) latest.set(key, { date, terms });
      return before && findTermsChange(before, terms);
    },
    getChanges() {
      const all = [...latest].map(([key, { terms }]) => [key, toStoredTerms(terms)] as const);
      return new Map(all.filter(([key, terms]) => !isSameTerms(kept.get(key), terms)));
    },
  };
}

/** A warning where terms are not what they were; undefined where they are, or were not known. */
function findTermsChange(before: PricingTerms, now: PricingTerms): Warning | undefined {
  const field = TERM_NAMES.find((name) => before[name] !== undefined && before[name] !== now[name]);
  if (field === undefined) return undefined;
  const text = `${field} ${now[field]} was ${before[field]} before`;
  return { rule: 'terms-changed', field, value: now[field], text };
}

function isSameTerms(kept: SecurityTerms | undefined, terms: SecurityTerms): boolean {
  return kept !== undefined && TERM_NAMES.every((name) => kept[name] === terms[name]);
}

const TERM_NAMES = ['couponRate', 'couponFrequency', 'pricing'] as const;
