import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import { foldAsciiCase } from '../../schema/fold-ascii-case.ts';
import { getKeyFields } from '../../schema/key-fields.ts';
import type { SecurityTerms } from '../../store/open-store.ts';
import { toPricingTerms } from '../derivation/derive-fields.ts';
import type { LoadReportBuilder } from '../load/load-report.ts';
import {
  findPeriodGaps,
  findRecordWarnings,
  NO_WARNINGS,
  QuoteMonitor,
  type Warning,
} from '../quality/index.ts';

/** Adds the warnings about the current records of a dataset to a report. */
export function createCurrentRecordChecker(
  dataset: Dataset,
  termsBySymbol: ReadonlyMap<string, SecurityTerms>,
  report: LoadReportBuilder,
) {
  const monitor = dataset.shape === 'quotes' ? new QuoteMonitor() : undefined;
  const { period } = dataset;
  const ordinals: number[] = [];
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
      const terms = termsBySymbol.get(foldAsciiCase(String(record.symbol)));
      warn(monitor?.check(record as Quote, terms && toPricingTerms(terms)) ?? NO_WARNINGS, record);
      if (period) ordinals.push(period.kind.toOrdinal(String(record[period.field])) ?? Number.NaN);
    },
    /** Warns of gaps between all the periods. */
    finish(): void {
      if (period) warn(findPeriodGaps(period.kind, ordinals, period.field));
    },
  };
}
