import type { AnyRecord, Dataset, DatasetRecord } from '../../catalogue/model/dataset.ts';
import { createRandom, type Random } from '../random.ts';
import { listPeriods, type SamplePeriod } from './sample-periods.ts';

/** How a figure goes: from where, how fast, with which seasons. */
export interface FigureModel {
  readonly start: number;
  /** By what part it grows from one period to the next. */
  readonly growth: number;
  /** What each quarter or month makes of it; nothing where absent. */
  readonly seasonalFactors?: readonly number[];
  /** What one Eid adds to a period, as a part. */
  readonly eidEffect?: number;
  /** What is left of it while everything is shut. */
  readonly lockdownFactor?: number;
  /** By what part a period strays from all that. */
  readonly volatility: number;
}

/** A figure for every field of a series but its label and its total. */
export type FigureModels<D> = {
  readonly [Name in Exclude<keyof DatasetRecord<D>, 'year' | 'period' | 'total'>]: FigureModel;
};

/**
 * The records of a series, oldest first, with one decimal. Where the series has a total, that is
 * exactly what the others add up to.
 */
export function generateSeries<D extends Dataset>(
  dataset: D,
  [first, last]: readonly [first: string, last: string],
  figures: FigureModels<D>,
): DatasetRecord<D>[] {
  const { name, period, fields } = dataset;
  if (!period) throw new TypeError(`${name} has no periods`);
  const periods = listPeriods(period.kind, first, last);
  const columns = Object.entries<FigureModel>(figures).map(([field, figure]) => {
    return [field, simulateTenths(figure, periods, createRandom(`${name} ${field}`))] as const;
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

/** The figure in tenths, period by period. Whole numbers, so that their sum is exact. */
function simulateTenths(
  figure: FigureModel,
  periods: readonly SamplePeriod[],
  random: Random,
): number[] {
  let trend = figure.start;
  return periods.map(({ season, eidCount, isLockdown }) => {
    const seasonal = (figure.seasonalFactors?.[season] ?? 1) + eidCount * (figure.eidEffect ?? 0);
    const stray = 1 + figure.volatility * random.normal();
    const value = trend * seasonal * (isLockdown ? (figure.lockdownFactor ?? 1) : 1) * stray;
    trend *= 1 + figure.growth;
    return Math.round(value * 10);
  });
}
