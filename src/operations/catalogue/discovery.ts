import { datasets } from '../../catalogue/datasets/datasets.ts';
import { fundAllocation } from '../../catalogue/datasets/fund-allocation.ts';
import { type FundRecord, funds } from '../../catalogue/datasets/funds.ts';
import { quotes } from '../../catalogue/datasets/quotes.ts';
import { securities } from '../../catalogue/datasets/securities.ts';
import {
  buildCatalogueEntry,
  CATALOGUE_ENTRY_SCHEMAS,
} from '../../catalogue/model/catalogue-entry.ts';
import type { Dataset, DatasetRecord } from '../../catalogue/model/dataset.ts';
import type { RecordOfFields } from '../../catalogue/model/field.ts';
import { day, nullable } from '../../catalogue/model/field-builders.ts';
import {
  fieldSchema,
  fieldsSchema,
  type JsonSchema,
  schema,
} from '../../catalogue/model/json-schema.ts';
import type { NextDue } from '../../catalogue/model/next-due.ts';
import type { Operation } from '../../catalogue/model/operation.ts';
import { REVISION_SCHEMAS } from '../revisions/revisions-operation.ts';

const DISCOVERY_DEFAULTS = { tag: 'discovery', supportsAsOf: true } as const;

/** Every dataset with its declaration, coverage and last revision. */
export const catalogueOperation = (catalogue: readonly Dataset[]) =>
  ({
    ...DISCOVERY_DEFAULTS,
    name: 'catalogue',
    title: 'Catalogue',
    description:
      'Every dataset that the token may read: fields, units, notes, consistency checks, default chart, parameters, coverage, last revision, and when the next data is due. In other formats than JSON and NDJSON a dataset is a row, and a list is JSON in its cell.',
    path: datasets.paths[0],
    parameters: datasets.parameters,
    isTabular: true,
    hasNoTotal: true,
    dataSchema: { type: 'array', items: schema.object(ENTRY_SCHEMAS) },
    example: buildCatalogueExample(catalogue),
  }) satisfies Operation;

const { symbol, isin, ...TERM_FIELDS } = securities.fields;
const { fund_id, ...FUND_NAMES } = funds.fields;
const { fund_id: exampleId, ...NAMES_EXAMPLE } = funds.example;
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
  ...DISCOVERY_DEFAULTS,
  parameters: securities.parameters,
  name: 'securities',
  title: 'Securities',
  description:
    'Every security ever quoted, matured ones included, and every one that reference data describes, by symbol. ISIN, type and maturity are those of its newest quote; type, maturity and both dates are null if it was never quoted. What follows them is reference data, null where unknown. `q` finds parts of symbols, ISINs and names.',
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

/** Every fund with allocations, or that reference data describes. */
export const fundsOperation = {
  ...DISCOVERY_DEFAULTS,
  parameters: funds.parameters,
  name: 'funds',
  title: 'Funds',
  description:
    'Every fund, by identifier, with its first and last reporting period, then reference data, null where unknown. A fund that is known by reference data alone has no frequency and no periods: they are null. `q` finds parts of identifiers and names.',
  path: '/3.0/funds',
  scope: fundAllocation.scope,
  isTabular: true,
  dataSchema: { type: 'array', items: buildFundSchema() },
  example: [
    {
      fund_id: exampleId,
      frequency: fundAllocation.example.frequency,
      firstPeriod: { label: 'Jul 2023', date: '2023-07-31' },
      lastPeriod: { label: 'Jun 2026', date: '2026-06-30' },
      ...NAMES_EXAMPLE,
    } satisfies FundSummary,
  ],
} as const satisfies Operation;

/** A fund with its first and last period, null if it has none, and reference data. */
export interface FundSummary extends FundRecord {
  readonly frequency: string | null;
  readonly firstPeriod: FundPeriod | null;
  readonly lastPeriod: FundPeriod | null;
}

type FundPeriod = DatasetRecord<typeof fundAllocation>['periods'][number];

function buildFundSchema(): JsonSchema {
  const { frequency, periods } = fundAllocation.fields;
  const period = fieldsSchema(periods.itemFields ?? {});
  return schema.object({
    fund_id: fieldSchema(fund_id),
    frequency: fieldSchema(nullable(frequency)),
    firstPeriod: schema.nullable(period, 'First reporting period; null if it has none'),
    lastPeriod: schema.nullable(period, 'Last reporting period; null if it has none'),
    ...(fieldsSchema(FUND_NAMES).properties as Readonly<Record<string, JsonSchema>>),
  });
}

const { revision, publishedAt, source, sample } = REVISION_SCHEMAS;

const ENTRY_SCHEMAS = {
  ...CATALOGUE_ENTRY_SCHEMAS,
  key: schema.array('The fields that identify a record', schema.string('Name of a field')),
  coverage: schema.object({
    first: schema.nullable({ type: 'string' }, 'First date or period; null if it is empty'),
    last: schema.nullable({ type: 'string' }, 'Last date or period; null if it is empty'),
    count: schema.integer('Number of records'),
  }),
  lastRevision: schema.nullable(
    schema.object({ revision, publishedAt, source, sample }),
    'The last revision that changed it; null if there was none',
  ),
  nextDue: schema.nullable(
    schema.object({
      period: schema.string('Label of the period, or its last day'),
      dueAt: schema.instant('From this instant on it is due: the usual delay has passed'),
      lateAt: schema.instant('From this instant on it is late: the tolerance has passed, too'),
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
