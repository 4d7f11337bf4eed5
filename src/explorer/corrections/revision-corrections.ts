import {
  diffRecords,
  getPeriods,
  type RecordPeriod,
  type ValueDifference,
} from '../../catalogue/model/diff-records.ts';
import type { CorrectionEntry, DatasetEntry, JsonRecord } from '../api/types.ts';
import { formatDayLabel } from '../formatting/dates.ts';
import type { UnitInfo } from '../formatting/numbers.ts';

/** A value that a revision corrected. */
export interface CorrectedValue {
  readonly period: string;
  /** The day of a quote, the last day of a fund's period, the label of a series' period. */
  readonly periodKey: string;
  /** `ytm`, `provinces.punjab`; of a fund the asset class. */
  readonly key: string;
  readonly title: string;
  readonly unitInfo: UnitInfo;
  /** Undefined where there was no value. */
  readonly old: unknown;
  /** Undefined where there is no value any more. */
  readonly new: unknown;
}

export interface PreviousValue extends CorrectedValue {
  readonly revision: number;
}

/** What a revision changed in records that had been published before. */
export interface RevisionCorrections {
  readonly revision: number;
  readonly publishedAt: string;
  readonly values: readonly CorrectedValue[];
  /** Labels of the periods that were added and removed. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** How a view labels and formats a value, in place of the catalogue's description and unit. */
export type ValueLabel = Pick<CorrectedValue, 'key' | 'title' | 'unitInfo'>;
type DatasetInfo = Pick<DatasetEntry, 'fields' | 'shape' | 'period'>;

/** Corrections by revision, in the order of the response: newest first. */
export function groupByRevision(
  entry: DatasetInfo,
  corrections: readonly CorrectionEntry[],
  labels: readonly ValueLabel[] = [],
): RevisionCorrections[] {
  const labelsByKey = new Map(labels.map((label) => [label.key, label]));
  return [...Map.groupBy(corrections, ({ revision }) => revision)].map(([revision, group]) => {
    const effects = group.map((correction) => getEffects(entry, correction, labelsByKey));
    const values = effects.flatMap((effect) => effect.values);
    return {
      revision,
      publishedAt: group[0]?.publishedAt ?? '',
      // Only days can be sorted; labels of periods cannot.
      values: entry.shape === 'series' ? values : values.toSorted(compareNewestFirst),
      added: effects.flatMap(({ added }) => added),
      removed: effects.flatMap(({ removed }) => removed),
    };
  });
}

function getEffects(
  entry: DatasetInfo,
  { old, new: current }: CorrectionEntry,
  labels: ReadonlyMap<string, ValueLabel>,
): Pick<RevisionCorrections, 'values' | 'added' | 'removed'> {
  const recordPeriod = getRecordPeriod(entry, current ?? old);
  if (!current) {
    const removed = recordPeriod ? [recordPeriod] : getPeriods(old);
    return { values: [], added: [], removed: removed.map(({ label }) => label) };
  }
  const { rest, added, removed } = separatePeriodChanges(diffRecords(entry, old, current));
  const values = rest.flatMap((difference) => {
    const { period = recordPeriod, label, unitField } = difference;
    const key = getDifferenceKey(difference);
    // Only values of a period are figures, unlike the frequency of a fund.
    if (!period || key === undefined) return [];
    return {
      title: difference.key ?? label,
      unitInfo: unitField,
      ...labels.get(key),
      period: period.label,
      periodKey: period.date,
      key,
      old: difference.old,
      new: difference.new,
    };
  });
  return { values, added, removed };
}

/** Separates periods that were added or removed, with all their values, from other differences. */
export function separatePeriodChanges(differences: readonly ValueDifference[]) {
  const periods = differences.flatMap(({ key, period, ...rest }) =>
    period && key === undefined ? { ...rest, ...period } : [],
  );
  const added = periods.filter(({ old }) => old === undefined);
  const removed = periods.filter(({ new: current }) => current === undefined);
  const dates = new Set([...added, ...removed].map(({ date }) => date));
  return {
    added: added.map(({ label }) => label),
    removed: removed.map(({ label }) => label),
    rest: differences.filter(({ period }) => !period || !dates.has(period.date)),
  };
}

function compareNewestFirst(a: CorrectedValue, b: CorrectedValue): number {
  return Date.parse(b.periodKey) - Date.parse(a.periodKey);
}

/** The period of a whole record; undefined where the record holds several. */
function getRecordPeriod(
  { shape, period }: DatasetInfo,
  record: JsonRecord,
): RecordPeriod | undefined {
  if (shape === 'fund') return undefined;
  const date = String(record[shape === 'quotes' ? 'date' : (period?.field ?? '')]);
  return { label: shape === 'quotes' ? formatDayLabel(date) : date, date };
}

function getDifferenceKey({ field, key, period }: ValueDifference): string | undefined {
  if (period) return key;
  return key === undefined ? field.name : `${field.name}.${key}`;
}

/** The newest correction of a value. */
export function findLastCorrection(
  corrections: readonly RevisionCorrections[],
  periodKey: string | undefined,
  key: string,
): PreviousValue | undefined {
  for (const { revision, values } of corrections) {
    const value = values.find((each) => each.periodKey === periodKey && each.key === key);
    if (value) return { ...value, revision };
  }
  return undefined;
}

/** The newest revision that corrected a value of the period. */
export function findLastRevision(
  corrections: readonly RevisionCorrections[],
  periodKey: string | undefined,
): number | undefined {
  return corrections.find(({ values }) => values.some((value) => value.periodKey === periodKey))
    ?.revision;
}
