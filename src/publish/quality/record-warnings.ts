import { isValidIsin } from '../../bonds/index.ts';
import type { Quote } from '../../catalogue/datasets/quotes.ts';
import { findViolation } from '../../catalogue/model/consistency-check.ts';
import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import { memoize } from '../../shared/memoize.ts';
import type { CurrentFund } from '../records/draft-record.ts';
import { findFundWarnings } from './fund-warnings.ts';
import { findFigureWarnings, findQuoteFigureWarnings } from './plausible-figures.ts';
import { NO_WARNINGS, type Warning } from './warning-rules.ts';

export function findRecordWarnings(dataset: Dataset, record: AnyRecord): readonly Warning[] {
  let warnings = NO_WARNINGS;
  for (const check of dataset.checks) {
    const text = findViolation(check, record);
    if (text === undefined) continue;
    const { name: rule, field } = check;
    warnings = [...warnings, { rule, field, value: record[field], text }];
  }
  const isQuotes = dataset.shape === 'quotes';
  const figureWarnings = isQuotes
    ? findQuoteFigureWarnings(record as Quote)
    : findFigureWarnings(dataset, record);
  if (figureWarnings.length > 0) warnings = [...warnings, ...figureWarnings];
  if (dataset.shape === 'fund') return [...warnings, ...findFundWarnings(record as CurrentFund)];
  if (!isQuotes) return warnings;
  const { date, isin, maturityDate } = record as Quote;
  if (!isValidIsinCached(isin)) {
    const text = `isin ${isin} is not of the form of ISO 6166, or its check digit is wrong`;
    warnings = [...warnings, { rule: 'isin-check-digit', field: 'isin', value: isin, text }];
  }
  if (maturityDate < date) {
    const text = `maturityDate ${maturityDate} is before the date of the quote, ${date}`;
    const warning = { field: 'maturityDate', value: maturityDate, text };
    warnings = [...warnings, { rule: 'maturity-before-date', ...warning }];
  }
  return warnings;
}

const MAX_CACHED_ISINS = 50_000;

/** A security is quoted on many days: checking its ISIN each time would cost more than all else. */
const isValidIsinCached = memoize(MAX_CACHED_ISINS, isValidIsin);
