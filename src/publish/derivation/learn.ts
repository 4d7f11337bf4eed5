import { folded } from '../../derive/table.ts';
import type { SecurityTerms } from '../../store/index.ts';
import type { Warning } from '../quality/index.ts';
import type { DraftQuote } from './index.ts';
import { keptTerms, termsFrom } from './kept.ts';
import type { Terms } from './terms.ts';

/** The terms of securities while a file is read: those that were kept, and those it brings. */
export interface TermsLearner {
  /** The terms that hold for a security now; undefined where none are known. */
  of(symbol: unknown): Terms | undefined;
  /** Takes terms from a quote; a warning where they are not what they were. */
  learn(quote: DraftQuote, given: Terms): Warning | undefined;
  /** What is new against what was kept: of the newest day, where a file has the rates of many. */
  brought(): ReadonlyMap<string, SecurityTerms>;
}

/** A learner that knows what was kept, by folded symbol. */
export function termsLearner(kept: ReadonlyMap<string, SecurityTerms>): TermsLearner {
  const known = new Map<string, Terms>(
    [...kept].map(([symbol, terms]) => [symbol, termsFrom(terms)]),
  );
  const latest = new Map<string, { readonly date: string; readonly terms: Terms }>();
  return {
    of: (symbol) => (known.size === 0 ? undefined : known.get(folded(String(symbol)))),
    learn({ symbol = '', date = '' }, given) {
      const key = folded(symbol);
      const before = known.get(key);
      const terms = { ...before, ...given };
      known.set(key, terms);
      if (date >= (latest.get(key)?.date ?? '')) latest.set(key, { date, terms });
      return before && changeOf(before, terms);
    },
    brought() {
      const all = [...latest].map(([key, { terms }]) => [key, keptTerms(terms)] as const);
      return new Map(all.filter(([key, terms]) => !isSame(kept.get(key), terms)));
    },
  };
}

/** A warning where terms are not what they were; undefined where they are, or were not known. */
function changeOf(before: Terms, now: Terms): Warning | undefined {
  const field = NAMES.find((name) => before[name] !== undefined && before[name] !== now[name]);
  if (field === undefined) return undefined;
  const text = `${field} ${now[field]} was ${before[field]} before`;
  return { rule: 'terms-changed', field, value: now[field], text };
}

function isSame(kept: SecurityTerms | undefined, terms: SecurityTerms): boolean {
  return kept !== undefined && NAMES.every((name) => kept[name] === terms[name]);
}

const NAMES = ['couponRate', 'couponFrequency', 'pricing'] as const;
