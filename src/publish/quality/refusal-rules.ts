import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import type { FieldProblem } from '../../schema/validate-record.ts';
import { addMonths, formatDay, getLastDayOfMonth, parseDay } from '../../shared/calendar.ts';
import type { ChangeCounts } from '../../store/open-store.ts';
import { type Completeness, hasStableSeries } from '../../store/series-coverage.ts';
import { GuardError } from '../errors.ts';

export const REFUSAL_BOUNDS = {
  /** A publisher may be a day ahead of UTC. */
  daysAhead: 1,
  /** The share of a dataset's records that `--replace` may retire. */
  retiredShare: 0.1,
  /** The share of the older records of a load that it may correct. */
  correctedShare: 0.5,
  /** Fewer corrections are never too many, because a small file may consist of corrections. */
  minCorrected: 10,
  /** The share of the series of the period before that the newest may lack. */
  missingShare: 0.5,
  /** Years and quarters may be fiscal, beginning up to this many months before calendar ones. */
  fiscalMonths: 6,
} as const;

interface RefusalRule {
  readonly when: string;
  /** The option that publishes anyway. */
  readonly option: string;
  readonly appliesTo: (dataset: Dataset) => boolean;
}

const { daysAhead, retiredShare, correctedShare, minCorrected, missingShare, fiscalMonths } =
  REFUSAL_BOUNDS;

/** Reasons to reject a load unless an option allows it, by stable names. */
export const REFUSAL_RULES = {
  'future-date': {
    when: `a quote is dated more than ${daysAhead} day after today (UTC), or a period has not started by then: a month of a series, a year or quarter (which may be fiscal, and begin ${fiscalMonths} months early), the month in which the period of a fund ends`,
    option: '--future allow',
    appliesTo: ({ shape }) => shape !== 'reference',
  },
  'retires-many': {
    when: `--replace, rows of SDMX-CSV that delete, or retire with a filter, would retire more than ${retiredShare * 100} % of the records`,
    option: '--retire-many',
    appliesTo: () => true,
  },
  'corrects-many': {
    when: `more than ${correctedShare * 100} % of the older records that are loaded would correct published ones, at least ${minCorrected}; or at least ${minCorrected} records that are more than ${correctedShare * 100} % of an older period. Older are quotes of days before the newest published day, records of a series before its last two published periods, and published funds, which are corrected if figures of a period before their newest published one change. New days and periods, and these newest ones, are not counted on either side, so they can be published again as often as one likes. Nor is a change of status alone: provisional figures become final without an option. Not checked for reference data`,
    option: '--correct-many',
    appliesTo: ({ shape }) => shape !== 'reference',
  },
  'lacks-many': {
    when: `a load adds a newest period, or one of up to 7 new ones, that lacks ${missingShare * 100} % or more of the series (combinations of dimension values, or keys of a list) of the period before, or has only blanks of them; not if the declaration says coverage open, nor at the first load`,
    option: '--partial',
    appliesTo: hasStableSeries,
  },
  'relabels-years': {
    when: 'a year would replace one whose label is of another kind, such as FY24 for 2024',
    option: '--relabel',
    appliesTo: ({ period }) => period?.kind.name === 'annual',
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
      return createFuturePeriodFinder(dataset, lastDay);
  }
}

function findFutureDay(field: string, value: string, lastDay: string): FieldProblem | undefined {
  return value <= lastDay ? undefined : { field, value, rule: `a day up to ${lastDay}` };
}

function createFuturePeriodFinder({ period }: Dataset, lastDay: string) {
  if (!period) return () => undefined;
  const { field, kind } = period;
  const offset = kind.yearStart === null ? fiscalMonths : 0;
  const lastOrdinal = kind.findOrdinal(addMonths(parseDay(lastDay), offset));
  const rule = `a period that has started by ${lastDay}, at most ${kind.formatLabel(lastOrdinal)}`;
  return (record: AnyRecord): FieldProblem | undefined => {
    const value = String(record[field]);
    const ordinal = kind.toOrdinal(value) ?? 0;
    return ordinal <= lastOrdinal ? undefined : { field, value, rule };
  };
}

/** Finds the reason to reject a load that would retire far more records than usual. */
export function findManyRetired(
  { name }: Dataset,
  { corrected, retired, unchanged }: ChangeCounts,
  what = '--replace',
): GuardError | undefined {
  const before = corrected + retired + unchanged;
  if (retired <= retiredShare * before) return undefined;
  return new GuardError(
    'retires-many',
    `${what} would retire ${retired} of ${before} records of ${name}, more than ${retiredShare * 100} %; ${REFUSAL_RULES['retires-many'].option} retires them`,
  );
}

/** Finds the reason to reject a release that lacks many series. */
export function limitMissingSeries(
  { name, period }: Dataset,
  { place, expected, missing }: Completeness,
): GuardError | undefined {
  const label = period?.kind.formatLabel(place);
  if (missing.length === 0 || missing.length < missingShare * expected) return undefined;
  return new GuardError(
    'lacks-many',
    `${label} of ${name} has ${expected - missing.length} of the ${expected} series of the period before; ${REFUSAL_RULES['lacks-many'].option} publishes it`,
  );
}
