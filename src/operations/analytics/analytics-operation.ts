import { INSTRUMENT_TYPES, quotes } from '../../catalogue/datasets/quotes.ts';
import { type JsonSchema, schema } from '../../catalogue/model/json-schema.ts';
import type { Operation } from '../../catalogue/model/operation.ts';
import { type Parameter, parameter } from '../../catalogue/model/parameter.ts';
import { fieldsParameter, TABLE_PARAMETERS } from '../../catalogue/model/response-parameters.ts';
import { createLookupTable } from '../../shared/lookup-table.ts';
import { FIT_SCHEMA, MARKETS } from '../curve/curve-operation.ts';

const { symbol, date, type, sort, limit, cursor } = quotes.parameters;
const from = parameter.boundary('from', quotes.parameters.from);
const to = parameter.boundary('to', quotes.parameters.to);

const figure = (description: string): JsonSchema =>
  schema.nullable({ type: 'number' }, `${description}; null if it cannot be known`);

/** What identifies a security, at the end of the records of its figures. */
export const SECURITY_SCHEMAS = {
  isin: schema.string('ISIN of the security'),
  type: schema.choice(INSTRUMENT_TYPES, 'Instrument type'),
  name: schema.nullable({ type: 'string' }, 'Name of the security; null if it is not known'),
  maturityDate: { type: 'string', format: 'date', description: 'Maturity date' },
  couponRate: figure(
    'Coupon rate by the terms (percent); of a floater, the one of coupon-rates on that day, else the current one',
  ),
} satisfies Record<string, JsonSchema>;

export const FIGURE_SCHEMAS = {
  date: { type: 'string', format: 'date', description: 'Date of the quote' },
  symbol: schema.string('Symbol of the security'),
  settlementDate: {
    type: 'string',
    format: 'date',
    description:
      'When a trade of that date settles: by the terms of the security, else on the day that maturityYears count from, else on the next weekday, which is a business day if a calendar is named; on the day of issue at the earliest',
  },
  cleanPrice: figure(
    'Last price, else the middle of bid and ask, else the one side that has an order (per 100 of face value)',
  ),
  accrued: figure('Interest since the last coupon day, or since issue (per 100 of face value)'),
  dirtyPrice: figure('Clean price and accrued interest (per 100 of face value)'),
  ytm: figure(
    'Yield to maturity at that price (percent): compounded as often as coupons are paid, twice a year for zeros, simple for discount paper; as quoted if the terms are not known',
  ),
  macaulayDuration: figure('Macaulay duration (years)'),
  modifiedDuration: figure('Modified duration (years); as quoted if the terms are not known'),
  convexity: figure('Second derivative of price by yield, over price (years squared)'),
  dv01: figure('Price change of 100 of face value for one basis point'),
  spread: figure(
    'Yield over the fitted government yield of that day at the same maturityYears (basis points)',
  ),
  carry: figure(
    'What holding it to the horizon gives over its financing if its yield stays as it is: value then and coupons, less the dirty price with interest (percent of the dirty price)',
  ),
  rollDown: figure(
    'What it gives besides if the government curve stays as it is, so that its yield changes by the difference of the curve between both maturities (percent of the dirty price)',
  ),
  zSpread: figure(
    'Spread over the zero rates of the government curve that gives the dirty price, compounded twice a year (basis points)',
  ),
  fit: FIT_SCHEMA,
  discountMargin: figure(
    'Of a floater: yield at the dirty price if its current rate stays, over the zero rate of the government curve for one coupon period, both compounded as often as coupons are paid (basis points)',
  ),
  ...SECURITY_SCHEMAS,
} satisfies Record<string, JsonSchema>;

/** The figures of a security that can be columns of tables, with the units that their descriptions name. */
export const ANALYTICS_UNITS = {
  cleanPrice: 'per 100 of face value',
  accrued: 'per 100 of face value',
  dirtyPrice: 'per 100 of face value',
  ytm: 'percent',
  macaulayDuration: 'years',
  modifiedDuration: 'years',
  convexity: 'years squared',
  dv01: 'per 100 of face value',
  spread: 'basis points',
  carry: 'percent of the dirty price',
  rollDown: 'percent of the dirty price',
  zSpread: 'basis points',
  discountMargin: 'basis points',
} as const satisfies Partial<Record<keyof typeof FIGURE_SCHEMAS, string>>;

