import { isValidIsin } from '../../bonds/index.ts';
import type { Quote } from '../../catalogue/datasets/quotes.ts';
import { findViolation } from '../../catalogue/model/consistency-check.ts';
import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import { monthly } from '../../catalogue/model/period.ts';
import { getLastDayOfMonth, parseDay } from '../../shared/calendar.ts';
import { memoize, memoizeByIdentity } from '../../shared/memoize.ts';
import type { CurrentFund } from '../records/draft-record.ts';
import { findCaseVariant } from './case-variants.ts';
import { countDigits } from './period-warnings.ts';
import { findFigureWarnings, findQuoteFigureWarnings } from './plausible-figures.ts';
import { FREQUENCIES, NO_WARNINGS, WARNING_THRESHOLDS, type Warning } from './warning-rules.ts';

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
  for (const { field, codes } of listKnownCodes(dataset)) {
    const value = String(record[field]);
    if (codes.has(value)) continue;
    const known = [...codes].slice(0, MAX_LISTED_CODES).join(', ');
    const more = codes.size > MAX_LISTED_CODES ? `, and ${codes.size - MAX_LISTED_CODES} more` : '';
    const text = `${field} ${value} is not one of ${known}${more}`;
    warnings = [...warnings, { rule: 'unknown-code', field, value, text }];
  }
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

const MAX_LISTED_CODES = 10;

/** The dimensions with known codes, except those in which an unknown code is a problem. */
export const listKnownCodes = memoizeByIdentity(({ declaration }: Dataset) =>
  (declaration?.dimensions ?? []).flatMap(({ field, codes, codesStrict }) =>
    codes && !codesStrict ? [{ field, codes: new Set(Object.keys(codes)) }] : [],
  ),
);

const MAX_CACHED_ISINS = 50_000;

/** Cached because securities are quoted on many days, and checking ISINs would cost more than everything else. */
const isValidIsinCached = memoize(MAX_CACHED_ISINS, isValidIsin);

/** Warns about the labels of a valid fund, and about a newest period that repeats the previous one. */
function findFundWarnings({ frequency, periods, rows }: CurrentFund): Warning[] {
  const warnings: Warning[] = [];
  const variant = findCaseVariant(rows.map(({ label }) => label));
  if (variant) warnings.push({ ...variant, field: 'rows' });
  const spelling = String(frequency).toLowerCase();
  if (!FREQUENCIES.some((name) => name === spelling)) {
    const text = `frequency ${frequency} is not one of ${FREQUENCIES.join(', ')}`;
    warnings.push({ rule: 'unknown-frequency', field: 'frequency', value: frequency, text });
  }
  const odd = periods.find(
    ({ label, date }, index) =>
      !isOfMonth(label, date) ||
      (!SEVERAL_A_MONTH.test(spelling) && periods.slice(0, index).some((p) => p.label === label)),
  );
  if (odd) {
    const text = `"${odd.label}" is the label of ${odd.date}, which is of another month or not the only one`;
    warnings.push({ rule: 'period-label', field: 'periods', value: odd.label, text });
  }
  const [newest, previous] = [...periods.keys()].toSorted((a, b) =>
    String(periods[a]?.date) < String(periods[b]?.date) ? 1 : -1,
  );
  if (newest === undefined || previous === undefined) return warnings;
  const isRepeated = rows.every(({ values }) => values[newest] === values[previous]);
  const digits = countDigits(rows.map(({ values }) => values[newest] ?? 0));
  if (isRepeated && digits >= WARNING_THRESHOLDS.repeatedDigits) {
    const label = periods[newest]?.label;
    const text = `every figure of ${label} is that of ${periods[previous]?.label}`;
    warnings.push({ rule: 'figures-repeated', field: 'rows', value: label, text });
  }
  return warnings;
}

const SEVERAL_A_MONTH = /^(?:daily|weekly|fortnightly)$/;

/** Whether the month in a label is that of its date, or of a few days earlier. */
function isOfMonth(label: string, date: string): boolean {
  const month = monthly.toOrdinal(label);
  if (month === undefined) return true;
  const day = parseDay(date);
  return day > getLastDayOfMonth(month - 1) && day <= getLastDayOfMonth(month) + 7;
}
