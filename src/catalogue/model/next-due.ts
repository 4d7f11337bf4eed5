import { addBusinessDays, addMonths, DAY_MS, formatDay, parseDay } from '../../shared/calendar.ts';
import type { Dataset } from './dataset.ts';
import { findNextDay } from './expected-periods.ts';
import type { PeriodKind } from './period.ts';
import { PERIOD_TRAITS, type PeriodUnitTraits } from './period-unit.ts';
import type { PublicationSchedule } from './publication-schedule.ts';

/** The next period to be published, and when. Depends on the data, never on the clock. */
export interface NextDue {
  /** The label of the period, or its last day. */
  readonly period: string;
  /** It is due from this instant on, when the usual delay has passed. */
  readonly dueAt: string;
  /** It is late from this instant on, when the tolerance has passed, too. */
  readonly lateAt: string;
}

export interface NewestData {
  readonly dataset: Dataset;
  /** The last date, or the label of the last period; null if the dataset is empty. */
  readonly last: string | null;
  /** The newest days of a daily dataset, from which the next one is predicted. */
  readonly recentDays?: readonly string[];
  /** The last period of the funds of each frequency; for funds only. */
  readonly lastByFrequency?: readonly FundFrequency[];
  readonly lastRevision: { readonly sample: boolean } | null;
}

/** The last day of the newest period of any fund with this frequency. */
export interface FundFrequency {
  readonly frequency: string;
  readonly date: string;
}

/**
 * Null if nothing is expected: an empty dataset is not in use, made-up sample data does not continue, a
 * fund's frequency may be unknown, and reference data has no schedule.
 */
export function findNextDue(newest: NewestData): NextDue | null {
  const { dataset, last, lastByFrequency, lastRevision } = newest;
  const { schedule } = dataset;
  if (last === null || lastRevision?.sample || !schedule) return null;
  if (dataset.shape === 'fund') return findNextFundPeriod(schedule, lastByFrequency ?? []);
  if (dataset.shape === 'quotes') {
    const day = addBusinessDays(parseDay(last), 1);
    return addSchedule(schedule, formatDay(day), day);
  }
  const period = dataset.period && findNextLabel(dataset.period.kind, last, newest.recentDays);
  const lastDay = period === undefined ? undefined : dataset.period?.kind.findLastDay(period);
  if (period === undefined || lastDay === undefined) return null;
  return addSchedule(schedule, period, lastDay);
}

function findNextLabel(kind: PeriodKind, last: string, recentDays: readonly string[] = [last]) {
  if (!kind.hasHolidays) return kind.getNextLabel(last);
  const day = findNextDay(recentDays.map(parseDay));
  return day === undefined ? undefined : formatDay(day);
}

/** The last day of the newest data; undefined if there is none. */
export function findLastCoveredDay({
  dataset,
  last,
}: Pick<NewestData, 'dataset' | 'last'>): string | undefined {
  if (last === null) return undefined;
  if (!dataset.period) return last;
  const day = dataset.period.kind.findLastDay(last);
  return day === undefined ? undefined : formatDay(day);
}

export type Timeliness = 'on-time' | 'due' | 'late';

/** Whether the next period is due or late at an instant, and for how many whole days it has been due. */
export function judgeTimeliness(
  { dueAt, lateAt }: Pick<NextDue, 'dueAt' | 'lateAt'>,
  now: Date,
): { readonly timeliness: Timeliness; readonly daysDue: number } {
  const dueMs = now.getTime() - Date.parse(dueAt);
  if (dueMs < 0) return { timeliness: 'on-time', daysDue: 0 };
  const timeliness = now.getTime() < Date.parse(lateAt) ? 'due' : 'late';
  return { timeliness, daysDue: Math.floor(dueMs / DAY_MS) };
}

/**
 * Each frequency is expected by its newest period, so a fund that ended does not matter while others of its
 * frequency report; the frequency that is due first counts.
 */
function findNextFundPeriod(
  schedule: PublicationSchedule,
  lastByFrequency: readonly FundFrequency[],
): NextDue | null {
  const newestDay = Math.max(...lastByFrequency.map(({ date }) => parseDay(date)));
  const [first = null] = lastByFrequency
    .flatMap(({ frequency, date }) => {
      const lastDay = parseDay(date);
      const addPeriods = PERIODS_BY_FREQUENCY.get(frequency.trim().toLowerCase());
      // A frequency that missed several periods has ended if funds of other frequencies still report.
      if (!addPeriods || addPeriods(lastDay, MAX_MISSED_PERIODS) <= newestDay) return [];
      const nextDay = addPeriods(lastDay, 1);
      return [addSchedule(schedule, formatDay(nextDay), nextDay)];
    })
    .sort((a, b) => (a.dueAt < b.dueAt ? -1 : 1));
  return first;
}

const MAX_MISSED_PERIODS = 3;

type AddPeriods = (lastDay: number, count: number) => number;

const addMonthsOf =
  (months: number): AddPeriods =>
  (lastDay, count) =>
    // Counted from the first day of the next period, because months differ in length.
    addMonths(lastDay + 1, months * count) - 1;

function addPeriodsOf({ hasHolidays, length: { days = 0, months } }: PeriodUnitTraits): AddPeriods {
  if (hasHolidays) return addBusinessDays;
  return months === undefined ? (lastDay, count) => lastDay + days * count : addMonthsOf(months);
}

/** The frequencies of funds, which are free text. */
const PERIODS_BY_FREQUENCY: ReadonlyMap<string, AddPeriods> = new Map<string, AddPeriods>([
  ...Object.values(PERIOD_TRAITS).map((traits) => [traits.name, addPeriodsOf(traits)] as const),
  ['half-yearly', addMonthsOf(6)],
  ['semi-annual', addMonthsOf(6)],
  ['yearly', addMonthsOf(12)],
]);

function addSchedule(schedule: PublicationSchedule, period: string, lastDay: number): NextDue {
  const { cadence, delayDays, toleranceDays } = schedule;
  const addDays =
    cadence === 'daily' ? addBusinessDays : (day: number, count: number) => day + count;
  const usualDay = addDays(lastDay, delayDays);
  const date = findReleaseDate(schedule, usualDay);
  const dueDay = date === undefined ? usualDay : Math.floor(date / DAY_MS);
  const dueAt = date === undefined ? formatEndOfDay(dueDay) : new Date(date).toISOString();
  return { period, dueAt, lateAt: formatEndOfDay(addDays(dueDay, toleranceDays)) };
}

/** The announced instant that is nearest to the usual day, if it is nearer than that of other periods. */
function findReleaseDate({ cadence, dates = [] }: PublicationSchedule, usualDay: number) {
  const traits = Object.values(PERIOD_TRAITS).find(({ name }) => name === cadence);
  const maxDistance = (365 / (traits?.periodsPerYear ?? 365) / 2) * DAY_MS;
  const getDistance = (date: number) => Math.abs(date - (usualDay + 0.5) * DAY_MS);
  const [nearest] = dates.map(Date.parse).toSorted((a, b) => getDistance(a) - getDistance(b));
  return nearest !== undefined && getDistance(nearest) <= maxDistance ? nearest : undefined;
}

function formatEndOfDay(day: number): string {
  return new Date((day + 1) * DAY_MS).toISOString();
}
