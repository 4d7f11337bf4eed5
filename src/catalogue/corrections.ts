import type { Dataset, Shape } from './dataset.ts';
import type { JsonSchema } from './field.ts';
import { fundAllocation } from './fund-allocation.ts';
import { object } from './json-schema.ts';
import type { Operation } from './operation.ts';
import type { Parameter, Parameters } from './parameter.ts';
import { countParameter, dayParameter, textParameter } from './parameter.ts';
import { quotes } from './quotes.ts';
import { LEDGER_LIMIT, revisionFields } from './revisions.ts';

/** What stood before: every change to records of a dataset that had been published. */
export const correctionList = (catalogue: readonly Dataset[]) =>
  ({
    name: 'corrections',
    title: 'Corrections',
    meaning:
      'Every change to published records of a dataset: what stood, what took its place, in which revision and when. Newest revision first, then in the order of the dataset’s own answers. What was added is not told: nothing stood before it.',
    past: true,
    path: '/corrections/{dataset}',
    segments: { dataset: datasetParameter(catalogue) },
    parameters: { ...ofQuotes, ...ofFunds, ...ofAll },
    data: { type: 'array', items: object(correctionFields(catalogue)) },
    example: exampleIn(catalogue),
  }) satisfies Operation;

const ofQuotes = {
  symbol: textParameter(
    'Of quotes: symbol of one security, or the ISIN that the record had; letter case is ignored',
    quotes.example.symbol,
  ),
  from: dayParameter('Of quotes: first date of the records, inclusive', '2026-06-01'),
  to: dayParameter('Of quotes: last date of the records, inclusive', '2026-06-30'),
};

const ofFunds = {
  fund_id: textParameter(
    'Of fund-allocation: identifier of one fund; letter case is ignored',
    fundAllocation.example.fund_id,
  ),
};

const ofAll = {
  before: countParameter('Only changes by revisions with a smaller number than this'),
  skip: countParameter(
    'Leaves out so many of the first; the `Link` of an answer has it, to go on within a revision',
    { most: 1_000_000_000 },
  ),
  limit: countParameter('Most changes to return', { most: 10_000, fallback: LEDGER_LIMIT }),
};

/** What narrows the corrections of a dataset, by how its records are keyed. */
const narrowing: Readonly<Record<Shape, Parameters>> = {
  quotes: ofQuotes,
  fund: ofFunds,
  series: {},
};

/** The parameters that the corrections of one dataset take. */
export function correctionParameters({ shape }: Dataset): Parameters {
  return { ...narrowing[shape], ...ofAll };
}

function datasetParameter(catalogue: readonly Dataset[]): Parameter<Dataset> {
  const names = catalogue.map(({ name }) => name);
  return {
    meaning: 'Name of the dataset',
    rule: `one of ${names.join(', ')}`,
    schema: { type: 'string', enum: names },
    example: names[0] ?? '',
    read: (text) => catalogue.find(({ name }) => name === text),
  };
}

function correctionFields(catalogue: readonly Dataset[]): Readonly<Record<string, JsonSchema>> {
  const { revision, publishedAt } = revisionFields;
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

function exampleIn(catalogue: readonly Dataset[]): readonly object[] {
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
