import {
  diffRecords,
  getPeriods,
  type RecordPeriod,
  type ValueDifference,
} from '../../catalogue/model/diff-records.ts';
import type { CorrectionEntry, DatasetEntry, JsonRecord } from '../api/types.ts';
import { getValueLabel, listDimensions } from '../datasets/dimensions.ts';
import { formatDayLabel, formatPeriodLabel } from '../formatting/dates.ts';
import { formatPair, getUnit, NO_VALUE, type UnitInfo } from '../formatting/numbers.ts';

export interface CorrectedValue {
  readonly period: string;
  /** The day of a quote, the last day of a fund's period, or the label of a series' period. */
  readonly periodKey: string;
  /** `ytm`, `provinces.punjab`; for a fund, the asset class. */
  readonly key: string;
  readonly title: string;
  readonly unitInfo: UnitInfo;
  /** Undefined if there was no value. */
  readonly old: unknown;
  /** Undefined if there is no value any more. */
  readonly new: unknown;
}

export interface PreviousValue extends CorrectedValue {
  readonly revision: number;
}

/** The changes that a revision made to published records. */
export interface RevisionCorrections {
  readonly revision: number;
  readonly publishedAt: string;
  readonly values: readonly CorrectedValue[];
  /** Labels of the periods that were added and removed. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** How a view labels and formats a value, instead of the catalogue's description and unit. */
export type ValueLabel = Pick<CorrectedValue, 'key' | 'title' | 'unitInfo'>;
/** Corrections by revision, the newest first. */
export type CorrectionList = readonly RevisionCorrections[];

type DatasetInfo = Pick<DatasetEntry, 'fields' | 'shape' | 'period' | 'key'>;

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
    const { period = recordPeriod, unitField } = difference;
    const key = getDifferenceKey(difference);
    // Only values of a period are figures; the frequency of a fund, for example, is not.
    if (!period || key === undefined) return [];
    return {
      title: difference.key ?? getTitle(difference),
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

/** Whether a record only gained periods, without changes to published ones. */
export function hasOnlyAddedPeriods(
  { old, new: current }: Pick<CorrectionEntry, 'old' | 'new'>,
  entry: Pick<DatasetEntry, 'fields'>,
): boolean {
  if (current === null) return false;
  const { added, removed, rest } = separatePeriodChanges(diffRecords(entry, old, current));
  if (added.length === 0 || removed.length > 0) return false;
  return rest.every(({ unitField }) => unitField.kind === 'instant');
}

function compareNewestFirst(a: CorrectedValue, b: CorrectedValue): number {
  return Date.parse(b.periodKey) - Date.parse(a.periodKey);
}

/** The period of a whole record, with the values of its dimensions; undefined if the record holds several. */
function getRecordPeriod(entry: DatasetInfo, record: JsonRecord): RecordPeriod | undefined {
  const { shape, period } = entry;
  if (shape === 'fund' || shape === 'reference') return undefined;
  const date = String(record[shape === 'quotes' ? 'date' : (period?.field ?? '')]);
  if (shape === 'quotes') return { label: formatDayLabel(date), date };
  return { label: formatSeriesKey(entry, record), date };
}

/** What names a record of a series: its period, and the labels of its dimensions' values. */
export function formatSeriesKey(
  entry: Pick<DatasetEntry, 'fields' | 'key' | 'period'>,
  record: JsonRecord,
): string {
  const labels = listDimensions(entry).map((name) => getValueLabel(entry, name, record[name]));
  return [formatPeriodLabel(String(record[entry.period?.field ?? ''])), ...labels].join(', ');
}

/** What a value is, without the codes that it can have. */
export const getTitle = ({ label, unitField }: Pick<ValueDifference, 'label' | 'unitField'>) =>
  'values' in unitField && unitField.values ? label.split(':', 1).join() : label;

function getDifferenceKey({ field, key, period }: ValueDifference): string | undefined {
  if (period) return key;
  return key === undefined ? field.name : `${field.name}.${key}`;
}

export function findLastCorrection(
  corrections: CorrectionList,
  periodKey: string | undefined,
  key: string,
): PreviousValue | undefined {
  for (const { revision, values } of corrections) {
    const value = values.find((each) => each.periodKey === periodKey && each.key === key);
    if (value) return { ...value, revision };
  }
  return undefined;
}

export function findLastRevision(corrections: CorrectionList, periodKey: string | undefined) {
  const isOfPeriod = (value: CorrectedValue) => value.periodKey === periodKey;
  return corrections.find(({ values }) => values.some(isOfPeriod))?.revision;
}

/** By period index: a note with the previous values of each corrected period, newest first. */
export function buildCorrectionNotes(
  corrections: CorrectionList,
  periodKeys: readonly string[],
  isIncluded = (_key: string) => true,
): Map<number, string> {
  const indexes = new Map(periodKeys.map((key, index) => [key, index]));
  const notes = new Map<number, string>();
  for (const { revision, publishedAt, values } of corrections) {
    const included = values.filter(({ key }) => isIncluded(key));
    for (const [periodKey, group] of Map.groupBy(included, (value) => value.periodKey)) {
      const index = indexes.get(periodKey);
      if (index === undefined) continue;
      const previous = group.map(formatPreviousValue);
      const day = formatDayLabel(publishedAt.slice(0, 10));
      const note = `Before revision ${revision} (${day}): ${previous.join(', ')}.`;
      notes.set(index, [notes.get(index), note].filter(Boolean).join(' '));
    }
  }
  return notes;
}

/** Indexes of the periods in which one value was corrected. */
export function findCorrectedIndexes(
  corrections: CorrectionList,
  periodKeys: readonly string[],
  key: string,
): ReadonlySet<number> {
  const values = corrections.flatMap((revision) => revision.values);
  const corrected = new Set(values.flatMap((each) => (each.key === key ? each.periodKey : [])));
  const isCorrected = (index: number) => corrected.has(periodKeys[index] ?? '');
  return new Set([...periodKeys.keys()].filter(isCorrected));
}

/** `Cash 9.3 %`. */
function formatPreviousValue({ title, unitInfo, ...value }: CorrectedValue): string {
  const { old } = formatPair(value.old, value.new, unitInfo);
  return `${title} ${old === NO_VALUE ? 'none' : `${old} ${getUnit(unitInfo)}`.trim()}`;
}
