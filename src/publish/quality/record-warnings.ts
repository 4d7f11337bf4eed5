import { isValidIsin } from '../../bonds/index.ts';
import type { Quote } from '../../catalogue/datasets/quotes.ts';
import { findViolation } from '../../catalogue/model/consistency-check.ts';
import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import { memoize } from '../../memoize.ts';
import { NO_WARNINGS, type Warning } from './warning-rules.ts';

/** The warnings about one valid record, without comparing it with others. */
export function findRecordWarnings(dataset: Dataset, record: AnyRecord): readonly Warning[] {
  let warnings = NO_WARNINGS;
  for (const check of dataset.checks) {
    const text = findViolation(check, record);
    if (text === undefined) continue;
    const { name: rule, field } = check;
    warnings = [...warnings, { rule, field, value: record[field], text }];
  }
  if (dataset.shape !== 'quotes') return warnings;
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
  for (const field of NON_NEGATIVE_FIELDS) {
    const value = (record as Quote)[field];
    if (value >= 0) continue;
    const text = `${field} ${value} is below 0`;
    warnings = [...warnings, { rule: 'negative-figure', field, value, text }];
  }
  return warnings;
}

const NON_NEGATIVE_FIELDS = [
  'bidPrice',
  'askPrice',
  'lastPrice',
  'bidVolume',
  'askVolume',
  'volume',
  'duration',
] as const;

const MAX_CACHED_ISINS = 50_000;

/** A security is quoted on many days: checking its ISIN each time would cost more than all else. */
const isValidIsinCached = memoize(MAX_CACHED_ISINS, isValidIsin);
