import type { Dataset } from '../model/dataset.ts';
import type { JsonSchema } from '../model/json-schema.ts';
import { integerSchema, objectSchema } from '../model/json-schema.ts';
import type { Operation } from '../model/operation.ts';
import { choiceParameter, integerParameter } from '../model/parameter.ts';

/** How many revisions or changes are told without a `limit`. */
export const DEFAULT_LEDGER_LIMIT = 100;

const limitParameter = (what: string) =>
  integerParameter(`Most ${what} to return`, { most: 10_000, fallback: DEFAULT_LEDGER_LIMIT });

/** What was published: the list of revisions. */
export const revisionsOperation = (catalogue: readonly Dataset[]) =>
  ({
    name: 'revisions',
    title: 'Revisions',
    description:
      'What was published, corrected and retired, when, by whom and from what source, of the datasets that the token opens. Newest first.',
    path: '/revisions',
    pathParameters: {},
    parameters: {
      dataset: choiceParameter(
        'Only revisions of that dataset',
        catalogue.map(({ name }) => name),
      ),
      before: integerParameter('Only revisions with a smaller number than this'),
      limit: limitParameter('revisions'),
    },
    dataSchema: { type: 'array', items: objectSchema(REVISION_SCHEMAS) },
    example: [REVISION_EXAMPLE],
  }) satisfies Operation;

/** One revision with what was noticed about it, and what it did to records. */
export const revisionOperation = (catalogue: readonly Dataset[]) =>
  ({
    name: 'revision',
    title: 'One revision',
    description:
      'A revision with the report of what was noticed when it was published, and the records that it changed: first corrections and retirements, then additions. The counts tell how many there are in all.',
    path: '/revisions/{n}',
    pathParameters: { n: integerParameter('Number of the revision') },
    parameters: { limit: limitParameter('changes') },
    dataSchema: objectSchema({
      ...REVISION_SCHEMAS,
      report: REPORT_SCHEMA,
      changes: buildChangesSchema(catalogue),
    }),
    example: { ...REVISION_EXAMPLE, report: {}, changes: buildChangesExample(catalogue) },
  }) satisfies Operation;

/** The fields of a revision, in the order of answers. */
export const REVISION_SCHEMAS = {
  revision: integerSchema('Number of the revision', 1),
  dataset: { type: 'string', description: 'Name of the dataset that it changed' },
  publishedAt: { type: 'string', format: 'date-time', description: 'When it was published' },
  source: { type: 'string', description: 'Where the data came from' },
  files: {
    type: 'array',
    description: 'The files that it was read from',
    items: objectSchema({
      name: { type: 'string', description: 'Name of the file' },
      bytes: integerSchema('Size of the file'),
      sha256: { type: 'string', description: 'SHA-256 of the file, in hexadecimal' },
    }),
  },
  author: { type: 'string', description: 'Who published it' },
  sample: { type: 'boolean', description: 'Whether the data is made up' },
  added: integerSchema('Records that were not there before'),
  corrected: integerSchema('Records that took the place of others with the same key'),
  retired: integerSchema('Records that were taken out'),
  unchanged: integerSchema('Records that were there already'),
} as const satisfies Record<string, JsonSchema>;

const REPORT_SCHEMA: JsonSchema = {
  type: 'object',
  description: 'What was noticed when it was published, as it was kept',
};

const REVISION_EXAMPLE = {
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

function buildChangesSchema(catalogue: readonly Dataset[]): JsonSchema {
  const records = catalogue.map(({ name }) => ({ $ref: `#/components/schemas/${name}` }));
  const record = { anyOf: [...records, { type: 'null' }] };
  return {
    type: 'array',
    description: 'Records before and after',
    items: objectSchema({
      change: { type: 'string', enum: ['corrected', 'retired', 'added'] },
      old: { ...record, description: 'The record before; null where it was added' },
      new: { ...record, description: 'The record after; null where it was retired' },
    }),
  };
}

function buildChangesExample(catalogue: readonly Dataset[]): readonly object[] {
  const changed = catalogue.find(({ name }) => name === REVISION_EXAMPLE.dataset);
  return changed ? [{ change: 'added', old: null, new: changed.example }] : [];
}
