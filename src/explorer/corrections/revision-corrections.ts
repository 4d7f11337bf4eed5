import {
  diffRecords,
  getPeriods,
  type RecordPeriod,
  type ValueDifference,
} from '../../catalogue/model/diff-records.ts';
import type { CorrectionEntry, DatasetEntry, JsonRecord } from '../api/types.ts';
import { formatDayLabel } from '../formatting/dates.ts';
import type { UnitInfo } from '../formatting/numbers.ts';
import { separatePeriodChanges } from './record-differences.ts';

/** A value that is another since a revision. */
export interface CorrectedValue {
  /** The label of its period or day, and what that is known by. */
  readonly period: string;
  readonly periodKey: string;
  /** What the views call it: `ytm`, `provinces.punjab`, of a fund the class. */
  readonly key: string;
  readonly title: string;
  readonly measure: UnitInfo;
  /** Undefined where there was none. */
  readonly old: unknown;
  /** Undefined where there is none any more. */
  readonly new: unknown;
}

/** The same, with the revision that changed it. */
export interface PreviousValue extends CorrectedValue {
  readonly revision: number;
}

/** What a revision did to what had been published before. */
export interface RevisionCorrections {
  readonly revision: number;
  readonly publishedAt: string;
  readonly values: readonly CorrectedValue[];
  /** Labels of periods that came, and that went. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Most corrections that a view of many asks for. */
export const MAX_CORRECTIONS = 200;

/** How a view calls and writes something; where it does not say, the catalogue does. */
type ValueLabel = Pick<CorrectedValue, 'key' | 'title' | 'measure'>;
type DatasetInfo = Pick<DatasetEntry, 'fields' | 'shape' | 'period'>;

/** What corrections did, newest first as they come: each revision in one. */
export function groupByRevision(
  entry: DatasetInfo,
  corrections: readonly CorrectionEntry[],
  parts: readonly ValueLabel[] = [],
): RevisionCorrections[] {
  const known = new Map(parts.map((part) => [part.key, part]));
  return [...Map.groupBy(corrections, ({ revision }) => revision)].map(([revision, those]) => {
    const done = those.map(({ old, new: now }) => describeRecordChange(entry, old, now, known));
    const values = done.flatMap((each) => each.values);
    return {
      revision,
      publishedAt: those[0]?.publishedAt ?? '',
      // Labels of periods have no order of their own, days have.
      values: entry.shape === 'series' ? values : values.toSorted(compareNewestFirst),
      added: done.flatMap(({ added }) => added),
      removed: done.flatMap(({ removed }) => removed),
    };
  });
}

type RecordEffects = Pick<RevisionCorrections, 'values' | 'added' | 'removed'>;

function describeRecordChange(
  entry: DatasetInfo,
  old: JsonRecord,
  now: JsonRecord | null,
  known: ReadonlyMap<string, ValueLabel>,
): RecordEffects {
  const own = getRecordPeriod(entry, now ?? old);
  if (!now) {
    const gone = own ? [own] : getPeriods(old);
    return { values: [], added: [], removed: gone.map(({ label }) => label) };
  }
  const { rest, ...periods } = separatePeriodChanges(diffRecords(entry, old, now));
  const values = rest.flatMap((difference) => {
    const { period = own, unitField, old: was, new: is } = difference;
    const key = getDifferenceKey(difference);
    // What belongs to no period is no figure: what a fund is called, how often it reports.
    if (!period || key === undefined) return [];
    const usual = {
      title: difference.key ?? difference.label,
      measure: unitField,
      ...known.get(key),
    };
    const { title, measure: by } = usual;
    return {
      period: period.label,
      periodKey: period.date,
      key,
      title,
      measure: by,
      old: was,
      new: is,
    };
  });
  return { ...periods, values };
}

function compareNewestFirst(one: CorrectedValue, other: CorrectedValue): number {
  return Date.parse(other.periodKey) - Date.parse(one.periodKey);
}

/** What a whole record is of; undefined where it has periods of its own. */
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

/** The last change of a value that there was. */
export function findLastCorrection(
  corrections: readonly RevisionCorrections[],
  at: string | undefined,
  key: string,
): PreviousValue | undefined {
  for (const { revision, values } of corrections) {
    const found = values.find((value) => value.periodKey === at && value.key === key);
    if (found) return { ...found, revision };
  }
  return undefined;
}

/** The newest revision that corrected something in the period. */
export function findLastRevision(
  corrections: readonly RevisionCorrections[],
  at: string | undefined,
): number | undefined {
  return corrections.find(({ values }) => values.some((value) => value.periodKey === at))?.revision;
}
