import type { Quote } from '../../catalogue/datasets/quotes.ts';
import { type SecurityRecord, securities } from '../../catalogue/datasets/securities.ts';
import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import type { FieldProblem } from '../../schema/validate-record.ts';
import type { PublishTransaction } from '../../store/open-store.ts';
import { type DerivationResult, deriveFields } from '../derivation/derive-fields.ts';
import { type DraftQuote, toPricingTerms, validateTerms } from '../derivation/price-security.ts';
import { findImplausibleCoupon } from '../quality/plausible-figures.ts';
import { QuoteWarnings } from '../quality/quote-warnings.ts';
import type { IsinSymbols } from '../quality/shared-isins.ts';
import type { Warning } from '../quality/warning-rules.ts';
import type { DraftRecord } from '../records/draft-record.ts';
import { NO_PROBLEMS } from './file-problems.ts';
import { readReferenceRecords } from './reference-records.ts';
import { createTermsTracker } from './terms-tracker.ts';

/** Completes and checks quotes: pricing terms, derived fields, the previous quote. */
export async function createQuoteValidator(
  dataset: Dataset,
  transaction: PublishTransaction,
  settlementDays: number | undefined,
): Promise<QuoteValidator> {
  const stored = await readReferenceRecords<SecurityRecord>(transaction, securities);
  const { count } = await transaction.read({ kind: 'quotes', dataset, limit: 1 });
  return new QuoteValidator(dataset, transaction, settlementDays, stored, count > 0);
}

export class QuoteValidator {
  readonly #terms: ReturnType<typeof createTermsTracker>;
  readonly #quoteWarnings: QuoteWarnings;
  #termsWarning: Warning | undefined;

  constructor(
    private readonly dataset: Dataset,
    private readonly transaction: PublishTransaction,
    private readonly settlementDays: number | undefined,
    stored: ReadonlyMap<string, SecurityRecord>,
    private readonly hasPublished: boolean,
  ) {
    const listSecurities = async () => (await transaction.securities(dataset)).entries;
    this.#terms = createTermsTracker(stored, listSecurities);
    this.#quoteWarnings = new QuoteWarnings(settlementDays);
  }

  getChangedSecurities(): readonly SecurityRecord[] {
    return this.#terms.getChangedSecurities();
  }

  /** The symbols of the ISINs of the quotes. */
  get isinSymbols(): IsinSymbols {
    return this.#quoteWarnings.isinSymbols;
  }

  /** Whether the last quote added a symbol to an ISIN. */
  get isNewIdentity(): boolean {
    return this.#quoteWarnings.isNewIdentity;
  }

  /** Reads the published quote before the first draft of each security, to compare with. */
  async loadPreviousQuotes(drafts: readonly DraftRecord[]): Promise<void> {
    await this.#terms.findByIsin(drafts);
    if (!this.hasPublished) return;
    const firstDates = new Map<string, string>();
    for (const { record } of drafts) {
      const { symbol, date } = record;
      if (typeof symbol !== 'string' || typeof date !== 'string') continue;
      if (!firstDates.has(symbol) && !this.#quoteWarnings.hasSeen(symbol))
        firstDates.set(symbol, date);
    }
    // In parallel: one after another, each would wait for the round trip of the one before.
    const seeding = [...firstDates].map(async ([symbol, date]) => {
      const previous = await findPreviousQuote(this.dataset, this.transaction, symbol, date);
      if (previous) this.#quoteWarnings.seed(previous, this.#terms.get(symbol));
    });
    await Promise.all(seeding);
  }

  /** Stores the terms of a draft, and fills in what is blank and can be computed. */
  complete({ record, terms: termFields }: DraftRecord) {
    this.#termsWarning = undefined;
    const draftTerms = termFields && toPricingTerms(termFields);
    if (draftTerms && Object.keys(draftTerms).length > 0) {
      const problems = validateTerms(draftTerms);
      if (problems.length > 0) return { filled: [], uncomputable: [], problems };
      this.#termsWarning =
        this.#terms.update(record as DraftQuote, draftTerms) ??
        findImplausibleCoupon(draftTerms.couponRate);
    }
    const knownTerms = this.#terms.get(record.symbol);
    const derived = deriveFields(record as DraftQuote, knownTerms, this.settlementDays);
    if (derived.filled.length + derived.uncomputable.length === 0) return undefined;
    return { ...derived, problems: NO_PROBLEMS };
  }

  /** The warnings about the quote that was completed last. */
  findWarnings(record: AnyRecord): readonly Warning[] {
    const warnings = this.#quoteWarnings.check(record as Quote, this.#terms.get(record.symbol));
    return this.#termsWarning ? [this.#termsWarning, ...warnings] : warnings;
  }
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
