import type { AnyRecord, Dataset } from '../catalogue/dataset.ts';
import type { Problem } from '../derive/record.ts';
import { problemsOf, textOf } from '../derive/record.ts';
import { folded, tableOf } from '../derive/table.ts';
import type { Row, SecurityTerms, Within } from '../store/index.ts';
import type { DraftQuote, Quote, Terms } from './derivation/index.ts';
import { DERIVED, derive, termsProblems } from './derivation/index.ts';
import type { Problems } from './problems.ts';
import type { Warning } from './quality/index.ts';
import { quoteWatch, recordWarnings } from './quality/index.ts';
import type { Draft } from './records/draft.ts';
import type { Reporting } from './report.ts';
import { keptTerms, termsFrom } from './terms.ts';

/** A row with where it came from. */
export interface PlacedRow extends Row, Place {
  readonly at: number;
}

/** A file as problems and warnings name it. */
export interface Place {
  readonly file: string;
  readonly place: 'line' | 'row';
}

/** Looks at drafts and lets those pass, as rows, that the catalogue takes. */
export interface Examiner {
  examine(drafts: readonly Draft[], where: Place): Promise<PlacedRow[]>;
  /** The terms that the drafts brought, for later loads. */
  readonly terms: ReadonlyMap<string, SecurityTerms>;
}

/** Where an examiner tells what it finds. */
export interface Examination {
  readonly problems: Problems;
  readonly reporting: Reporting;
  /** What stands for figures that cannot be computed; they are refused where absent. */
  readonly uncomputable: 'zero' | undefined;
}

/** An examiner for one dataset, while the store is held. */
export async function examinerOf(
  dataset: Dataset,
  within: Within,
  { problems, reporting, uncomputable }: Examination,
): Promise<Examiner> {
  const { columns } = tableOf(dataset);
  const quotes = dataset.shape === 'quotes' ? await quotesExaminer(dataset, within) : undefined;

  // Files have millions of records with nothing wrong: nothing is made for those but their rows.
  const problemsIn = (draft: Draft): Draft['problems'] => {
    const { record, problems: given } = draft;
    if (given.some(({ field }) => field === '')) return given;
    const derived = quotes?.complete(draft);
    let own = NO_PROBLEMS;
    if (derived) {
      reporting.compute(derived.filled);
      own = derived.problems;
      if (uncomputable === 'zero') {
        for (const { field } of derived.lacking) record[field] = 0;
        reporting.giveUp(derived.lacking.map(({ field }) => field));
      } else if (given.length + own.length === 0) own = derived.lacking;
    }
    const wrong = problemsOf(dataset, record);
    if (given.length + own.length + wrong.length === 0) return NO_PROBLEMS;
    const found = [...given, ...own];
    // What is named already is not named again for want of a value.
    const named = new Set(given.map(({ field }) => field.split(/[.:]/)[0]));
    // Nor is a figure that is wanting because of what is named.
    if (quotes && found.length > 0) for (const field of DERIVED) named.add(field);
    return [...found, ...wrong.filter(({ field }) => !named.has(field))];
  };

  const pass = (draft: Draft, where: Place): PlacedRow | undefined => {
    const { at, record } = draft;
    const found = problemsIn(draft);
    if (found.length > 0) {
      for (const problem of found) problems.add({ ...where, at, ...problem });
      return undefined;
    }
    const warn = (warning: Warning, place = at) => reporting.warn(warning, { ...where, at: place });
    for (const { at: place, ...warning } of draft.warnings ?? NO_WARNINGS) warn(warning, place);
    for (const warning of recordWarnings(dataset, record)) warn(warning);
    for (const warning of quotes?.look(record) ?? NO_WARNINGS) warn(warning);
    const { file, place } = where;
    const values: (string | number)[] = [];
    for (const column of columns) values.push(column.of(record));
    return { columns: values, text: textOf(dataset, record), at, file, place };
  };

  return {
    terms: quotes?.brought ?? new Map(),
    async examine(drafts, where) {
      await quotes?.prepare(drafts);
      const rows: PlacedRow[] = [];
      for (const draft of drafts) {
        reporting.records++;
        const row = pass(draft, where);
        if (row) rows.push(row);
      }
      return rows;
    },
  };
}

/** What quotes have beyond other records: terms, computed figures, the quote before. */
async function quotesExaminer(dataset: Dataset, within: Within) {
  const kept = await within.terms();
  const known = new Map<string, Terms>(
    [...kept].map(([symbol, terms]) => [symbol, termsFrom(terms)]),
  );
  const brought = new Map<string, SecurityTerms>();
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
        learn(String(record.symbol), given);
      }
      const { filled, refused } = derive(record as DraftQuote, termsOf(record.symbol));
      if (filled.length + refused.length === 0) return undefined;
      const lacking = refused.map(({ field, rule }) => ({ field, value: undefined, rule }));
      return { filled, lacking, problems: NO_PROBLEMS };
    },
    look: (record: AnyRecord) => watch.look(record as Quote, termsOf(record.symbol)),
  };

  function learn(symbol: string, given: Terms): void {
    const key = folded(symbol);
    const before = known.get(key);
    const terms = { ...before, ...given };
    if (before && sameTerms(before, terms)) return;
    known.set(key, terms);
    brought.set(key, keptTerms(terms));
  }
}

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

function sameTerms(a: Terms, b: Terms): boolean {
  return (
    a.couponRate === b.couponRate &&
    a.couponFrequency === b.couponFrequency &&
    a.pricing === b.pricing
  );
}

const NO_PROBLEMS: readonly Problem[] = [];
const NO_WARNINGS: readonly never[] = [];
