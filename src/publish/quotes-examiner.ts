import type { AnyRecord, Dataset } from '../catalogue/dataset.ts';
import type { Problem } from '../derive/record.ts';
import { folded } from '../derive/table.ts';
import type { SecurityTerms, Within } from '../store/index.ts';
import type { DraftQuote, Quote, Terms } from './derivation/index.ts';
import { derive, termsProblems } from './derivation/index.ts';
import { keptTerms, termsFrom } from './derivation/kept.ts';
import type { Warning } from './quality/index.ts';
import { quoteWatch } from './quality/index.ts';
import type { Draft } from './records/draft.ts';

/** What quotes have beyond other records: terms, computed figures, the quote before. */
export async function quotesExaminer(dataset: Dataset, within: Within) {
  const kept = await within.terms(dataset);
  const known = new Map<string, Terms>(
    [...kept].map(([symbol, terms]) => [symbol, termsFrom(terms)]),
  );
  const brought = new Map<string, SecurityTerms>();
  const newest = new Map<string, string>();
  let changed: Warning | undefined;
  const watch = quoteWatch();
  const { count } = await within.read({ find: 'quotes', dataset, limit: 1 });
  const termsOf = (symbol: unknown) =>
    known.size === 0 ? undefined : known.get(folded(String(symbol)));

  return {
    brought,
    /** Fetches the quotes before the first of each security, to compare with. */
    async prepare(drafts: readonly Draft[]): Promise<void> {
      if (count === 0) return;
      const asked = new Set<string>();
      for (const { record } of drafts) {
        const { symbol, date } = record;
        if (typeof symbol !== 'string' || typeof date !== 'string') continue;
        if (asked.has(symbol) || watch.known(symbol)) continue;
        asked.add(symbol);
        const before = await quoteBefore(dataset, within, symbol, date);
        if (before) watch.seed(before, termsOf(symbol));
      }
    },
    /** Learns the terms that the draft brings, and fills in what is blank and can be computed. */
    complete({ record, terms }: Draft) {
      const given = terms && termsFrom(terms);
      if (given && Object.keys(given).length > 0) {
        const wrong = termsProblems(given);
        if (wrong.length > 0) return { filled: [], lacking: [], problems: wrong };
        learn(record as DraftQuote, given);
      }
      const { filled, refused } = derive(record as DraftQuote, termsOf(record.symbol));
      if (filled.length + refused.length === 0) return undefined;
      const lacking = refused.map(({ field, rule }) => ({ field, value: undefined, rule }));
      return { filled, lacking, problems: NO_PROBLEMS };
    },
    /** What there is to look at in a quote that was completed last. */
    look(record: AnyRecord): readonly Warning[] {
      const found = watch.look(record as Quote, termsOf(record.symbol));
      if (!changed) return found;
      const warnings = [changed, ...found];
      changed = undefined;
      return warnings;
    },
  };

  function learn({ symbol = '', date = '' }: DraftQuote, given: Terms): void {
    const key = folded(symbol);
    const before = known.get(key);
    const terms = { ...before, ...given };
    if (before && sameTerms(before, terms)) return;
    changed = before && termsWarning(before, terms);
    known.set(key, terms);
    // A file may hold the rates of many days: those of the newest are for later loads.
    if (date < (newest.get(key) ?? '')) return;
    newest.set(key, date);
    brought.set(key, keptTerms(terms));
  }
}

/** A warning where terms are not what they were; undefined where they are, or were not known. */
function termsWarning(before: Terms, now: Terms): Warning | undefined {
  const field = NAMES.find((name) => before[name] !== undefined && before[name] !== now[name]);
  if (field === undefined) return undefined;
  const text = `${field} ${now[field]} was ${before[field]} before`;
  return { rule: 'terms-changed', field, value: now[field], text };
}

function sameTerms(a: Terms, b: Terms): boolean {
  return NAMES.every((name) => a[name] === b[name]);
}

const NAMES = ['couponRate', 'couponFrequency', 'pricing'] as const;

async function quoteBefore(
  dataset: Dataset,
  within: Within,
  symbol: string,
  date: string,
): Promise<Quote | undefined> {
  const between = ['0001-01-01', date] as const;
  const selection = { find: 'quotes', dataset, security: symbol, between, limit: 2 } as const;
  const { records } = await within.read(selection);
  const found = JSON.parse(`[${records}]`) as Quote[];
  return found.find((quote) => quote.date < date && quote.symbol === symbol);
}

const NO_PROBLEMS: readonly Problem[] = [];
