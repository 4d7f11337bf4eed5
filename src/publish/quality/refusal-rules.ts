import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import type { FieldProblem } from '../../schema/validate-record.ts';
import { formatDay, getLastDayOfMonth, parseDay } from '../../shared/calendar.ts';
import type { ChangeCounts } from '../../store/open-store.ts';
import { PublishError } from '../errors.ts';

export const REFUSAL_BOUNDS = {
  /** A publisher may be a day ahead of UTC. */
  daysAhead: 1,
  /** The share of a dataset's records that `--replace` may retire. */
  retiredShare: 0.1,
  /** The share of the records that a load touches that it may correct. */
  correctedShare: 0.5,
  /** Fewer corrections than this are never too many: a small file may be all corrections. */
  minCorrected: 10,
  /** Years and quarters may be fiscal ones, which begin this many months before those of the calendar. */
  fiscalMonths: 6,
} as const;

interface RefusalRule {
  readonly when: string;
  /** The option that publishes nevertheless. */
  readonly option: string;
  readonly appliesTo: (dataset: Dataset) => boolean;
}

const { daysAhead, retiredShare, correctedShare, minCorrected, fiscalMonths } = REFUSAL_BOUNDS;

/** Reasons to reject a load unless an option allows it, by stable names. */
export const REFUSAL_RULES = {
  'future-date': {
    when: `a quote is dated more than ${daysAhead} day after today (UTC), or a period has not started by then: a month of a series, a year or quarter (which may be fiscal, and begin ${fiscalMonths} months early), the month in which the period of a fund ends`,
    option: '--future allow',
    appliesTo: ({ shape }) => shape !== 'reference',
  },
  'retires-many': {
    when: `--replace would retire more than ${retiredShare * 100} % of the records`,
    option: '--retire-many',
    appliesTo: () => true,
  },
  'corrects-many': {
    when: `more than ${correctedShare * 100} % of the records that are loaded would correct published ones, at least ${minCorrected}; of funds, those that change figures of published periods. Not checked for reference data`,
    option: '--correct-many',
    appliesTo: ({ shape }) => shape !== 'reference',
  },
} as const satisfies Record<string, RefusalRule>;

export function isRefusalRule(name: string): name is keyof typeof REFUSAL_RULES {
  return Object.hasOwn(REFUSAL_RULES, name);
}

/** Finds dates of valid records that are too far in the future; `today` is a day. */
export function createFutureDateFinder(
  dataset: Dataset,
  today: string,
): (record: AnyRecord) => FieldProblem | undefined {
  const lastDay = formatDay(parseDay(today) + daysAhead);
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

function findFutureDay(field: string, value: string, lastDay: string): FieldProblem | undefined {
  return value <= lastDay ? undefined : { field, value, rule: `a day up to ${lastDay}` };
}

function createFuturePeriodFinder({ period }: Dataset, lastDay: string, lastMonth: number) {
  if (!period) return () => undefined;
  const { field, kind } = period;
  const offset = kind.name === 'monthly' ? 0 : fiscalMonths;
  const lastOrdinal = Math.floor((lastMonth + offset) / kind.months);
  const rule = `a period that has started by ${lastDay}, at most ${kind.formatLabel(lastOrdinal)}`;
  return (record: AnyRecord): FieldProblem | undefined => {
    const value = String(record[field]);
    const ordinal = kind.toOrdinal(value) ?? 0;
    return ordinal <= lastOrdinal ? undefined : { field, value, rule };
  };
}

export interface ChangeLimitOptions {
  readonly canRetireMany?: boolean;
  readonly canCorrectMany?: boolean;
}

/**
 * Finds the reason to reject a load that would retire or correct far more than is usual. `corrected` is the number of
 * corrections that count: a fund is corrected by every new period, too.
 */
export function findUnusualChange(
  dataset: Dataset,
  { added, retired, unchanged, corrected: allCorrected }: ChangeCounts,
  corrected: number,
  { canRetireMany = false, canCorrectMany = false }: ChangeLimitOptions,
): PublishError | undefined {
  const before = allCorrected + retired + unchanged;
  if (!canRetireMany && retired > retiredShare * before)
    return new PublishError(
      `nothing was published: --replace would retire ${retired} of ${before} records of ${dataset.name}, more than ${retiredShare * 100} %; ${REFUSAL_RULES['retires-many'].option} retires them`,
    );
  const touched = added + allCorrected + unchanged;
  const isChecked = REFUSAL_RULES['corrects-many'].appliesTo(dataset);
  const isMany = corrected >= minCorrected && corrected > correctedShare * touched;
  if (isChecked && !canCorrectMany && isMany)
    return new PublishError(
      `nothing was published: ${corrected} of ${touched} records of ${dataset.name} that are loaded would correct published ones, more than ${correctedShare * 100} %; ${REFUSAL_RULES['corrects-many'].option} corrects them`,
    );
  return undefined;
}
