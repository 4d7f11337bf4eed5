import { annual, monthly, type PeriodKind, quarterly } from '../../catalogue/model/period.ts';
import type { DatasetEntry, JsonRecord } from '../api/types.ts';

/** Records in their places in time, oldest first. A period that was left out has a place too. */
export interface Timeline {
  readonly ordinals: readonly number[];
  /** As published; of a period that was left out, its plain label. */
  readonly labels: readonly string[];
  readonly records: readonly (JsonRecord | undefined)[];
  /** How many places make a year; undefined where the kind of period is not known. */
  readonly periodsPerYear: number | undefined;
  /** What a period is called. */
  readonly periodNoun: string;
}

/** Puts the records of a series in their places. */
export function buildTimeline(
  { period }: Pick<DatasetEntry, 'period'>,
  data: readonly JsonRecord[],
): Timeline {
  const kind = period && PERIOD_CALENDARS[period.kind];
  const field = period?.field ?? '';
  if (!kind) return buildUncalendaredTimeline(data, field);
  const held = new Map(
    data.flatMap((record) => {
      const place = kind.calendar.toOrdinal(String(record[field]));
      return place === undefined ? [] : [[place, record] as const];
    }),
  );
  const [first, last] = [Math.min(...held.keys()), Math.max(...held.keys())];
  const length = held.size === 0 ? 0 : last - first + 1;
  const places = Array.from({ length }, (_, index) => first + index);
  const records = places.map((place) => held.get(place));
  const labels = places.map((place, index) =>
    String(records[index]?.[field] ?? kind.calendar.formatLabel(place)),
  );
  return { ordinals: places, labels, records, periodsPerYear: kind.perYear, periodNoun: kind.noun };
}

/** The labels of periods that are missing between the first and the last. */
export function findMissingPeriods({ labels, records }: Timeline): string[] {
  return labels.filter((_, index) => records[index] === undefined);
}

interface PeriodCalendar {
  readonly calendar: PeriodKind;
  readonly perYear: number;
  readonly noun: string;
}

const PERIOD_CALENDARS: Readonly<Record<string, PeriodCalendar>> = {
  annual: { calendar: annual, perYear: 1, noun: 'year' },
  quarterly: { calendar: quarterly, perYear: 4, noun: 'quarter' },
  monthly: { calendar: monthly, perYear: 12, noun: 'month' },
};

/** Answers come newest first. */
function buildUncalendaredTimeline(data: readonly JsonRecord[], field: string): Timeline {
  const records = data.toReversed();
  return {
    ordinals: records.map((_, index) => index),
    labels: records.map((record, index) => String(record[field] ?? index + 1)),
    records,
    periodsPerYear: undefined,
    periodNoun: 'period',
  };
}
