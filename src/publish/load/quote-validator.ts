import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import type { FieldProblem } from '../../schema/validate-record.ts';
import type { PublishTransaction } from '../../store/open-store.ts';
import type { DerivationResult, DraftQuote, Quote } from '../derivation/derive-fields.ts';
import { deriveFields, validateTerms } from '../derivation/derive-fields.ts';
import { toPricingTerms } from '../derivation/stored-terms.ts';
import { createTermsTracker } from '../derivation/terms-tracker.ts';
import type { Warning } from '../quality/index.ts';
import { createQuoteMonitor } from '../quality/index.ts';
import type { DraftRecord } from '../records/draft-record.ts';

/** What quotes have beyond other records: terms, computed figures, the quote before. */
export async function createQuoteValidator(dataset: Dataset, transaction: PublishTransaction) {
  const terms = createTermsTracker(await transaction.terms(dataset));
  const watch = createQuoteMonitor();
  const { count } = await transaction.read({ kind: 'quotes', dataset, limit: 1 });
  let changed: Warning | undefined;

  return {
    brought: terms.getChanges,
    /** Fetches the quotes before the first of each security, to compare with. */
    async prepare(drafts: readonly DraftRecord[]): Promise<void> {
      if (count === 0) return;
      const asked = new Map<string, string>();
      for (const { record } of drafts) {
        const { symbol, date } = record;
        if (typeof symbol !== 'string' || typeof date !== 'string') continue;
        if (!asked.has(symbol) && !watch.hasSeen(symbol)) asked.set(symbol, date);
      }
      // All at once: one after another, each would wait for the trip of the one before.
      const found = [...asked].map(async ([symbol, date]) => {
        const before = await findPreviousQuote(dataset, transaction, symbol, date);
        if (before) watch.seed(before, terms.get(symbol));
      });
      await Promise.all(found);
    },
    /** Learns the terms that the draft brings, and fills in what is blank and can be computed. */
    complete({ record, terms: columns }: DraftRecord) {
      changed = undefined;
      const given = columns && toPricingTerms(columns);
      if (given && Object.keys(given).length > 0) {
        const wrong = validateTerms(given);
        if (wrong.length > 0) return { filled: [], lacking: [], problems: wrong };
        changed = terms.update(record as DraftQuote, given);
      }
      const { filled, uncomputable } = deriveFields(record as DraftQuote, terms.get(record.symbol));
      if (filled.length + uncomputable.length === 0) return undefined;
      return { filled, lacking: uncomputable, problems: NO_PROBLEMS };
    },
    /** What there is to look at in a quote that was completed last. */
    look(record: AnyRecord): readonly Warning[] {
      const found = watch.check(record as Quote, terms.get(record.symbol));
      return changed ? [changed, ...found] : found;
    },
  };
}

/** Figures that stay blank, as problems: one for all that have the same cause. */
export function toUncomputableProblems(lacking: DerivationResult['uncomputable']): FieldProblem[] {
  const causes = Map.groupBy(lacking, ({ rule }) => rule);
  return [...causes].map(([rule, figures]) => ({
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
  const between = ['0001-01-01', date] as const;
  const selection = {
    kind: 'quotes',
    dataset,
    security: symbol,
    dateRange: between,
    limit: 2,
  } as const;
  const { records } = await transaction.read(selection);
  const found = JSON.parse(`[${records}]`) as Quote[];
  return found.find((quote) => quote.date < date && quote.symbol === symbol);
}

const NO_PROBLEMS: readonly FieldProblem[] = [];
