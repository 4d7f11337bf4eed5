import type { Quote } from '../../catalogue/datasets/quotes.ts';
import { type SecurityRecord, securities } from '../../catalogue/datasets/securities.ts';
import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import { foldAsciiCase } from '../../schema/fold-ascii-case.ts';
import type { FieldProblem } from '../../schema/validate-record.ts';
import type { PublishTransaction } from '../../store/open-store.ts';
import { type DerivationResult, deriveFields } from '../derivation/derive-fields.ts';
import {
  type DraftQuote,
  type PricingTerms,
  TERM_NAMES,
  toPricingTerms,
  validateTerms,
} from '../derivation/price-security.ts';
import { QuoteWarnings } from '../quality/quote-warnings.ts';
import type { Warning } from '../quality/warning-rules.ts';
import type { DraftRecord } from '../records/draft-record.ts';
import { NO_PROBLEMS } from './file-problems.ts';
import { createEmptyRecord, readReferenceRecords } from './reference-records.ts';

export type QuoteValidator = Awaited<ReturnType<typeof createQuoteValidator>>;

/** What quotes need beyond other records: pricing terms, derived fields, the previous quote. */
export async function createQuoteValidator(dataset: Dataset, transaction: PublishTransaction) {
  const stored = await readReferenceRecords<SecurityRecord>(transaction, securities);
  const terms = createTermsTracker(stored);
  const quoteWarnings = new QuoteWarnings();
  const { count } = await transaction.read({ kind: 'quotes', dataset, limit: 1 });
  let termsWarning: Warning | undefined;

  return {
    getChangedSecurities: terms.getChangedSecurities,
    /** Reads the published quote before the first draft of each security, to compare with. */
    async loadPreviousQuotes(drafts: readonly DraftRecord[]): Promise<void> {
      if (count === 0) return;
      const firstDates = new Map<string, string>();
      for (const { record } of drafts) {
        const { symbol, date } = record;
        if (typeof symbol !== 'string' || typeof date !== 'string') continue;
        if (!firstDates.has(symbol) && !quoteWarnings.hasSeen(symbol)) firstDates.set(symbol, date);
      }
      // In parallel: one after another, each would wait for the round trip of the one before.
      const seeding = [...firstDates].map(async ([symbol, date]) => {
        const previous = await findPreviousQuote(dataset, transaction, symbol, date);
        if (previous) quoteWarnings.seed(previous, terms.get(symbol));
      });
      await Promise.all(seeding);
    },
    /** Stores the terms of a draft, and fills in what is blank and can be computed. */
    complete({ record, terms: termFields }: DraftRecord) {
      termsWarning = undefined;
      const draftTerms = termFields && toPricingTerms(termFields);
      if (draftTerms && Object.keys(draftTerms).length > 0) {
        const problems = validateTerms(draftTerms);
        if (problems.length > 0) return { filled: [], uncomputable: [], problems };
        termsWarning = terms.update(record as DraftQuote, draftTerms);
      }
      const derived = deriveFields(record as DraftQuote, terms.get(record.symbol));
      if (derived.filled.length + derived.uncomputable.length === 0) return undefined;
      return { ...derived, problems: NO_PROBLEMS };
    },
    /** The warnings about the quote that was completed last. */
    findWarnings(record: AnyRecord): readonly Warning[] {
      const warnings = quoteWarnings.check(record as Quote, terms.get(record.symbol));
      return termsWarning ? [termsWarning, ...warnings] : warnings;
    },
  };
}

/** Figures that cannot be computed, as one problem for all that have the same cause. */
export function toUncomputableProblems(
  uncomputable: DerivationResult['uncomputable'],
): FieldProblem[] {
  return [...Map.groupBy(uncomputable, ({ rule }) => rule)].map(([rule, figures]) => ({
    field: figures.map(({ field }) => field).join(', '),
    value: undefined,
    rule,
  }));
}

async function findPreviousQuote(
  dataset: Dataset,
  transaction: PublishTransaction,
  symbol: string,
  date: string,
): Promise<Quote | undefined> {
  const { records } = await transaction.read({
    kind: 'quotes',
    dataset,
    security: symbol,
    dateRange: ['0001-01-01', date],
    limit: 2,
  });
  const quotes = JSON.parse(`[${records}]`) as Quote[];
  return quotes.find((quote) => quote.date < date && quote.symbol === symbol);
}

interface SecurityTerms {
  /** The date of the newest quote that has terms. */
  readonly date: string;
  readonly symbol: string;
  readonly isin: string | undefined;
  readonly terms: PricingTerms;
}

/** Pricing terms while a file is read: the stored ones, by folded symbol, and the file's own. */
function createTermsTracker(stored: ReadonlyMap<string, SecurityRecord>) {
  const termsBySymbol = new Map(
    Array.from(stored, ([symbol, security]) => [symbol, toPricingTerms(security)] as const),
  );
  const latest = new Map<string, SecurityTerms>();
  return {
    get: (symbol: unknown) =>
      termsBySymbol.size === 0 ? undefined : termsBySymbol.get(foldAsciiCase(String(symbol))),
    /** Adds the terms of a quote; a warning where they differ from the previous ones. */
    update({ symbol = '', isin, date = '' }: DraftQuote, quoteTerms: PricingTerms) {
      const key = foldAsciiCase(symbol);
      const previous = termsBySymbol.get(key);
      const terms = { ...previous, ...quoteTerms };
      termsBySymbol.set(key, terms);
      if (date >= (latest.get(key)?.date ?? '')) latest.set(key, { date, symbol, isin, terms });
      return previous && findTermsChange(previous, terms, stored.get(key)?.floating === true);
    },
    /** The securities whose terms in their newest quotes differ from the stored ones. */
    getChangedSecurities(): SecurityRecord[] {
      return Array.from(latest, ([key, { symbol, isin = null, terms }]): SecurityRecord => {
        const security = stored.get(key) ?? { ...createEmptyRecord(securities), symbol, isin };
        return { ...security, ...terms };
      }).filter((security) => {
        const previous = stored.get(foldAsciiCase(security.symbol));
        return TERM_NAMES.some((name) => security[name] !== (previous?.[name] ?? null));
      });
    },
  };
}

/** The coupon of a floater changes with its reference rate, which is no warning. */
function findTermsChange(
  previous: PricingTerms,
  terms: PricingTerms,
  isFloating: boolean,
): Warning | undefined {
  const field = TERM_NAMES.find(
    (name) => previous[name] !== undefined && previous[name] !== terms[name],
  );
  if (field === undefined || (isFloating && field === 'couponRate')) return undefined;
  const text = `${field} ${terms[field]} was ${previous[field]} before`;
  return { rule: 'terms-changed', field, value: terms[field], text };
}
