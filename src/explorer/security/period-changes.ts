import type { PeriodUnit } from '../../catalogue/model/period-unit.ts';
import { addDaysToDay, getEarlierDay } from '../formatting/dates.ts';

/** A figure of a day. */
export interface DayValue {
  readonly date: string;
  readonly value: number;
}

export const CHANGE_PERIODS = ['day', 'week', 'month', 'year'] as const satisfies PeriodUnit[];
export type ChangePeriod = (typeof CHANGE_PERIODS)[number];

export interface PeriodChanges {
  readonly newest: DayValue;
  /** The last figure up to the day to compare with; undefined if there is none. */
  readonly earlier: Readonly<Record<ChangePeriod, DayValue | undefined>>;
  /** The least and the greatest figure of the last 52 weeks. */
  readonly range: readonly [least: number, greatest: number];
}

const RANGE_DAYS = 52 * 7;
/** How far before the day to compare with its figure may be. */
const MAX_AGE_DAYS = 14;

/** The first day whose figures may be compared with, up to a year before a day. */
export function getFirstComparedDay(day: string): string {
  return addDaysToDay(getEarlierDay(day, 'year'), -MAX_AGE_DAYS);
}

/** Compares the newest of figures, which come newest first, with earlier ones; undefined without any. */
export function findPeriodChanges(values: readonly DayValue[]): PeriodChanges | undefined {
  const [newest] = values;
  if (!newest) return undefined;
  const findUpTo = (day: string) => {
    const found = values.find(({ date }) => date <= day);
    return found && found.date >= addDaysToDay(day, -MAX_AGE_DAYS) ? found : undefined;
  };
  const rangeStart = addDaysToDay(newest.date, -RANGE_DAYS);
  const inRange = values.flatMap(({ date, value }) => (date > rangeStart ? value : []));
  return {
    newest,
    earlier: Object.fromEntries(
      CHANGE_PERIODS.map((key) => [key, findUpTo(getEarlierDay(newest.date, key))]),
    ) as PeriodChanges['earlier'],
    range: [Math.min(...inRange), Math.max(...inRange)],
  };
}
