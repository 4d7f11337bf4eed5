import { couponRates } from '../../catalogue/datasets/coupon-rates.ts';
import { holidays } from '../../catalogue/datasets/holidays.ts';
import { quotes } from '../../catalogue/datasets/quotes.ts';
import { securities } from '../../catalogue/datasets/securities.ts';
import { getRowSchemas, type JsonSchema, schema } from '../../catalogue/model/json-schema.ts';
import type { Operation } from '../../catalogue/model/operation.ts';
import { cursorParameter, type Parameter, parameter } from '../../catalogue/model/parameter.ts';
import { listFinerUnits } from '../../catalogue/model/period-unit.ts';
import { fieldsParameter, TABLE_PARAMETERS } from '../../catalogue/model/response-parameters.ts';
import { isDay } from '../../shared/calendar.ts';
import { createLookupTable } from '../../shared/lookup-table.ts';

/** Government paper is of the types tbill and bond. */
export const MARKETS = ['government', 'corporate'] as const;
export type Market = (typeof MARKETS)[number];

/** Figures follow from quotes, from the terms of securities and rates of floaters, and from business days. */
export const FIGURE_DATASETS: readonly string[] = [quotes, securities, holidays, couponRates].map(
  ({ name }) => name,
);

export const MAX_CURVE_DATES = 12;
const MAX_TENORS = 100;

/** A time to maturity such as 3M, and its years. */
export interface TenorValue {
  readonly tenor: string;
  readonly years: number;
}

const YEARS_PER_UNIT = createLookupTable({ D: 1 / 365, W: 7 / 365, M: 1 / 12, Y: 1 });
const MAX_TENOR_YEARS = 100;

/** A number of days, weeks, months or years, in any letter case; undefined if the text is invalid. */
export function parseTenor(text: string): TenorValue | undefined {
  const tenor = text.toUpperCase();
  const [, count, unit] = /^([1-9]\d{0,4})([DWMY])$/.exec(tenor) ?? [];
  if (!count || !unit) return undefined;
  const years = Number(count) * YEARS_PER_UNIT[unit as keyof typeof YEARS_PER_UNIT];
  return years <= MAX_TENOR_YEARS ? { tenor, years } : undefined;
}

const DEFAULT_TENOR_TEXT = '1M,3M,6M,1Y,2Y,3Y,5Y,7Y,10Y,15Y,20Y,30Y';
export const DEFAULT_TENORS = parseList(DEFAULT_TENOR_TEXT, MAX_TENORS, parseTenor) ?? [];

const datesParameter: Parameter<readonly string[]> = {
  description: `Up to ${MAX_CURVE_DATES} dates, separated by commas; the newest date with quotes of the market by default`,
  requirement: `a calendar day as YYYY-MM-DD, or up to ${MAX_CURVE_DATES} of them separated by commas`,
  schema: { type: 'string', minLength: 1 },
  example: '2026-05-29,2026-06-30',
  parse: (text) => parseList(text, MAX_CURVE_DATES, (part) => (isDay(part) ? part : undefined)),
};

const tenorsParameter: Parameter<readonly TenorValue[]> = {
  description: `Up to ${MAX_TENORS} times to maturity, in days (D), weeks (W), months (M) or years (Y)`,
  requirement: `up to ${MAX_TENORS} tenors such as 3M,1Y,10Y: whole days (D), weeks (W), months (M) or years (Y), up to ${MAX_TENOR_YEARS} years`,
  schema: { type: 'string', minLength: 1, default: DEFAULT_TENOR_TEXT },
  example: '3M,1Y,10Y',
  parse: (text) => parseList(text.toUpperCase(), MAX_TENORS, parseTenor),
};

/** The values of a list; undefined if one is invalid, or if there are too many. */
export function parseList<T>(
  text: string,
  max: number,
  parse: (part: string) => T | undefined,
): T[] | undefined {
  // A part that comes twice counts once.
  const values = [...new Set(text.split(','))].map(parse);
  const valid = values.filter((value) => value !== undefined);
  return valid.length === values.length && values.length <= max ? valid : undefined;
}

