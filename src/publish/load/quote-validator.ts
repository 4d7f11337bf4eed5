import { type FindHolidays, indexHolidays, toPricingTerms } from '../../bonds/index.ts';
import { type Holiday, holidays } from '../../catalogue/datasets/holidays.ts';
import type { Quote } from '../../catalogue/datasets/quotes.ts';
import { type SecurityRecord, securities } from '../../catalogue/datasets/securities.ts';
import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import type { FieldProblem } from '../../schema/validate-record.ts';
import type { PublishTransaction, QuoteSelection } from '../../store/open-store.ts';
import { type DerivationResult, deriveFields } from '../derivation/derive-fields.ts';
import { type DraftQuote, validateTerms } from '../derivation/price-security.ts';
import { findImplausibleCoupon } from '../quality/plausible-figures.ts';
import { QuoteWarnings } from '../quality/quote-warnings.ts';
import type { Warning } from '../quality/warning-rules.ts';
import { findYearsWarnings } from '../quality/years-warnings.ts';
import type { DraftRecord } from '../records/draft-record.ts';
import { NO_PROBLEMS } from './file-problems.ts';
import { readReferenceRecords } from './reference-records.ts';
import { TermsTracker } from './terms-tracker.ts';

/** Completes and checks quotes: pricing terms, derived fields, the previous quote. */
export async function createQuoteValidator(
  dataset: Dataset,
  transaction: PublishTransaction,
  settlementDays: number | undefined,
): Promise<QuoteValidator> {
  const stored = await readReferenceRecords<SecurityRecord>(transaction, securities);
  const hasCalendar = stored.values().some(({ calendar }) => calendar !== null);
  const days = hasCalendar ? await readReferenceRecords<Holiday>(transaction, holidays) : undefined;
  const known = { stored, ...(days && { findHolidays: indexHolidays(days.values()) }) };
  const [newest] = await readQuotes(transaction, dataset, { limit: 1 });
  return new QuoteValidator(dataset, transaction, settlementDays, known, newest?.date ?? '');
}

/** The published terms, and the holidays of their calendars. */
interface KnownTerms {
  readonly stored: ReadonlyMap<string, SecurityRecord>;
  readonly findHolidays?: FindHolidays;
}

export class QuoteValidator {
  readonly terms: TermsTracker;
  readonly warnings: QuoteWarnings;
  #termsWarning: Warning | undefined;
  /** What the load has computed of the last quote. */
  #filled: readonly string[] = [];

  constructor(
    private readonly dataset: Dataset,
    private readonly transaction: PublishTransaction,
    private readonly settlementDays: number | undefined,
    { stored, findHolidays }: KnownTerms,
    /** The newest day of published quotes before the load; empty if there were none. */
    readonly previousNewestDay: string,
  ) {
    const listSecurities = async () => (await transaction.securities(dataset)).entries;
    this.terms = new TermsTracker(stored, listSecurities, findHolidays);
    this.warnings = new QuoteWarnings(settlementDays);
  }

  /** Reads the published quote that precedes the first draft of each security, for comparison. */
  async loadPreviousQuotes(drafts: readonly DraftRecord[]): Promise<void> {
    await this.terms.findByIsin(drafts);
    if (this.previousNewestDay === '') return;
    const firstDates = new Map<string, string>();
    for (const { record } of drafts) {
      const { symbol, date } = record;
      if (typeof symbol !== 'string' || typeof date !== 'string') continue;
      if (!firstDates.has(symbol) && !this.warnings.hasSeen(symbol)) firstDates.set(symbol, date);
    }
    if (firstDates.size > 0) await this.#seedNewestDay(firstDates);
    // In parallel, so that the reads do not wait for each other's round trips.
    const seeding = [...firstDates].map(async ([symbol, date]) => {
      const selection = { security: symbol, dateRange: ['0001-01-01', date], limit: 2 } as const;
      const quotes = await readQuotes(this.transaction, this.dataset, selection);
      const previous = quotes.find((quote) => quote.date < date && quote.symbol === symbol);
      if (previous) this.warnings.seed(previous, this.terms.get(symbol));
    });
    await Promise.all(seeding);
  }

  /** Most files hold the day after the newest one, so a single read replaces one per security. */
  async #seedNewestDay(firstDates: Map<string, string>): Promise<void> {
    const { dataset, transaction, previousNewestDay: day } = this;
    // In a much larger market, most of the quotes that one statement reads would be wasted.
    const selection = { dateRange: [day, day], limit: firstDates.size * 10 } as const;
    for (const quote of await readQuotes(transaction, dataset, selection)) {
      if ((firstDates.get(quote.symbol) ?? '') <= day) continue;
      this.warnings.seed(quote, this.terms.get(quote.symbol));
      firstDates.delete(quote.symbol);
    }
  }

  /** Stores the terms of a draft, and fills in blank fields that can be computed. */
  complete({ record, terms: termFields }: DraftRecord) {
    this.#termsWarning = undefined;
    const draftTerms = termFields && toPricingTerms(termFields);
    if (draftTerms && Object.keys(draftTerms).length > 0) {
      const problems = validateTerms(draftTerms);
      if (problems.length > 0) return { filled: [], uncomputable: [], problems };
      this.#termsWarning =
        this.terms.update(record as DraftQuote, draftTerms) ??
        findImplausibleCoupon(draftTerms.couponRate);
    }
    const knownTerms = this.terms.get(record.symbol);
    const derived = deriveFields(record as DraftQuote, knownTerms, this.settlementDays);
    this.#filled = derived.filled;
    if (derived.filled.length + derived.uncomputable.length === 0) return undefined;
    return { ...derived, problems: NO_PROBLEMS };
  }

  /** The warnings about the last completed quote. */
  findWarnings(record: AnyRecord): readonly Warning[] {
    const quote = record as Quote;
    const terms = this.terms.getChecked(quote.symbol);
    const warnings = this.warnings.check(quote, terms);
    const yearsWarnings = findYearsWarnings(quote, this.warnings.daysLeft, terms).filter(
      ({ field }) => !this.#filled.includes(field),
    );
    if (!this.#termsWarning && yearsWarnings.length === 0) return warnings;
    return [...(this.#termsWarning ? [this.#termsWarning] : []), ...warnings, ...yearsWarnings];
  }
}

/** Figures that cannot be computed, as one problem per cause. */
export function toUncomputableProblems(
  uncomputable: DerivationResult['uncomputable'],
): FieldProblem[] {
  return [...Map.groupBy(uncomputable, ({ rule }) => rule)].map(([rule, figures]) => ({
    field: figures.map(({ field }) => field).join(', '),
    value: undefined,
    rule,
  }));
}

/** Published quotes, the newest first. */
export async function readQuotes(
  transaction: PublishTransaction,
  dataset: Dataset,
  selection: Omit<QuoteSelection, 'kind' | 'dataset'>,
): Promise<Quote[]> {
  const { records } = await transaction.read({ kind: 'quotes', dataset, ...selection });
  return JSON.parse(`[${records}]`);
}
