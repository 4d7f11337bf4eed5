import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import { foldAsciiCase } from '../../schema/fold-ascii-case.ts';
import { getKeyFields } from '../../schema/key-fields.ts';
import type { SecurityTerms } from '../../store/open-store.ts';
import type { Quote } from '../derivation/derive-fields.ts';
import { toPricingTerms } from '../derivation/stored-terms.ts';
import type { LoadReportBuilder } from '../load/load-report.ts';
import type { Warning } from '../quality/index.ts';
import { createQuoteMonitor, findPeriodGaps, findRecordWarnings } from '../quality/index.ts';

/** Looks at the records of a dataset that stand, in the order of answers, and reports what is odd. */
export function createCurrentRecordChecker(
  dataset: Dataset,
  terms: ReadonlyMap<string, SecurityTerms>,
  reporting: LoadReportBuilder,
) {
  const watch = dataset.shape === 'quotes' ? createQuoteMonitor() : undefined;
  const { period } = dataset;
  const places: number[] = [];
  const fields = getKeyFields(dataset);
  const warn = (warning: Warning, named: string) => {
    const text = named === '' ? warning.text : `${named}: ${warning.text}`;
    reporting.addWarning({ ...warning, text }, { file: dataset.name, place: 'line', at: null });
  };
  return {
    look(record: AnyRecord): void {
      const named = () => fields.map((field) => record[field]).join(' ');
      for (const warning of findRecordWarnings(dataset, record)) warn(warning, named());
      const kept = terms.get(foldAsciiCase(String(record.symbol)));
      for (const warning of watch?.check(record as Quote, kept && toPricingTerms(kept)) ?? []) {
        warn(warning, named());
      }
      if (period) places.push(period.kind.toOrdinal(String(record[period.field])) ?? Number.NaN);
    },
    /** Says what only the whole of the records tells. */
    end(): void {
      if (!period) return;
      for (const warning of findPeriodGaps(period.kind, places, period.field)) warn(warning, '');
    },
  };
}