const nullableNumber = (description: string): JsonSchema =>
  schema.nullable({ type: 'number' }, description);

const rate = (description: string): JsonSchema =>
  nullableNumber(
    `${description} (percent); null outside of the maturities quoted, and if there is no such curve`,
  );

const POINT_SCHEMAS = {
  tenor: schema.string('Time to maturity, as requested, in capital letters'),
  years: schema.number('The same in years, actual/365'),
  yield: rate('Yield on the curve fitted to quoted yields, as they are quoted'),
  zero: rate('Zero rate, compounded twice a year'),
  par: rate('Par rate, compounded twice a year'),
  forward: rate('Instantaneous forward rate, compounded continuously'),
  discountFactor: nullableNumber(
    'What 1 at that time is worth on the settlement day; null if zero is',
  ),
} satisfies Record<string, JsonSchema>;

/** The figures of a point, without its time to maturity. */
export const CURVE_RATES = ['yield', 'zero', 'par', 'forward', 'discountFactor'] as const;
export type CurveRate = (typeof CURVE_RATES)[number];

/** The units that the descriptions name. */
export const CURVE_UNITS = {
  years: 'years',
  yield: 'percent',
  zero: 'percent',
  par: 'percent',
  forward: 'percent',
  rmse: 'basis points',
} as const;

export const FIT_SCHEMA = schema.integer(
  'Version of the method that curves are fitted by: that of a later release may give other figures',
);

const CURVE_SCHEMAS = {
  date: { type: 'string', format: 'date', description: 'Date of the quotes' },
  market: schema.choice(MARKETS, 'Whose paper the curve is of'),
  method: {
    type: ['string', 'null'],
    enum: ['svensson', 'nelson-siegel', 'nelson-siegel-yields', 'not-converged', null],
    description:
      'How the discount function was fitted to dirty prices: svensson, or nelson-siegel to fewer than 20 securities. nelson-siegel-yields: the terms of too few securities are known, so there is only the curve of yields. not-converged: no best discount function was found. null: too few quotes for any curve',
  },
  parameters: {
    ...schema.object({
      beta0: schema.number('Level (percent)'),
      beta1: schema.number('Slope (percent)'),
      beta2: schema.number('Hump (percent)'),
      beta3: nullableNumber('Second hump (percent); null if the method is not svensson'),
      tau1: schema.number('Decay of slope and hump (years)'),
      tau2: nullableNumber('Decay of the second hump (years); null if the method is not svensson'),
    }),
    type: ['object', 'null'],
    description:
      'Of the curve that method names: zero rates compounded continuously, or yields as quoted; null if there is none',
  },
  rmse: nullableNumber(
    'Root mean square of the yield errors of the securities used (basis points); null if there is no curve',
  ),
  used: schema.integer('How many securities the curve was fitted to'),
  leftOut: schema.array(
    'The securities of the market that it was not fitted to, by symbol; no fit: it could have been, if there were a curve; not issued: not yet on the settlement day of the curve',
    schema.object({
      symbol: schema.string('Symbol of the security'),
      reason: schema.choice([
        'floating',
        'matured',
        'no fit',
        'no price',
        'no terms',
        'no yield',
        'not issued',
        'outlier',
      ]),
    }),
  ),
  points: schema.array(
    'A point for each tenor, in the order of the request',
    schema.object(POINT_SCHEMAS),
  ),
  usedSymbols: schema.array(
    'The securities that the curve was fitted to, sorted; every other one of the market is in leftOut',
    schema.string('Symbol of the security'),
  ),
  fit: FIT_SCHEMA,
  reason: schema.nullable(
    { type: 'string' },
    'Why there is no curve, or no discount function, such as "4 maturities; a fit needs 5"; null if there is one',
  ),
} satisfies Record<string, JsonSchema>;

export const DEFAULT_CURVES = 100;
const MAX_CURVES = 1_000;
const WIDE_RATES = ['yield', 'zero', 'par', 'forward'] as const satisfies readonly CurveRate[];

