import { fundAllocation } from '../datasets/fund-allocation.ts';
import { quotes } from '../datasets/quotes.ts';
import { buildCatalogueEntry, CATALOGUE_ENTRY_SCHEMAS } from '../model/catalogue-entry.ts';
import type { Dataset, DatasetRecord } from '../model/dataset.ts';
import type { RecordOfFields } from '../model/field.ts';
import { day } from '../model/field-builders.ts';
import type { JsonSchema } from '../model/json-schema.ts';
import {
  arraySchema,
  fieldsSchema,
  integerSchema,
  nullableSchema,
  objectSchema,
  stringSchema,
} from '../model/json-schema.ts';
import type { Operation } from '../model/operation.ts';
import { REVISION_SCHEMAS } from './revisions.ts';

const DISCOVERY_DEFAULTS = {
  tag: 'discovery',
  supportsAsOf: true,
  pathParameters: {},
  parameters: {},
} as const;

/** What there is: every dataset with its meaning, how far it reaches and how fresh it is. */
export const catalogueOperation = (catalogue: readonly Dataset[]) =>
  ({
    ...DISCOVERY_DEFAULTS,
    name: 'catalogue',
    title: 'Catalogue',
    description:
      'Every dataset that the token opens: what it holds, what its fields mean and are measured in, what to know of them, what should add up, how it is drawn and asked for, how far it reaches, and what was published last.',
    path: '/catalogue',
    dataSchema: { type: 'array', items: objectSchema(ENTRY_SCHEMAS) },
    example: buildCatalogueExample(catalogue),
  }) satisfies Operation;

/** Every security that there are quotes of. */
export const securitiesOperation = {
  ...DISCOVERY_DEFAULTS,
  name: 'securities',
  title: 'Securities',
  description:
    'Every security ever quoted, matured ones included, by symbol. ISIN, type and maturity are those of its newest quote.',
  path: '/2.0/bnb/securities',
  scope: quotes.scope,
  isTabular: true,
  dataSchema: { type: 'array', items: fieldsSchema(defineSecurityFields()) },
  example: [
    {
      symbol: quotes.example.symbol,
      isin: quotes.example.isin,
      type: quotes.example.type,
      maturityDate: quotes.example.maturityDate,
      firstDate: '2025-12-04',
      lastDate: quotes.example.date,
    } satisfies SecuritySummary,
  ],
} as const satisfies Operation;

/** Every fund. */
export const fundsOperation = {
  ...DISCOVERY_DEFAULTS,
  name: 'funds',
  title: 'Funds',
  description: 'Every fund, by identifier, with its first and last reporting period.',
  path: '/3.0/funds',
  scope: fundAllocation.scope,
  isTabular: true,
  dataSchema: { type: 'array', items: buildFundSchema() },
  example: [
    {
      fund_id: fundAllocation.example.fund_id,
      frequency: fundAllocation.example.frequency,
      firstPeriod: { label: 'Jul 2023', date: '2023-07-31' },
      lastPeriod: { label: 'Jun 2026', date: '2026-06-30' },
    } satisfies FundSummary,
  ],
} as const satisfies Operation;

export type SecuritySummary = RecordOfFields<ReturnType<typeof defineSecurityFields>>;

/** A fund with its outermost periods; null where it has none. */
export interface FundSummary
  extends Pick<DatasetRecord<typeof fundAllocation>, 'fund_id' | 'frequency'> {
  readonly firstPeriod: FundPeriod | null;
  readonly lastPeriod: FundPeriod | null;
}

type FundPeriod = DatasetRecord<typeof fundAllocation>['periods'][number];

function defineSecurityFields() {
  const { symbol, isin, type, maturityDate } = quotes.fields;
  return {
    symbol,
    isin,
    type,
    maturityDate,
    firstDate: day('First date that it was quoted on'),
    lastDate: day('Last date that it was quoted on'),
  };
}

function buildFundSchema(): JsonSchema {
  const { fund_id, frequency, periods } = fundAllocation.fields;
  const period = (which: string) =>
    nullableSchema(
      fieldsSchema(periods.itemFields ?? {}),
      `${which} reporting period; null where it has none`,
    );
  const schemas: Record<keyof FundSummary, JsonSchema> = {
    fund_id: { ...fund_id.schema, description: fund_id.description },
    frequency: { ...frequency.schema, description: frequency.description },
    firstPeriod: period('First'),
    lastPeriod: period('Last'),
  };
  return objectSchema(schemas);
}

const { revision, publishedAt, source, sample } = REVISION_SCHEMAS;

const ENTRY_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  ...CATALOGUE_ENTRY_SCHEMAS,
  key: arraySchema('The fields that tell its records apart', stringSchema('Name of a field')),
  coverage: objectSchema({
    first: nullableSchema(
      stringSchema(''),
      'First date or period that it holds; null where it is empty',
    ),
    last: nullableSchema(
      stringSchema(''),
      'Last date or period that it holds; null where it is empty',
    ),
    count: integerSchema('How many records it holds; of funds, how many funds'),
  }),
  lastRevision: nullableSchema(
    objectSchema({ revision, publishedAt, source, sample }),
    'The last revision that changed it; null where there was none',
  ),
};

/** A series, because it is short. */
function buildCatalogueExample(catalogue: readonly Dataset[]): readonly object[] {
  return catalogue
    .flatMap((dataset) => {
      const { period, example } = dataset;
      if (!period) return [];
      const last = String(example[period.field]);
      return {
        ...buildCatalogueEntry(dataset),
        key: [period.field],
        coverage: { first: '2016', last, count: 10 },
        lastRevision: {
          revision: 9,
          publishedAt: '2026-07-14T09:00:00.000Z',
          source: 'payments-2026.xlsx',
          sample: false,
        },
      };
    })
    .slice(0, 1);
}
