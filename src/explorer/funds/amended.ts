import type { Amended, Amendment } from '../composition/amendments.ts';
import type { Measure } from '../composition/part.ts';
import type { Correction } from '../service/catalogue.ts';
import { type FundRecord, shareOf } from './fund.ts';

/** What corrections did to a fund: which periods came and went, and which shares changed. */
export function amendmentsOf(
  corrections: readonly Correction<FundRecord>[],
  measure: Measure,
): Amendment[] {
  return corrections.map(({ revision, publishedAt, old, new: now }) => {
    const known = { revision, publishedAt };
    const labelsOf = ({ periods }: FundRecord) => periods.map(({ label }) => label);
    if (!now) return { ...known, figures: [], added: [], removed: labelsOf(old) };
    return {
      ...known,
      figures: changedShares(old, now, measure),
      added: labelsOf(without(now, old)),
      removed: labelsOf(without(old, now)),
    };
  });
}

/** The record with only those periods that the other has not. */
function without(record: FundRecord, { periods }: FundRecord): FundRecord {
  const dates = new Set(periods.map(({ date }) => date));
  return { ...record, periods: record.periods.filter(({ date }) => !dates.has(date)) };
}

function changedShares(old: FundRecord, now: FundRecord, measure: Measure): Amended[] {
  const labels = new Set([...now.rows, ...old.rows].map(({ label }) => label));
  return now.periods.flatMap(({ label: period, date }, index) => {
    const before = old.periods.findIndex((each) => each.date === date);
    if (before < 0) return [];
    return [...labels].flatMap((label): Amended[] => {
      const values = { old: shareOf(old, label, before), new: shareOf(now, label, index) };
      if (values.old === values.new) return [];
      return [{ period, at: date, key: label, title: label, measure, ...values }];
    });
  });
}
