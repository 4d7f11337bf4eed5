import { isValidIsin } from '../../bonds/index.ts';
import type { Quote } from '../../catalogue/datasets/quotes.ts';
import { findViolation } from '../../catalogue/model/consistency-check.ts';
import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import { memoize } from '../../shared/memoize.ts';
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

/** Warns of periods missing between the first and last; these may repeat, in any order. */
export function findPeriodGaps(
  { period }: Pick<Dataset, 'period'>,
  records: readonly AnyRecord[],
): readonly Warning[] {
  if (!period) return NO_WARNINGS;
  const { field, kind } = period;
  const ordinals = records.map((record) => kind.toOrdinal(String(record[field])) ?? Number.NaN);
  const sorted = [...new Set(ordinals)].sort((a, b) => a - b);
  const [first = 0] = sorted;
  const last = sorted.at(-1) ?? first;
  const count = last - first + 1 - sorted.length;
  if (sorted.length === 0 || count === 0) return NO_WARNINGS;
  const labels = findFirstMissing(sorted).map(kind.formatLabel);
  const remaining = count > labels.length ? `, and ${count - labels.length} more` : '';
  const range = `from ${kind.formatLabel(first)} to ${kind.formatLabel(last)}`;
  const text = `${count} missing ${range}: ${labels.join(', ')}${remaining}`;
  return [{ rule: 'period-gap', field, value: labels[0], text }];
}

const MAX_LISTED_PERIODS = 5;

/** The first few: a wrong year can open a gap of thousands. */
function findFirstMissing(sorted: readonly number[]): number[] {
  const missing: number[] = [];
  for (const [index, ordinal] of sorted.entries()) {
    const next = sorted[index + 1] ?? ordinal;
    for (let gap = ordinal + 1; gap < next; gap += 1)
      if (missing.push(gap) === MAX_LISTED_PERIODS) return missing;
  }
  return missing;
}
