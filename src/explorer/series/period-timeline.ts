import {
  annual,
  listYearBefore,
  type PeriodKind,
  PUBLISHED_KINDS,
} from '../../catalogue/model/period.ts';
import { formatDay, isDay, parseDay } from '../../shared/calendar.ts';
import type { DatasetEntry, JsonRecord } from '../api/types.ts';
import { findSpanStart, type Span } from '../formatting/spans.ts';
import { parseOption } from '../routing/parse-option.ts';
import type { PeriodValues } from './breakdown-components.ts';

/** The records of a series by period, oldest first, with gaps for missing periods. */
export interface PeriodTimeline {
  readonly ordinals: readonly number[];
  /** As published; missing periods have their plain label. */
  readonly labels: readonly string[];
  /** What periods are called, if not by their labels; empty for gaps. */
  readonly names?: readonly string[] | undefined;
  readonly records: readonly (JsonRecord | undefined)[];
  /** The numbers of the last days of the periods. */
  readonly lastDays: readonly number[];
  readonly periodsPerYear: number;
  readonly periodNoun: string;
  readonly hasHolidays: boolean;
  /** The value a year before an index; for days, the newest in the week up to that day. */
  readonly getYearBefore: (values: PeriodValues, index: number) => number | undefined;
}

export function buildPeriodTimeline(
  { period }: { readonly period: { readonly field: string; readonly kind: string } | null },
  data: readonly JsonRecord[],
  isSparse = false,
): PeriodTimeline {
  if (!period) throw new TypeError('a series has a period');
  const { field } = period;
  const calendar = KINDS.find(({ name }) => name === period.kind) ?? annual;
  const { periodsPerYear, unit: periodNoun, hasHolidays } = calendar;
  const byOrdinal = new Map(
    data.flatMap((record) => {
      // Fiscal quarters of a declared dataset: Q1 FY2026.
      const ordinal = calendar.toOrdinal(String(record[field]).replace(/ FY/, ' '));
      return ordinal === undefined ? [] : [[ordinal, record] as const];
    }),
  );
  const sorted = [...byOrdinal.keys()].sort((a, b) => a - b);
  const [first = 0, last = 0] = [sorted[0], sorted.at(-1)];
  const length = byOrdinal.size === 0 ? 0 : last - first + 1;
  const ordinals = isSparse ? sorted : Array.from({ length }, (_, index) => first + index);
  const records = ordinals.map((ordinal) => byOrdinal.get(ordinal));
  const labels = ordinals.map((ordinal, index) =>
    String(records[index]?.[field] ?? calendar.formatLabel(ordinal)),
  );
  const lastDays = labels.map((label) => calendar.findLastDay(label) ?? 0);
  const indexes = new Map(ordinals.map((ordinal, index) => [ordinal, index]));
  const getYearBefore = (values: PeriodValues, index: number) =>
    listYearBefore(calendar, ordinals[index] ?? first)
      .map((ordinal) => values[indexes.get(ordinal) ?? -1])
      .find((value) => value !== undefined);
  const periods = { ordinals, labels, records, lastDays };
  return { ...periods, periodsPerYear, periodNoun, hasHolidays, getYearBefore };
}

/** Days without figures, such as holidays, are not missing. */
export function listMissingPeriods({ labels, records, hasHolidays }: PeriodTimeline): string[] {
  if (hasHolidays) return [];
  return labels.filter((_, index) => records[index] === undefined);
}

/** The kind of the periods in a table of several series. */
export function findCoarsestKind(entries: readonly Pick<DatasetEntry, 'period'>[]) {
  const isKind = ({ name }: PeriodKind) => entries.some(({ period }) => period?.kind === name);
  return KINDS.findLast(isKind)?.name ?? 'annual';
}

const KINDS = Object.values(PUBLISHED_KINDS);

/** The spans up to the newest period; by default, everything. */
export const PERIOD_SPANS = {
  All: 'All',
  '10Y': '10Y',
  '5Y': '5Y',
  '1Y': '1Y',
} as const satisfies Partial<Record<Span, string>>;

export type ShownTimeline = Pick<PeriodTimeline, 'labels' | 'lastDays'>;

/** Indexes of the first shown period, and of the one after the last. */
export type ShownRange = readonly [start: number, end: number];

/** The periods that the URL asks for: a span up to the newest, or from one label to another. */
export function findShownRange(
  { labels, lastDays }: ShownTimeline,
  { span, from = '', to = '' }: Readonly<Record<string, string>>,
): ShownRange {
  const { length } = labels;
  // A day may be one of another series.
  const isDaily = isDay(labels[0] ?? '');
  const first =
    isDaily && isDay(from)
      ? lastDays.findIndex((day) => day >= parseDay(from))
      : labels.indexOf(from);
  const last =
    isDaily && isDay(to)
      ? lastDays.findLastIndex((day) => day <= parseDay(to))
      : labels.lastIndexOf(to);
  if (from !== '' || to !== '') {
    const range = [Math.max(0, first), last < 0 ? length : last + 1] as const;
    if (range[0] < range[1]) return range;
  }
  const spanStart = findSpanStart(parseOption(PERIOD_SPANS, span), formatDay(lastDays.at(-1) ?? 0));
  const start = spanStart ? lastDays.findIndex((day) => day >= parseDay(spanStart)) : 0;
  return [Math.max(0, start), length];
}

/** The years in which periods end, the newest first. */
export function listYears({ lastDays }: Pick<ShownTimeline, 'lastDays'>): string[] {
  return [...new Set(lastDays.map(toYear))].toReversed();
}

export const toYear = (day: number) => formatDay(day).slice(0, 4);
