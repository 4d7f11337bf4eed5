import { fundAllocation } from '../../catalogue/datasets/fund-allocation.ts';
import { type FundRecord, funds } from '../../catalogue/datasets/funds.ts';
import type { DatasetRecord } from '../../catalogue/model/dataset.ts';
import { nullable } from '../../catalogue/model/field-builders.ts';
import {
  fieldSchema,
  fieldsSchema,
  type JsonSchema,
  schema,
} from '../../catalogue/model/json-schema.ts';
import type { Operation } from '../../catalogue/model/operation.ts';

const { fund_id, ...FUND_NAMES } = funds.fields;
const { fund_id: exampleId, ...NAMES_EXAMPLE } = funds.example;

/** Every fund with allocations, or that reference data describes. */
export const fundsOperation = {
  tag: 'discovery',
  supportsAsOf: true,
  parameters: funds.parameters,
  name: 'funds',
  title: 'Funds',
  description:
    'Every fund, by identifier, with its first and last reporting period, then reference data, null if unknown. A fund that is known by reference data alone has no frequency and no periods: they are null. `q` finds parts of identifiers and names.',
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