/** The yield curve and the discount function of a market. */
export const curveOperation = {
  name: 'curve',
  title: 'Yield curve',
  description:
    'The curve of government or corporate paper on up to 12 dates, or through time, newest first: `yield` is fitted to quoted yields; `zero`, `par`, `forward` and `discountFactor` come from a discount function fitted to dirty prices, with errors weighted by duration, and are null if the terms of too few securities are known. Floaters are left out, and outliers. Nothing is given beyond the longest or below the shortest maturity quoted. A date without quotes has a curve of nulls. With `from` or `to`, the curves of each day with quotes of the market, or with `every` of the last such day of each week, month or quarter, in pages of `limit` dates. In CSV, Arrow, Parquet and XLSX there is a row for each date and tenor, without `parameters`, `leftOut`, `usedSymbols` and `reason`; NDJSON with `fields` has the points with those that are theirs.',
  tag: 'quotes',
  scope: quotes.scope,
  supportsAsOf: true,
  path: '/2.0/bnb/curve',
  parameters: {
    date: datesParameter,
    from: parameter.boundary('from', {
      description: 'First date of a history, inclusive; not together with date',
      example: '2026-01-01',
    }),
    to: parameter.boundary('to', {
      description: 'Last date of a history, inclusive; not together with date',
      example: '2026-06-30',
    }),
    every: parameter.choice(
      'With from or to: each day with quotes of the market, or the last one of each week, month or quarter',
      listFinerUnits('year'),
      'day',
    ),
    limit: parameter.integer(
      `With from or to: maximum number of dates to return, by default ${DEFAULT_CURVES}`,
      { max: MAX_CURVES },
    ),
    cursor: cursorParameter,
    market: parameter.choice('Whose paper', MARKETS, 'government'),
    tenors: tenorsParameter,
    shape: parameter.choice(
      'Of every format but JSON: long has a row for each date and tenor, wide a row for each date and a column for each tenor',
      ['long', 'wide'],
      'long',
    ),
    rate: parameter.choice('The figure of the columns, with shape=wide', WIDE_RATES, 'yield'),
    fields: {
      ...fieldsParameter(Object.keys(getRowSchemas(CURVE_SCHEMAS, 'points'))),
      example: 'date,tenor,zero',
    },
    ...TABLE_PARAMETERS,
  },
  isTabular: true,
  hasNoTotal: true,
  rowList: 'points',
  dataSchema: { type: 'array', items: schema.object(CURVE_SCHEMAS) },
  example: [
    {
      date: '2026-06-30',
      market: 'government',
      method: 'nelson-siegel',
      parameters: {
        beta0: 12.318412,
        beta1: -1.273205,
        beta2: 0,
        beta3: null,
        tau1: 2,
        tau2: null,
      },
      rmse: 3.4127,
      used: 5,
      leftOut: [{ symbol: 'Z03PFL051126', reason: 'floating' }],
      points: [
        {
          tenor: '1Y',
          years: 1,
          yield: 11.392418,
          zero: 11.085243,
          par: 11.092117,
          forward: 10.885102,
          discountFactor: 0.897704218,
        },
      ],
      usedSymbols: ['Z05PIB151029', 'Z10PIB211032', 'Z20PIB230140', 'ZZ03TB030926', 'ZZ06TB031226'],
      fit: 2,
      reason: null,
    },
  ],
} as const satisfies Operation;

/** The operation with a row for each date, and a column for each tenor. */
export function createWideCurve(tenors: readonly TenorValue[], rateName: CurveRate): Operation {
  const unit = rateName === 'discountFactor' ? '' : CURVE_UNITS[rateName];
  const columns = tenors.map(({ tenor }) => [
    tenor,
    {
      ...POINT_SCHEMAS[rateName],
      unit,
      description: `${POINT_SCHEMAS[rateName].description}: ${tenor}`,
    },
  ]);
  const items = schema.object({ date: CURVE_SCHEMAS.date, ...Object.fromEntries(columns) });
  const { rowList: _, ...operation } = curveOperation;
  return { ...operation, dataSchema: { type: 'array', items } };
}
