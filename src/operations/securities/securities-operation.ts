import { quotes } from '../../catalogue/datasets/quotes.ts';
import { securities } from '../../catalogue/datasets/securities.ts';
import type { RecordOfFields } from '../../catalogue/model/field.ts';
import { day, nullable } from '../../catalogue/model/field-builders.ts';
import { fieldsSchema } from '../../catalogue/model/json-schema.ts';
import type { Operation } from '../../catalogue/model/operation.ts';

const { symbol, isin, ...TERM_FIELDS } = securities.fields;
const { symbol: _symbol, isin: _isin, ...EXAMPLE_TERMS } = securities.example;

const SECURITY_FIELDS = {
  symbol,
  isin,
  type: nullable(quotes.fields.type),
  maturityDate: nullable(quotes.fields.maturityDate),
  firstDate: nullable(day('First date that it was quoted on')),
  lastDate: nullable(day('Last date that it was quoted on')),
  ...TERM_FIELDS,
};

export type SecuritySummary = RecordOfFields<typeof SECURITY_FIELDS>;

/** Every security that was ever quoted, or that reference data describes. */
export const securitiesOperation = {
  tag: 'discovery',
  supportsAsOf: true,
  parameters: securities.parameters,
  name: 'securities',
  title: 'Securities',
  description:
    'Every security ever quoted, matured ones included, and every one that reference data describes, by symbol. ISIN, type and maturity are those of its newest quote; type, maturity and both dates are null if it was never quoted. What follows them is reference data, null if unknown. `q` finds parts of symbols, ISINs and names.',
  path: '/2.0/bnb/securities',
  scope: quotes.scope,
  isTabular: true,
  dataSchema: { type: 'array', items: fieldsSchema(SECURITY_FIELDS) },
  example: [
    {
      symbol: quotes.example.symbol,
      isin: quotes.example.isin,
      type: quotes.example.type,
      maturityDate: quotes.example.maturityDate,
      firstDate: '2025-12-04',
      lastDate: quotes.example.date,
      ...EXAMPLE_TERMS,
    } satisfies SecuritySummary,
  ],
} as const satisfies Operation;
