import { type Parameters, parameter } from './parameter.ts';
import { listCoarserUnits } from './period-unit.ts';

/** The units of transformed figures, by FRED's codes. */
export const UNITS_TITLES = {
  lin: 'as published',
  chg: 'change',
  ch1: 'change from a year ago',
  pch: 'percent change',
  pc1: 'percent change from a year ago',
  pca: 'compounded annual rate of change',
  cch: 'continuously compounded rate of change',
  cca: 'continuously compounded annual rate of change',
  log: 'natural logarithm',
} as const;

export type UnitsCode = keyof typeof UNITS_TITLES;
export const UNITS_CODES = Object.keys(UNITS_TITLES) as UnitsCode[];

export const AGGREGATE_NAMES = ['sum', 'mean', 'first', 'last', 'min', 'max'] as const;
export type AggregateName = (typeof AGGREGATE_NAMES)[number];

/** The default aggregate of each kind of measure. */
export const DEFAULT_AGGREGATES = {
  flow: 'sum',
  stock: 'last',
  rate: 'mean',
  index: 'mean',
} as const satisfies Readonly<Record<string, AggregateName>>;

export type MeasureKind = keyof typeof DEFAULT_AGGREGATES;

const MONTHS_PER_YEAR = 12;

/** The parameters that choose the periods of a result. */
export const FREQUENCY_PARAMETERS = {
  frequency: parameter.choice(
    'Periods to aggregate into, which must be coarser than those of the dataset',
    listCoarserUnits('day'),
  ),
  year_start: parameter.integer(
    'The month in which the years of the result begin, with frequency quarter or year; by default as those of the dataset do',
    { max: MONTHS_PER_YEAR },
  ),
} as const satisfies Parameters;

/** The parameters that transform figures: first they are aggregated, then units are applied. */
export const TRANSFORM_PARAMETERS = {
  ...FREQUENCY_PARAMETERS,
  aggregate: parameter.choice(
    'What becomes of the figures of a period, with frequency; by default the sum of flows, the last of stocks, the mean of rates and indexes. Where some are missing, the result is null',
    AGGREGATE_NAMES,
  ),
  units: parameter.choice(
    `Units of the figures: ${Object.entries(UNITS_TITLES)
      .map((entry) => entry.join(' '))
      .join(', ')}`,
    UNITS_CODES,
    'lin',
  ),
} as const satisfies Parameters;
