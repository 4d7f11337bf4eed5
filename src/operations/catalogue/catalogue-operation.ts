import { datasets } from '../../catalogue/datasets/datasets.ts';
import {
  buildCatalogueEntry,
  CATALOGUE_ENTRY_SCHEMAS,
} from '../../catalogue/model/catalogue-entry.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import { type JsonSchema, schema } from '../../catalogue/model/json-schema.ts';
import type { NextDue } from '../../catalogue/model/next-due.ts';
import type { Operation } from '../../catalogue/model/operation.ts';
import { REVISION_SCHEMAS } from '../revisions/revisions-operation.ts';

/** Every dataset with its declaration, coverage and last revision. */
export const catalogueOperation = (catalogue: readonly Dataset[]) =>
  ({
    tag: 'discovery',
    supportsAsOf: true,
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

const { revision, publishedAt, source, sample } = REVISION_SCHEMAS;

export const NEXT_DUE_SCHEMA = schema.nullable(
  schema.object({
    period: schema.string('Label of the period, or its last day'),
    dueAt: schema.instant(
      'From this instant on it is due: it is announced, or the usual delay has passed',
    ),
    lateAt: schema.instant('From this instant on it is late: the tolerance has passed, too'),
  } satisfies Record<keyof NextDue, JsonSchema>),
  'What is published next, by announced instants, or by the cadence and the newest data; null if nothing is awaited: it is empty, its last revision is made-up sample data, or the frequency of its funds is not known',
);

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
  nextDue: NEXT_DUE_SCHEMA,
  yearStart: schema.nullable(
    { type: 'integer' },
    'The month in which the years of its quarters and years begin; null if the source does not say, and of other periods',
  ),
  source: schema.nullable(
    { type: 'string' },
    'Who publishes the figures, and where; null if the declaration does not say',
  ),
  licence: schema.nullable(
    { type: 'string' },
    'Terms of use: those of the declaration, or else the licences of the loads that it is made of; null if a load has none',
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
      yearStart: null,
      source: null,
      licence: 'CC-BY-4.0',
    },
  ];
}