export type AnalyticsRecord = {
  readonly [Name in keyof typeof FIGURE_SCHEMAS]: string | number | null;
};

const HORIZON_MONTHS = createLookupTable({ '1M': 1, '3M': 3, '6M': 6, '1Y': 12 } as const);
const HORIZON_NAMES = Object.keys(HORIZON_MONTHS) as (keyof typeof HORIZON_MONTHS)[];
export const DEFAULT_HORIZON_MONTHS = HORIZON_MONTHS['3M'];

/** What carry and roll-down assume. */
export const HOLDING_PARAMETERS = {
  horizon: {
    ...parameter.choice('How long a security is held for carry and roll-down', HORIZON_NAMES, '3M'),
    parse: (text: string) => (HORIZON_MONTHS as Readonly<Record<string, number>>)[text],
  },
  repo: {
    ...parameter.text(
      'Rate of the financing for carry, in percent, simple; by default that of the government curve',
      '11.5',
    ),
    requirement: 'a rate in percent between -100 and 100 in plain decimals, such as 11.5',
    schema: { type: 'number', exclusiveMinimum: -100, exclusiveMaximum: 100 },
    parse: (text: string) => (/^-?\d{1,2}(\.\d+)?$/.test(text) ? Number(text) : undefined),
  } satisfies Parameter<number>,
};

/** The figures of a bond or bill that follow from its quotes and its terms. */
export const analyticsOperation = {
  name: 'analytics',
  title: 'Bond analytics',
  description:
    'What follows from the quotes of a security, of several, or of a whole market on one date: accrued interest, dirty price, yield, durations, convexity, price change for a basis point, the spread over the government curve, carry and roll-down over a horizon, and the Z-spread. With `symbol`, one date, a range of dates, or by default the newest quote of each; newest first. Without it, every security of `date`, of a range of dates, or of the newest date, by symbol. Of a floater, only the price, the quoted yield and duration, and the spread are given, and if `coupon-rates` has its current rate, accrued interest, dirty price and discount margin, and the yield if none is quoted.',
  tag: 'quotes',
  scope: quotes.scope,
  supportsAsOf: true,
  path: '/2.0/bnb/analytics',
  parameters: {
    symbol: {
      ...symbol,
      description:
        'Symbols or ISINs of securities; letter case is ignored. Without it, every security',
    },
    date,
    from,
    to,
    type,
    market: parameter.choice('Only paper of the government, or of others', MARKETS),
    ...HOLDING_PARAMETERS,
    sort,
    limit,
    cursor,
    fields: fieldsParameter(Object.keys(FIGURE_SCHEMAS)),
    ...TABLE_PARAMETERS,
  },
  isTabular: true,
  hasNoTotal: true,
  dataSchema: { type: 'array', items: schema.object(FIGURE_SCHEMAS) },
  example: [
    {
      date: '2026-06-30',
      symbol: 'ZZ12TB031226',
      settlementDate: '2026-07-01',
      cleanPrice: 95.4869,
      accrued: 0,
      dirtyPrice: 95.4869,
      ytm: 11.12992733,
      macaulayDuration: 0.42465753,
      modifiedDuration: 0.40549232,
      convexity: 0.32884804,
      dv01: 0.00387192,
      spread: 3.41207,
      carry: 0.05210437,
      rollDown: 0.03120984,
      zSpread: 2.90771,
      fit: 2,
      discountMargin: null,
      isin: 'ZZ0624197586',
      type: 'tbill',
      name: '12-month Treasury bill, 3 Dec 2026',
      maturityDate: '2026-12-03',
      couponRate: null,
    } satisfies AnalyticsRecord,
  ],
} as const satisfies Operation;
