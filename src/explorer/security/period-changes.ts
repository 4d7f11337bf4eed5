import type { PeriodUnit } from '../../catalogue/model/period-unit.ts';
import { addDaysToDay, getEarlierDay } from '../formatting/dates.ts';

export interface DayValue {
  readonly date: string;
  readonly value: number;
}

export const CHANGE_PERIODS = ['day', 'week', 'month', 'year'] as const satisfies PeriodUnit[];
export type ChangePeriod = (typeof CHANGE_PERIODS)[number];

export interface PeriodChanges {
  readonly newest: DayValue;
  /** The last figure up to the compared day; undefined if there is none. */
  readonly earlier: Readonly<Record<ChangePeriod, DayValue | undefined>>;
  /** The least and the greatest figure of the last 52 weeks. */
  readonly range: readonly [least: number, greatest: number];
}

const RANGE_DAYS = 52 * 7;
/** How old a figure may be on the compared day. */
const MAX_AGE_DAYS = 14;

/** The first day that a comparison over up to a year may need. */
export function getFirstComparedDay(day: string): string {
  return addDaysToDay(getEarlierDay(day, 'year'), -MAX_AGE_DAYS);
}

/** Compares the newest figure with earlier ones, given newest first; undefined without any. */
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
