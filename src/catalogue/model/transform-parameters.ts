import { type Parameter, type Parameters, parameter } from './parameter.ts';
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

const SHARE_PATTERN = /^(0(\.\d+)?|1(\.0+)?)$/;

/** The parameters that say which figures of a coarser period are given although some are missing. */
export const COMPLETENESS_PARAMETERS = {
  min_share: {
    description:
      'The share of the expected figures that is enough for a mean, a first, last, least or greatest one; all of them by default',
    requirement: 'a share from 0 to 1 in plain decimals, such as 0.8',
    schema: { type: 'number', minimum: 0, maximum: 1 },
    example: '0.8',
    parse: (text) => (SHARE_PATTERN.test(text) ? Number(text) : undefined),
  } satisfies Parameter<number>,
  partial: parameter.choice(
    'Whether the period that is not over yet is given too, by the figures that there are so far',
    ['true', 'false'],
    'false',
  ),
} as const satisfies Parameters;

/** The parameters that transform figures: first they are aggregated, then units are applied. */
export const TRANSFORM_PARAMETERS = {
  ...FREQUENCY_PARAMETERS,
  aggregate: parameter.choice(
    'What becomes of the figures of a period, with frequency; by default the sum of flows, the last of stocks, the mean of rates and indexes. If some are missing, the result is null, unless min_share allows it',
    AGGREGATE_NAMES,
  ),
  ...COMPLETENESS_PARAMETERS,
  units: parameter.choice(
    `Units of the figures: ${Object.entries(UNITS_TITLES)
      .map((entry) => entry.join(' '))
      .join(', ')}`,
    UNITS_CODES,
    'lin',
  ),
} as const satisfies Parameters;
