import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import { foldAsciiCase } from '../../schema/fold-ascii-case.ts';
import { getKeyFields } from '../../schema/key-fields.ts';
import type { PricingTerms } from '../derivation/price-security.ts';
import type { LoadReportBuilder } from '../load/load-report.ts';
import { createFutureDateFinder } from '../quality/future-dates.ts';
import { QuoteWarnings } from '../quality/quote-warnings.ts';
import { findPeriodGaps, findRecordWarnings } from '../quality/record-warnings.ts';
import { findScaleJumps } from '../quality/scale-jumps.ts';
import { findSharedIsin, type QuoteIdentity } from '../quality/shared-isins.ts';
import { findThinDay } from '../quality/thin-days.ts';
import type { Warning } from '../quality/warning-rules.ts';

/** Warns of the current records of a dataset, as a load would. */
export function createCurrentRecordChecker(
  dataset: Dataset,
  termsBySymbol: ReadonlyMap<string, PricingTerms>,
  report: LoadReportBuilder,
  today: string,
) {
  const quoteWarnings = dataset.shape === 'quotes' ? new QuoteWarnings() : undefined;
  const findFutureDate = createFutureDateFinder(dataset, today);
  const { period } = dataset;
  const series: AnyRecord[] = [];
  const quotesByDay = new Map<string, number>();
  const keyFields = getKeyFields(dataset);
  const warn = (warnings: readonly Warning[], record?: AnyRecord) => {
    for (const warning of warnings) {
      const key = record && keyFields.map((field) => record[field]).join(' ');
      const text = key ? `${key}: ${warning.text}` : warning.text;
      report.addWarning({ ...warning, text }, { file: dataset.name, place: 'line', at: null });
    }
  };
  return {
    check(record: AnyRecord): void {
      warn(findRecordWarnings(dataset, record), record);
      const future = findFutureDate(record);
      if (future) {
        const { field, value, requirement } = future;
        warn(
          [{ rule: 'future-date', field, value, text: `${value} is not ${requirement}` }],
          record,
        );
      }
      if (quoteWarnings) {
        const quote = record as Quote;
        const terms = termsBySymbol.get(foldAsciiCase(quote.symbol));
        warn(quoteWarnings.check(quote, terms), record);
        quotesByDay.set(quote.date, (quotesByDay.get(quote.date) ?? 0) + 1);
      }
      if (period) series.push(record);
    },
    /** Reads the current records again where something was found that needs it. */
    async finish(readAgain: () => AsyncIterable<readonly AnyRecord[]>): Promise<void> {
      const shared = new Set(quoteWarnings?.isinSymbols.listShared());
      for (const warning of await findSharedIsins(shared, readAgain)) warn([warning]);
      const days = [...quotesByDay].map(([date, count]) => ({ date, count }));
      const thinDay = findThinDay(days.toSorted((a, b) => (a.date < b.date ? 1 : -1)));
      if (thinDay) warn([thinDay]);
      if (!period) return;
      for (const { warning } of findScaleJumps(dataset, series)) warn([warning]);
      const { field, kind } = period;
      const ordinals = series.map((record) => kind.toOrdinal(String(record[field])) ?? Number.NaN);
      warn(findPeriodGaps(kind, ordinals, field));
    },
  };
}

async function findSharedIsins(
  isins: ReadonlySet<string>,
  readAgain: () => AsyncIterable<readonly AnyRecord[]>,
): Promise<Warning[]> {
  if (isins.size === 0) return [];
  const quotesByIsin = new Map<string, QuoteIdentity[]>();
  for await (const records of readAgain()) {
    for (const { date, symbol, isin } of records as readonly Quote[]) {
      if (!isins.has(isin)) continue;
      const quotes = quotesByIsin.get(isin) ?? [];
      quotesByIsin.set(isin, quotes);
      quotes.push({ date, symbol, isin });
    }
  }
  return Array.from(quotesByIsin.values(), findSharedIsin).filter((warning) => !!warning);
}
