import { quotes } from '../../catalogue/datasets/quotes.ts';
import { type JsonSchema, schema } from '../../catalogue/model/json-schema.ts';
import type { Operation } from '../../catalogue/model/operation.ts';
import { fieldsParameter, TABLE_PARAMETERS } from '../../catalogue/model/response-parameters.ts';
import { SECURITY_SCHEMAS } from '../analytics/analytics-operation.ts';

const amount = (description: string): JsonSchema =>
  schema.nullable({ type: 'number' }, `${description} (per 100 of face value)`);

const FLOW_SCHEMAS = {
  date: { type: 'string', format: 'date', description: 'Day of the payment' },
  coupon: amount('Interest; null if the terms are not known, or of a floater'),
  principal: schema.number('Principal (per 100 of face value)'),
  amount: amount('Both together; null if the coupon is'),
  years: schema.number('From settlement, actual/365'),
  discountFactor: schema.nullable(
    { type: 'number' },
    'What 1 at that time is worth on the settlement day, by the government curve of the date, whose fit is its version; null without one, and beyond the longest maturity quoted',
  ),
  presentValue: amount('Amount times discount factor; null if one of them is'),
  symbol: schema.string('Symbol of the security'),
  ...SECURITY_SCHEMAS,
} satisfies Record<string, JsonSchema>;

export type CashFlowRecord = {
  readonly [Name in keyof typeof FLOW_SCHEMAS]: string | number | null;
};

const { symbol, date } = quotes.parameters;

/** The payments that bonds and bills are still to make. */
export const cashFlowsOperation = {
  name: 'cashflows',
  title: 'Cash flows',
  description:
    'What securities pay after the settlement of their quotes on a date, or of the newest quote of each, in the order of the quotes and then of the days: coupons by its terms, which are not moved to business days, and the principal. A coupon that belongs to the seller is left out. Without terms, and of a floater, only the principal is known. One that is not quoted on that date, or has matured, has none.',
  tag: 'quotes',
  scope: quotes.scope,
  supportsAsOf: true,
  path: '/2.0/bnb/cashflows',
  parameters: {
    symbol: {
      ...symbol,
      description: 'Symbols or ISINs of securities; letter case is ignored',
      isRequired: true,
    },
    date: { ...date, description: 'Date of the quote; that of the newest one by default' },
    fields: fieldsParameter(Object.keys(FLOW_SCHEMAS)),
    ...TABLE_PARAMETERS,
  },
  isTabular: true,
  hasNoTotal: true,
  dataSchema: { type: 'array', items: schema.object(FLOW_SCHEMAS) },
  example: [
    {
      date: '2026-12-03',
      coupon: 0,
      principal: 100,
      amount: 100,
      years: 0.42465753,
      discountFactor: 0.954612503,
      presentValue: 95.4612503,
      symbol: 'ZZ12TB031226',
      isin: 'ZZ0624197586',
      type: 'tbill',
      name: '12-month Treasury bill, 3 Dec 2026',
      maturityDate: '2026-12-03',
      couponRate: null,
    } satisfies CashFlowRecord,
  ],
} as const satisfies Operation;
