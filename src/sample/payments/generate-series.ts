import type { AnyRecord, Dataset, DatasetRecord } from '../../catalogue/model/dataset.ts';
import { monthly, type PeriodKind } from '../../catalogue/model/period.ts';
import { createRandom, type Random } from '../random.ts';

export interface FigureModel {
  readonly start: number;
  /** Growth per period, as a fraction. */
  readonly growth: number;
  /** Factor of each quarter or month of the year. */
  readonly seasonalFactors?: readonly number[];
  /** The addition of each Eid to a period, as a fraction. */
  readonly eidEffect?: number;
  readonly lockdownFactor?: number;
  /** Typical random deviation of a period, as a fraction. */
  readonly volatility: number;
}

/** A model for every field of a series except its label and total. */
type FigureModels<D> = {
  readonly [Name in Exclude<keyof DatasetRecord<D>, 'year' | 'period' | 'total'>]: FigureModel;
};

/** The records of a series, oldest first, with one decimal; the total is the exact sum. */
export function generateSeries<D extends Dataset>(
  dataset: D,
  [first, last]: readonly [first: string, last: string],
  models: FigureModels<D>,
): DatasetRecord<D>[] {
  const { name, period, fields } = dataset;
  if (!period) throw new TypeError(`${name} has no periods`);
  const periods = listPeriods(period.kind, first, last);
  const columns = Object.entries<FigureModel>(models).map(([field, model]) => {
    return [field, simulateTenths(model, periods, createRandom(`${name} ${field}`))] as const;
  });
  return periods.map(({ label }, row) => {
    const tenths = columns.map(([field, values]) => [field, values[row] ?? 0] as const);
    const total = tenths.reduce((sum, [, value]) => sum + value, 0);
    const record: AnyRecord = {
      [period.field]: label,
      ...Object.fromEntries(tenths.map(([field, value]) => [field, value / 10])),
      ...(Object.hasOwn(fields, 'total') && { total: total / 10 }),
    };
    return record as DatasetRecord<D>;
  });
}

/** The figure of each period in tenths: integers, so that their sum is exact. */
function simulateTenths(
  model: FigureModel,
  periods: readonly SamplePeriod[],
  random: Random,
): number[] {
  const { start, growth, seasonalFactors, eidEffect = 0, lockdownFactor = 1, volatility } = model;
  let trend = start;
  return periods.map(({ season, eidCount, isLockdown }) => {
    const seasonal = (seasonalFactors?.[season] ?? 1) + eidCount * eidEffect;
    const noise = 1 + volatility * random.normal();
    const value = trend * seasonal * (isLockdown ? lockdownFactor : 1) * noise;
    trend *= 1 + growth;
    return Math.round(value * 10);
  });
}

/** A period of a series with what affects its figures. */
interface SamplePeriod {
  readonly label: string;
  /** 0 for January or the first quarter; 0 for every year. */
  readonly season: number;
  /** How many of the two Eids fall in it; both raise the demand for cash. */
  readonly eidCount: number;
  /** Whether the pandemic closed shops and branches. */
  readonly isLockdown: boolean;
}

/** The periods from one label to another, inclusive. */
export function listPeriods(kind: PeriodKind, first: string, last: string): SamplePeriod[] {
  const months = { annual: 12, quarterly: 3, monthly: 1 }[kind.name];
  const [from, to] = [kind.toOrdinal(first), kind.toOrdinal(last)];
  if (from === undefined || to === undefined) throw new RangeError(`no label: ${first}, ${last}`);
  return Array.from({ length: to - from + 1 }, (_, index) => {
    const ordinal = from + index;
    const includesMonth = (label: string) =>
      Math.floor((monthly.toOrdinal(label) ?? 0) / months) === ordinal;
    return {
      label: kind.formatLabel(ordinal),
      season: ordinal % (12 / months),
      eidCount: EID_MONTHS.filter(includesMonth).length,
      isLockdown: LOCKDOWN_MONTHS.some(includesMonth),
    };
  });
}

/** The months of Eid al-Fitr and Eid al-Adha, which move through the year. */
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
