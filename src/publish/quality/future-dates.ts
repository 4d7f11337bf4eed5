import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import { formatDay, getLastDayOfMonth, parseDay } from '../../shared/calendar.ts';
import { REFUSAL_BOUNDS } from './refusal-rules.ts';

/** A date or period that lies in the future. */
export interface FutureDate {
  readonly field: string;
  readonly value: string;
  /** The text after "must be". */
  readonly requirement: string;
}

/** Finds dates of valid records that are too far in the future; `today` is a day. */
export function createFutureDateFinder(
  dataset: Dataset,
  today: string,
): (record: AnyRecord) => FutureDate | undefined {
  const lastDay = formatDay(parseDay(today) + REFUSAL_BOUNDS.daysAhead);
  // `getLastDayOfMonth` counts months in the same way.
  const lastMonth = Number(lastDay.slice(0, 4)) * 12 + Number(lastDay.slice(5, 7)) - 1;
  switch (dataset.shape) {
    case 'quotes':
      return (record) => findFutureDay('date', record.date as string, lastDay);
    case 'fund': {
      const lastEnd = formatDay(getLastDayOfMonth(lastMonth));
      return ({ periods }) => {
        for (const { date } of periods as readonly { readonly date: string }[])
          if (date > lastEnd) return findFutureDay('periods', date, lastEnd);
        return undefined;
      };
    }
    default:
      return createFuturePeriodFinder(dataset, lastDay, lastMonth);
  }
}

function findFutureDay(field: string, value: string, lastDay: string): FutureDate | undefined {
  return value <= lastDay ? undefined : { field, value, requirement: `a day up to ${lastDay}` };
}

function createFuturePeriodFinder({ period }: Dataset, lastDay: string, lastMonth: number) {
  if (!period) return () => undefined;
  const { field, kind } = period;
  const offset = kind.name === 'monthly' ? 0 : REFUSAL_BOUNDS.fiscalMonths;
  const lastOrdinal = Math.floor((lastMonth + offset) / kind.months);
  const requirement = `a period that has started by ${lastDay}, at most ${kind.formatLabel(lastOrdinal)}`;
  return (record: AnyRecord): FutureDate | undefined => {
    const value = String(record[field]);
    const ordinal = kind.toOrdinal(value) ?? 0;
    return ordinal <= lastOrdinal ? undefined : { field, value, requirement };
  };
}
