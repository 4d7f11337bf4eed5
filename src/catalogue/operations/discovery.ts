import { fundAllocation } from '../datasets/fund-allocation.ts';
import { quotes } from '../datasets/quotes.ts';
import { buildCatalogueEntry, CATALOGUE_ENTRY_SCHEMAS } from '../model/catalogue-entry.ts';
import type { Dataset, DatasetRecord } from '../model/dataset.ts';
import type { RecordOfFields } from '../model/field.ts';
import { day } from '../model/field-builders.ts';
import {
  arraySchema,
  fieldSchema,
  fieldsSchema,
  instantSchema,
  integerSchema,
  type JsonSchema,
  nullableSchema,
  objectSchema,
  stringSchema,
} from '../model/json-schema.ts';
import type { NextDue } from '../model/next-due.ts';
import type { Operation } from '../model/operation.ts';
import { JSON_PARAMETERS, TABLE_PARAMETERS } from '../model/response-parameters.ts';
import { REVISION_SCHEMAS } from './revisions.ts';

const DISCOVERY_DEFAULTS = {
  tag: 'discovery',
  supportsAsOf: true,
  pathParameters: {},
  parameters: TABLE_PARAMETERS,
} as const;

/** Every dataset with its declaration, coverage and last revision. */
export const catalogueOperation = (catalogue: readonly Dataset[]) =>
  ({
    ...DISCOVERY_DEFAULTS,
    name: 'catalogue',
    title: 'Catalogue',
    description:
      'Every dataset that the token may read: fields, units, notes, consistency checks, default chart, parameters, coverage, last revision, and when the next data is due.',
    path: '/catalogue',
    parameters: JSON_PARAMETERS,
    dataSchema: { type: 'array', items: objectSchema(ENTRY_SCHEMAS) },
    example: buildCatalogueExample(catalogue),
  }) satisfies Operation;

const SECURITY_FIELDS = {
  symbol: quotes.fields.symbol,
  isin: quotes.fields.isin,
  type: quotes.fields.type,
  maturityDate: quotes.fields.maturityDate,
  firstDate: day('First date that it was quoted on'),
  lastDate: day('Last date that it was quoted on'),
};

export type SecuritySummary = RecordOfFields<typeof SECURITY_FIELDS>;

/** Every security that was ever quoted. */
export const securitiesOperation = {
  ...DISCOVERY_DEFAULTS,
  name: 'securities',
  title: 'Securities',
  description:
    'Every security ever quoted, matured ones included, by symbol. ISIN, type and maturity are those of its newest quote.',
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
    } satisfies SecuritySummary,
  ],
} as const satisfies Operation;

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

/** A fund with its first and last period; null if it has none. */
export interface FundSummary
  extends Pick<DatasetRecord<typeof fundAllocation>, 'fund_id' | 'frequency'> {
  readonly firstPeriod: FundPeriod | null;
  readonly lastPeriod: FundPeriod | null;
}

type FundPeriod = DatasetRecord<typeof fundAllocation>['periods'][number];

function buildFundSchema(): JsonSchema {
  const { fund_id, frequency, periods } = fundAllocation.fields;
  const period = fieldsSchema(periods.itemFields ?? {});
  return objectSchema({
    fund_id: fieldSchema(fund_id),
    frequency: fieldSchema(frequency),
    firstPeriod: nullableSchema(period, 'First reporting period; null if it has none'),
    lastPeriod: nullableSchema(period, 'Last reporting period; null if it has none'),
  } satisfies Record<keyof FundSummary, JsonSchema>);
}

const { revision, publishedAt, source, sample } = REVISION_SCHEMAS;

const ENTRY_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  ...CATALOGUE_ENTRY_SCHEMAS,
  key: arraySchema('The fields that identify a record', stringSchema('Name of a field')),
  coverage: objectSchema({
    first: nullableSchema({ type: 'string' }, 'First date or period; null if it is empty'),
    last: nullableSchema({ type: 'string' }, 'Last date or period; null if it is empty'),
    count: integerSchema('Number of records'),
  }),
  lastRevision: nullableSchema(
    objectSchema({ revision, publishedAt, source, sample }),
    'The last revision that changed it; null if there was none',
  ),
  nextDue: nullableSchema(
    objectSchema({
      period: stringSchema('Label of the period, or its last day'),
      dueAt: instantSchema('From this instant on it is due: the usual delay has passed'),
      lateAt: instantSchema('From this instant on it is late: the tolerance has passed, too'),
    } satisfies Record<keyof NextDue, JsonSchema>),
    'What is published next, by the cadence and the newest data; null if nothing is awaited: it is empty, its last revision is made-up sample data, or the frequency of its funds is not known',
  ),
};

/** The entry of the first series, because it is short. */
function buildCatalogueExample(catalogue: readonly Dataset[]): readonly object[] {
  const dataset = catalogue.find(({ period }) => period);
  if (!dataset?.period) return [];
  const { field } = dataset.period;
  return [
    {
      ...buildCatalogueEntry(dataset),
      key: [field],
      coverage: { first: '2016', last: String(dataset.example[field]), count: 10 },
      lastRevision: {
        revision: 9,
        publishedAt: '2026-07-14T09:00:00.000Z',
        source: 'payments-2026.xlsx',
        sample: false,
      },
      nextDue: {
        period: '2026',
        dueAt: '2027-05-11T00:00:00.000Z',
        lateAt: '2027-06-10T00:00:00.000Z',
      } satisfies NextDue,
    },
  ];
}
