import { quotes } from '../../catalogue/datasets/quotes.ts';
import { schema } from '../../catalogue/model/json-schema.ts';
import type { Operation } from '../../catalogue/model/operation.ts';
import { type Parameter, parameter } from '../../catalogue/model/parameter.ts';
import { fieldsParameter, TABLE_PARAMETERS } from '../../catalogue/model/response-parameters.ts';
import {
  analyticsOperation,
  FIGURE_SCHEMAS,
  HOLDING_PARAMETERS,
} from '../analytics/analytics-operation.ts';

const NUMBER_PATTERN = /^-?\d{1,6}(\.\d+)?$/;

const numbers = (description: string, example: string): Parameter<readonly number[]> => ({
  description: `${description}: one for all symbols, or one for each, separated by commas`,
  requirement: `a number in plain decimals, such as ${example}, or one for each symbol, separated by commas`,
  schema: { type: 'string', minLength: 1 },
  example,
  parse(text) {
    const parts = text.split(',');
    return parts.every((part) => NUMBER_PATTERN.test(part)) ? parts.map(Number) : undefined;
  },
});

/** The figures of bonds and bills at prices, yields or spreads of a request. */
export const priceOperation = {
  name: 'price',
  title: 'Figures at a price',
  description:
    'The figures of securities at a clean price, a yield or a Z-spread that the request gives, one for all or one for each, in the order of the symbols; without any of the three, at its quoted price. They are settled, and compared with the government curve, as the newest quote of each up to `date` is. A figure that such a price does not have is null. The yield of a floater is computed, at its current rate.',
  tag: 'quotes',
  scope: quotes.scope,
  supportsAsOf: true,
  path: '/2.0/bnb/price',
  parameters: {
    symbol: {
      ...quotes.parameters.symbol,
      description: 'Symbols or ISINs of securities; letter case is ignored. One may come twice',
      isRequired: true,
    },
    date: parameter.day(
      'The newest quote of each security up to that date; by default its newest',
      '2026-06-30',
    ),
    price: numbers('Clean price (per 100 of face value)', '95.5'),
    yield: numbers('Yield to maturity (percent), as ytm', '11.25'),
    spread: numbers(
      'Spread over the zero rates of the government curve (basis points), as zSpread',
      '25',
    ),
    ...HOLDING_PARAMETERS,
    fields: fieldsParameter(Object.keys(FIGURE_SCHEMAS)),
    ...TABLE_PARAMETERS,
  },
  isTabular: true,
  hasNoTotal: true,
  dataSchema: { type: 'array', items: schema.object(FIGURE_SCHEMAS) },
  example: analyticsOperation.example,
} as const satisfies Operation;
