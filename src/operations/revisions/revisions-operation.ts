import type { Dataset } from '../../catalogue/model/dataset.ts';
import { type JsonSchema, recordReferences, schema } from '../../catalogue/model/json-schema.ts';
import type { Operation } from '../../catalogue/model/operation.ts';
import { parameter } from '../../catalogue/model/parameter.ts';
import { pageParameters } from '../../catalogue/model/response-parameters.ts';

export const revisionsOperation = (catalogue: readonly Dataset[]) =>
  ({
    name: 'revisions',
    title: 'Revisions',
    description:
      'What was published, corrected and retired, when, by whom and from what source, in the datasets that the token may read. Newest first.',
    path: '/revisions',
    parameters: {
      dataset: parameter.choice(
        'Only revisions of that dataset',
        catalogue.map(({ name }) => name),
      ),
      before: parameter.integer('Only revisions with a smaller number than this'),
      ...pageParameters('revisions'),
    },
    dataSchema: { type: 'array', items: schema.object(LISTED_SCHEMAS) },
    example: [LISTED_EXAMPLE],
  }) satisfies Operation;

/** One revision with its report and the records that it changed. */
export const revisionOperation = (catalogue: readonly Dataset[]) => {
  const example = catalogue.find(({ name }) => name === REVISION_EXAMPLE.dataset)?.example;
  return {
    name: 'revision',
    title: 'One revision',
    description:
      'A revision with the report of its publication, the options that it was made with, and the records that it changed: first corrections and retirements, then additions. The counts are of all changes, beyond the limit too.',
    path: '/revisions/{n}',
    pathParameters: { n: parameter.integer('Number of the revision') },
    parameters: pageParameters('changes'),
    dataSchema: schema.object({
      ...LISTED_SCHEMAS,
      ...REVISION_REPORT_SCHEMAS,
      changes: buildChangesSchema(catalogue),
    }),
    example: {
      ...LISTED_EXAMPLE,
      report: {},
      options: {
        options: { replace: true },
        muted: ['isin-check-digit'],
        release: { note: LISTED_EXAMPLE.note },
      },
      changes: example ? [{ change: 'added', old: null, new: example }] : [],
    },
  } satisfies Operation;
};

/** The fields of an entry of the ledger, in the order of responses. */
export const REVISION_SCHEMAS = {
  revision: schema.integer('Number of the revision', 1),
  dataset: schema.string('Name of the dataset that it changed'),
  publishedAt: schema.instant('Time of publication'),
  source: schema.string('Where the data came from'),
  files: schema.array(
    'The files that it was loaded from',
    schema.object({
      name: schema.string('Name of the file'),
      bytes: schema.integer('Size of the file'),
      sha256: schema.string('SHA-256 of the file, in hexadecimal'),
    }),
  ),
  author: schema.string('Who published it'),
  sample: { type: 'boolean', description: 'Whether the data is sample data' },
  added: schema.integer('Number of new records'),
  corrected: schema.integer('Number of records that replaced others with the same key'),
  retired: schema.integer('Number of records that were removed'),
  unchanged: schema.integer('Number of records that were already there'),
} as const satisfies Record<string, JsonSchema>;

/** A revision as the operations list it; in its entry in the log, the note is part of the options. */
const LISTED_SCHEMAS = {
  ...REVISION_SCHEMAS,
  note: schema.nullable({ type: 'string' }, 'What the publisher says of it; null if nothing'),
} as const satisfies Record<string, JsonSchema>;

export const LISTED_FIELDS = Object.keys(LISTED_SCHEMAS) as (keyof typeof LISTED_SCHEMAS)[];

export const REVISION_REPORT_SCHEMAS = {
  report: { type: 'object', description: 'The stored report of the publication' },
  options: {
    type: 'object',
    description:
      'What it was made with beside its files: the mapping, the options, the adapter, the warning rules that were muted or refused, and in `release` its note',
  },
} as const satisfies Record<string, JsonSchema>;

export const REVISION_EXAMPLE = {
  revision: 7,
  dataset: 'quotes',
  publishedAt: '2026-07-01T13:05:00.250Z',
  source: 'quotes-2026-06-30.csv',
  files: [{ name: 'quotes-2026-06-30.csv', bytes: 18_402, sha256: '9f86d081'.repeat(8) }],
  author: 'ann',
  sample: false,
  added: 1,
  corrected: 0,
  retired: 0,
  unchanged: 211,
};

const LISTED_EXAMPLE = { ...REVISION_EXAMPLE, note: 'Prices of the last day of the fiscal year.' };

function buildChangesSchema(catalogue: readonly Dataset[]): JsonSchema {
  const record = { anyOf: [...recordReferences(catalogue), { type: 'null' }] };
  return schema.array(
    'Records before and after',
    schema.object({
      change: schema.choice(['corrected', 'retired', 'added']),
      old: { ...record, description: 'The record before; null if it was added' },
      new: { ...record, description: 'The record after; null if it was retired' },
    }),
  );
}
