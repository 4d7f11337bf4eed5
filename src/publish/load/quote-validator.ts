import type { Quote } from '../../catalogue/datasets/quotes.ts';
import { type SecurityRecord, securities } from '../../catalogue/datasets/securities.ts';
import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import type { FieldProblem } from '../../schema/validate-record.ts';
import type { PublishTransaction } from '../../store/open-store.ts';
import { type DerivationResult, deriveFields } from '../derivation/derive-fields.ts';
import { type DraftQuote, toPricingTerms, validateTerms } from '../derivation/price-security.ts';
import { findImplausibleCoupon } from '../quality/plausible-figures.ts';
import { QuoteWarnings } from '../quality/quote-warnings.ts';
import type { Warning } from '../quality/warning-rules.ts';
import type { DraftRecord } from '../records/draft-record.ts';
import { NO_PROBLEMS } from './file-problems.ts';
import { readReferenceRecords } from './reference-records.ts';
import { createTermsTracker } from './terms-tracker.ts';

export type QuoteValidator = Awaited<ReturnType<typeof createQuoteValidator>>;

/** What quotes need beyond other records: pricing terms, derived fields, the previous quote. */
export async function createQuoteValidator(
  dataset: Dataset,
  transaction: PublishTransaction,
  settlementDays: number | undefined,
) {
  const stored = await readReferenceRecords<SecurityRecord>(transaction, securities);
  const terms = createTermsTracker(
    stored,
    async () => (await transaction.securities(dataset)).entries,
  );
  const quoteWarnings = new QuoteWarnings(settlementDays);
  const { count } = await transaction.read({ kind: 'quotes', dataset, limit: 1 });
  let termsWarning: Warning | undefined;

  return {
    getChangedSecurities: terms.getChangedSecurities,
    /** The symbols of the ISINs of the quotes, and whether the last quote added one. */
    isinSymbols: quoteWarnings.isinSymbols,
    isNewIdentity: () => quoteWarnings.isNewIdentity,
    /** Reads the published quote before the first draft of each security, to compare with. */
    async loadPreviousQuotes(drafts: readonly DraftRecord[]): Promise<void> {
      await terms.findByIsin(drafts);
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
        termsWarning =
          terms.update(record as DraftQuote, draftTerms) ??
          findImplausibleCoupon(draftTerms.couponRate);
      }
      const knownTerms = terms.get(record.symbol);
      const derived = deriveFields(record as DraftQuote, knownTerms, settlementDays);
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
