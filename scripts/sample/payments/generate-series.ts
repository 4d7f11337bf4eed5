import type { AnyRecord, Dataset, DatasetRecord } from '../../../src/catalogue/model/dataset.ts';
import { monthly, type PeriodKind } from '../../../src/catalogue/model/period.ts';
import type { PeriodUnit } from '../../../src/catalogue/model/period-unit.ts';
import { createRandom, type Random } from '../random.ts';

/** A figure: its start, its growth per period, and its typical random deviation, as fractions. */
export type FigureModel = readonly [
  start: number,
  growth: number,
  volatility: number,
  effects?: FigureEffects,
];

export interface FigureEffects {
  /** The factor of each quarter or month of the year. */
  readonly seasons?: readonly number[];
  /** The increase that each Eid adds to a period, as a fraction. */
  readonly eid?: number;
  /** The factor of a lockdown. */
  readonly lockdown?: number;
}

/** A model for every field of a series except its label and total. */
export type FigureModels<D> = {
  readonly [Name in Exclude<keyof DatasetRecord<D>, 'year' | 'period' | 'total'>]: FigureModel;
};

/** The records of a series, oldest first, with one decimal; the total is the exact sum. */
export function generateSeries<D extends Dataset>(
  { name, period, fields }: D,
  models: FigureModels<D>,
): AnyRecord[] {
  if (!period) throw new TypeError(`${name} has no periods`);
  const periods = listPeriods(period.kind);
  const columns = Object.entries<FigureModel>(models).map(([field, model]) => {
    return [field, simulateTenths(model, periods, createRandom(`${name} ${field}`))] as const;
  });
  return periods.map(({ label }, row) => {
    const tenths = columns.map(([field, values]) => [field, values[row] ?? 0] as const);
    const total = tenths.reduce((sum, [, value]) => sum + value, 0);
    return {
      [period.field]: label,
      ...Object.fromEntries(tenths.map(([field, value]) => [field, value / 10])),
      ...(Object.hasOwn(fields, 'total') && { total: total / 10 }),
    };
  });
}

/** The figure of each period in tenths: integers, so that their sum is exact. */
function simulateTenths(
  [start, growth, volatility, effects = {}]: FigureModel,
  periods: readonly SamplePeriod[],
  random: Random,
): number[] {
  const { seasons, eid = 0, lockdown = 1 } = effects;
  let trend = start;
  return periods.map(({ season, eidCount, isLockdown }) => {
    const seasonal = (seasons?.[season] ?? 1) + eidCount * eid;
    const noise = 1 + volatility * random.normal();
    const value = trend * seasonal * (isLockdown ? lockdown : 1) * noise;
    trend *= 1 + growth;
    return Math.round(value * 10);
  });
}

/** A period of a series, with everything that affects its figures. */
interface SamplePeriod {
  readonly label: string;
  /** 0 for January or the first quarter; 0 for every year. */
  readonly season: number;
  /** How many of the two Eids fall in it; both raise the demand for cash. */
  readonly eidCount: number;
  /** Whether the pandemic closed shops and branches. */
  readonly isLockdown: boolean;
}

/** The first and last period of every series, and how many of the newest are published last. */
export const SAMPLE_PERIODS: Readonly<
  Record<PeriodUnit, { readonly range: readonly [string, string]; readonly updateCount: number }>
> = {
  day: { range: ['2026-01-01', '2026-06-30'], updateCount: 30 },
  week: { range: ['2025-W01', '2026-W26'], updateCount: 4 },
  month: { range: ['Jan 2023', 'Jun 2026'], updateCount: 2 },
  quarter: { range: ['Q3 2018', 'Q2 2026'], updateCount: 1 },
  year: { range: ['2016', '2025'], updateCount: 0 },
};

/** The periods of the sample, oldest first. */
export function listPeriods(kind: PeriodKind): SamplePeriod[] {
  const [from = 0, to = 0] = SAMPLE_PERIODS[kind.unit].range.map((label) => kind.toOrdinal(label));
  return Array.from({ length: to - from + 1 }, (_, index) => {
    const ordinal = from + index;
    const includesMonth = (label: string) =>
      kind.findOrdinal(monthly.findLastDay(label) ?? 0) === ordinal;
    return {
      label: kind.formatLabel(ordinal),
      season: ordinal % kind.periodsPerYear,
      eidCount: EID_MONTHS.filter(includesMonth).length,
      isLockdown: LOCKDOWN_MONTHS.some(includesMonth),
    };
  });
}

/** The months of Eid al-Fitr and Eid al-Adha, which move through the calendar year. */
const EID_MONTHS = Object.entries({
  2018: ['Jun', 'Aug'],
  2019: ['Jun', 'Aug'],
  2020: ['May', 'Jul'],
  2021: ['May', 'Jul'],
  2022: ['May', 'Jul'],
  2023: ['Apr', 'Jun'],
  2024: ['Apr', 'Jun'],
  2025: ['Mar', 'Jun'],
  2026: ['Mar', 'May'],
}).flatMap(([year, months]) => months.map((month) => `${month} ${year}`));

const LOCKDOWN_MONTHS = ['Apr 2020', 'May 2020'];
