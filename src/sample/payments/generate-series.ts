import type { AnyRecord, Dataset, DatasetRecord } from '../../catalogue/model/dataset.ts';
import { createRandom, type Random } from '../random.ts';
import { listPeriods, type SamplePeriod } from './sample-periods.ts';

export interface FigureModel {
  readonly start: number;
  /** Growth per period, as a fraction. */
  readonly growth: number;
  /** Factor of each quarter or month of the year. */
  readonly seasonalFactors?: readonly number[];
  /** What each Eid adds to a period, as a fraction. */
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
