import { fundAllocation } from '../datasets/fund-allocation.ts';
import { quotes } from '../datasets/quotes.ts';
import type { Dataset, DatasetShape } from '../model/dataset.ts';
import type { JsonSchema } from '../model/json-schema.ts';
import { objectSchema } from '../model/json-schema.ts';
import type { Operation } from '../model/operation.ts';
import type { Parameter, Parameters } from '../model/parameter.ts';
import { dayParameter, integerParameter, textParameter } from '../model/parameter.ts';
import { DEFAULT_LEDGER_LIMIT, REVISION_SCHEMAS } from './revisions.ts';

/** What stood before: every change to records of a dataset that had been published. */
export const correctionsOperation = (catalogue: readonly Dataset[]) =>
  ({
    name: 'corrections',
    title: 'Corrections',
    description:
      'Every change to published records of a dataset: what stood, what took its place, in which revision and when. Newest revision first, then in the order of the dataset’s own answers. What was added is not told: nothing stood before it.',
    supportsAsOf: true,
    path: '/corrections/{dataset}',
    pathParameters: { dataset: createDatasetParameter(catalogue) },
    parameters: { ...QUOTE_FILTERS, ...FUND_FILTERS, ...COMMON_PARAMETERS },
    dataSchema: { type: 'array', items: objectSchema(buildCorrectionSchemas(catalogue)) },
    example: buildCorrectionsExample(catalogue),
  }) satisfies Operation;

const QUOTE_FILTERS = {
  symbol: textParameter(
    'Of quotes: symbol of one security, or the ISIN that the record had; letter case is ignored',
    quotes.example.symbol,
  ),
  from: dayParameter('Of quotes: first date of the records, inclusive', '2026-06-01'),
  to: dayParameter('Of quotes: last date of the records, inclusive', '2026-06-30'),
};

const FUND_FILTERS = {
  fund_id: textParameter(
    'Of fund-allocation: identifier of one fund; letter case is ignored',
    fundAllocation.example.fund_id,
  ),
};

const COMMON_PARAMETERS = {
  before: integerParameter('Only changes by revisions with a smaller number than this'),
  skip: integerParameter(
    'Leaves out so many of the first; the `Link` of an answer has it, to go on within a revision',
    { most: 1_000_000_000 },
  ),
  limit: integerParameter('Most changes to return', {
    most: 10_000,
    fallback: DEFAULT_LEDGER_LIMIT,
  }),
};

/** What narrows the corrections of a dataset, by how its records are keyed. */
const FILTERS_BY_SHAPE: Readonly<Record<DatasetShape, Parameters>> = {
  quotes: QUOTE_FILTERS,
  fund: FUND_FILTERS,
  series: {},
};

/** The parameters that the corrections of one dataset take. */
export function correctionParametersFor({ shape }: Dataset): Parameters {
  return { ...FILTERS_BY_SHAPE[shape], ...COMMON_PARAMETERS };
}

function createDatasetParameter(catalogue: readonly Dataset[]): Parameter<Dataset> {
  const names = catalogue.map(({ name }) => name);
  return {
    description: 'Name of the dataset',
    requirement: `one of ${names.join(', ')}`,
    schema: { type: 'string', enum: names },
    example: names[0] ?? '',
    parse: (text) => catalogue.find(({ name }) => name === text),
  };
}

function buildCorrectionSchemas(
  catalogue: readonly Dataset[],
): Readonly<Record<string, JsonSchema>> {
  const { revision, publishedAt } = REVISION_SCHEMAS;
  const records = catalogue.map(({ name }) => ({ $ref: `#/components/schemas/${name}` }));
  return {
    revision,
    publishedAt,
    change: { type: 'string', enum: ['corrected', 'retired'] },
    old: { anyOf: records, description: 'The record that stood before' },
    new: {
      anyOf: [...records, { type: 'null' }],
      description: 'The record that took its place; null where it was retired',
    },
  };
}

function buildCorrectionsExample(catalogue: readonly Dataset[]): readonly object[] {
  if (!catalogue.some(({ name }) => name === quotes.name)) return [];
  const { example } = quotes;
  return [
    {
      revision: 7,
      publishedAt: '2026-07-01T13:05:00.250Z',
      change: 'corrected',
      old: { ...example, lastPrice: 94.5869 },
      new: example,
    },
  ];
}
