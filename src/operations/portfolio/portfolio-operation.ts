import { quotes } from '../../catalogue/datasets/quotes.ts';
import { type JsonSchema, schema } from '../../catalogue/model/json-schema.ts';
import type { Operation } from '../../catalogue/model/operation.ts';
import { type Parameter, parameter } from '../../catalogue/model/parameter.ts';
import { fieldsParameter, TABLE_PARAMETERS } from '../../catalogue/model/response-parameters.ts';
import { FIT_SCHEMA, parseList, parseTenor, type TenorValue } from '../curve/curve-operation.ts';

/** A face value of a security, negative for a short position. */
export interface Position {
  readonly security: string;
  readonly face: number;
}

const MAX_POSITIONS = 200;
const MAX_SHIFTS = 12;
const MAX_KEY_RATES = 30;
const MAX_SHIFT = 10_000;

/** Symbols may have colons; the last one precedes the face value. */
function parsePosition(text: string): Position | undefined {
  const [, security, face] = /^(.*\S):(-?\d{1,15}(?:\.\d+)?)$/.exec(text) ?? [];
  return security && security === security.trim() ? { security, face: Number(face) } : undefined;
}

const positionsParameter: Parameter<readonly Position[]> = {
  description: `Up to ${MAX_POSITIONS} symbols or ISINs, each with its face value after a colon; a negative one is a short position. One may come twice`,
  requirement: `up to ${MAX_POSITIONS} positions SYMBOL:FACE, separated by commas, such as ZZ12TB031226:5000000, each face in plain decimals`,
  schema: { type: 'string', minLength: 1 },
  example: 'Z05PIB151029:1000000,ZZ12TB031226:-500000',
  isRequired: true,
  parse(text) {
    const positions = text.split(',').map(parsePosition);
    const valid = positions.filter((position) => position !== undefined);
    return valid.length === positions.length && valid.length <= MAX_POSITIONS ? valid : undefined;
  },
  explain(text) {
    const parts = text.split(',');
    const index = parts.findIndex((part) => !parsePosition(part));
    return index < 0
      ? `there are ${parts.length}`
      : `position ${index + 1} is not written that way`;
  },
};

const shiftParameter: Parameter<readonly number[]> = {
  description: `Up to ${MAX_SHIFTS} parallel shifts of the zero rates (basis points); without any, there are no values`,
  requirement: `up to ${MAX_SHIFTS} numbers of basis points from -${MAX_SHIFT} to ${MAX_SHIFT}, separated by commas`,
  schema: { type: 'string', minLength: 1 },
  example: '-100,100',
  parse: (text) =>
    parseList(text, MAX_SHIFTS, (part) => {
      const isNumber = /^[-+ ]?\d{1,5}(\.\d+)?$/.test(part);
      return isNumber && Math.abs(Number(part)) <= MAX_SHIFT ? Number(part) : undefined;
    }),
};

const DEFAULT_KEY_RATE_TEXT = '1Y,2Y,5Y,10Y,20Y';
const parseKeyRates = (text: string) => {
  const tenors = parseList(text.toUpperCase(), MAX_KEY_RATES, parseTenor);
  const sorted = tenors?.toSorted((a, b) => a.years - b.years);
  return sorted?.every(({ years }, index) => years !== sorted[index - 1]?.years)
    ? sorted
    : undefined;
};
export const DEFAULT_KEY_RATES = parseKeyRates(DEFAULT_KEY_RATE_TEXT) ?? [];

const keyRatesParameter: Parameter<readonly TenorValue[]> = {
  description: 'Tenors of the key-rate durations',
  requirement: `up to ${MAX_KEY_RATES} different tenors such as 6M,1Y,10Y: whole days (D), weeks (W), months (M) or years (Y)`,
  schema: { type: 'string', minLength: 1, default: DEFAULT_KEY_RATE_TEXT },
  example: DEFAULT_KEY_RATE_TEXT,
  parse: parseKeyRates,
};

const nullable = (description: string, unit: string): JsonSchema =>
  schema.nullable({ type: 'number' }, `${description} (${unit}); null if it cannot be known`);
const text = (description: string): JsonSchema =>
  schema.nullable({ type: 'string' }, `${description}; null in the total`);

/** Why a position has no value, or none at other rates. */
export const UNVALUED_REASONS = [
  ...['not quoted', 'matured', 'no price', 'no terms', 'no rate', 'no figures', 'no curve'],
] as const;

const byName = (description: string, unit: string): JsonSchema => ({
  type: 'object',
  description: `${description} (${unit}); each is null if it cannot be known`,
  additionalProperties: { type: ['number', 'null'] },
});

const KEY_RATES =
  'Minus the relative change of value for a basis point of the zero rate at a tenor';
const VALUES = 'Market value if every zero rate changes by so many basis points';

const POSITION_SCHEMAS = {
  kind: schema.choice(['position', 'total'], 'The total follows the positions'),
  symbol: text('Symbol of the security, or the text of the request if it is not quoted'),
  isin: text('ISIN of the security, if it is quoted'),
  name: text('Name of the security, if it is known'),
  date: schema.nullable(
    { type: 'string', format: 'date' },
    'Date of the quote that it is valued at; in the total, the newest of them',
  ),
  face: schema.number('Face value; in the total, of all positions that have a value'),
  cleanPrice: nullable('Clean price', 'per 100 of face value'),
  marketValue: nullable('Face value × dirty price / 100: with accrued interest', 'face value'),
  accrued: nullable('Accrued interest of the face value', 'face value'),
  yield: nullable('Yield to maturity; in the total, the mean by market value', 'percent'),
  modifiedDuration: nullable('Modified duration; in the total, the mean by market value', 'years'),
  dv01: nullable('Fall of the market value for a basis point of its yield', 'face value'),
  convexity: nullable('Convexity; in the total, the mean by market value', 'years squared'),
  effectiveDuration: nullable(
    'Minus the relative change of value for a basis point of all zero rates, which the key-rate durations add up to',
    'years',
  ),
  keyRates: byName(KEY_RATES, 'years'),
  values: byName(VALUES, 'face value'),
  reason: schema.nullable(
    { type: 'string' },
    `Why it has no value, and is not in the total, or with no curve no value at other rates: ${UNVALUED_REASONS.join(', ')}; null if it has one. In the total, how many positions it is without`,
  ),
  fit: FIT_SCHEMA,
} satisfies Record<string, JsonSchema>;

/** The units that the descriptions name. */
export const PORTFOLIO_UNITS = {
  face: 'face value',
  marketValue: 'face value',
  accrued: 'face value',
  dv01: 'face value',
  cleanPrice: 'per 100 of face value',
  yield: 'percent',
  modifiedDuration: 'years',
  convexity: 'years squared',
  effectiveDuration: 'years',
  keyRates: 'years',
  values: 'face value',
} as const satisfies Partial<Record<keyof typeof POSITION_SCHEMAS, string>>;

/** The figures of positions and of all of them together. */
export const portfolioOperation = {
  name: 'portfolio',
  title: 'Figures of a portfolio',
  description:
    'Market value, accrued interest, yield, durations, key-rate durations and convexity of positions, and their values under parallel shifts of the government curve by full revaluation, with the Z-spread of each held; a record for each position, in the order of the request, and then the total. Each is valued at its newest quote up to `date`, or up to the newest date with quotes. What cannot be valued has a `reason`, and is in no total. In CSV, Arrow, Parquet and XLSX there is a column for each tenor and shift.',
  tag: 'quotes',
  scope: quotes.scope,
  supportsAsOf: true,
  path: '/2.0/bnb/portfolio',
  // Servers and proxies in between take no longer ones.
  maxAddressBytes: 8_000,
  parameters: {
    positions: positionsParameter,
    date: parameter.day('The newest quotes up to that date', '2026-06-30'),
    shift: shiftParameter,
    key_rates: keyRatesParameter,
    fields: fieldsParameter(Object.keys(POSITION_SCHEMAS)),
    ...TABLE_PARAMETERS,
  },
  isTabular: true,
  hasNoTotal: true,
  dataSchema: { type: 'array', items: schema.object(POSITION_SCHEMAS) },
  example: [
    {
      kind: 'position',
      symbol: 'ZZ12TB031226',
      isin: 'ZZ0624197586',
      name: '12-month Treasury bill, 3 Dec 2026',
      date: '2026-06-30',
      face: 1000000,
      cleanPrice: 95.4869,
      marketValue: 954869,
      accrued: 0,
      yield: 11.12992733,
      modifiedDuration: 0.40549232,
      dv01: 38.71921,
      convexity: 0.32884804,
      effectiveDuration: 0.40231,
      keyRates: { '1Y': 0.40231, '2Y': 0 },
      values: { '+100bp': 951033.1 },
      reason: null,
      fit: 2,
    },
  ],
} as const satisfies Operation;

/** The name of a shift: `+100bp`, which no object reorders as a number. */
export const formatShift = (shift: number) => `${shift < 0 ? '' : '+'}${shift}bp`;

/** The operation with a column for each tenor and shift. */
export function createPortfolioTable(keyRates: readonly TenorValue[], shifts: readonly number[]) {
  const toObject = (names: readonly string[], description: string, unit: string) =>
    schema.object(
      Object.fromEntries(names.map((name) => [name, nullable(`${description}: ${name}`, unit)])),
    );
  const { keyRates: _, values: __, reason, fit, ...first } = POSITION_SCHEMAS;
  const names = keyRates.map(({ tenor }) => tenor);
  const items = schema.object({
    ...first,
    keyRates: toObject(names, KEY_RATES, 'years'),
    values: toObject(shifts.map(formatShift), VALUES, 'face value'),
    reason,
    fit,
  });
  return { ...portfolioOperation, dataSchema: { type: 'array', items } } satisfies Operation;
}
