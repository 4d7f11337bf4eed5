import { schema } from '../../catalogue/model/json-schema.ts';
import type { Operation } from '../../catalogue/model/operation.ts';
import { asOfParameter } from '../../catalogue/model/parameter.ts';
import { formatParameter } from '../../catalogue/model/response-parameters.ts';

export const DATA_PACKAGE_PATH = '/datapackage.json';

const LICENCES_SCHEMA = schema.array(
  'The licence of the declaration, or else those that loads have stated; absent if one has stated none',
  schema.object(
    {
      name: schema.string('Identifier of the licence'),
      path: schema.string('URL of the licence'),
      title: schema.string('Title for people, or terms in words'),
    },
    ['name', 'path', 'title'],
  ),
);

const SOURCES_SCHEMA = schema.array(
  'Who publishes the figures, by the declaration, and where the data came from, the newest ones of each dataset',
  schema.object(
    {
      title: schema.string(
        'The source of the declaration; names of files, or what else was published',
      ),
      path: schema.string('Where all revisions of the dataset are, relative to the document'),
    },
    ['path'],
  ),
);

const FIELD_SCHEMA = schema.object(
  {
    name: schema.string('Name of the column'),
    type: schema.choice(['string', 'number', 'integer', 'date', 'boolean']),
    description: schema.string('Description of the column'),
    unit: schema.string('Unit of a figure; absent from other values'),
    constraints: { type: 'object', description: 'Whether it is required; its possible values' },
  },
  ['description', 'unit', 'constraints'],
);

const RESOURCE_SCHEMA = schema.object(
  {
    name: schema.string('Name of the dataset'),
    type: { const: 'table' },
    title: schema.string('Title for people'),
    description: schema.string('Description of the records, and caveats'),
    path: schema.string('Path of the file, relative to the document'),
    format: { const: 'csv' },
    mediatype: { const: 'text/csv' },
    encoding: { const: 'utf-8' },
    sdmx: schema.string(
      'Path of the data by SDMX, relative to the document; absent if it is no series',
    ),
    licenses: LICENCES_SCHEMA,
    sources: SOURCES_SCHEMA,
    schema: schema.object(
      {
        fields: schema.array('The columns of the file, in their order', FIELD_SCHEMA),
        primaryKey: schema.array('The columns that identify a row', { type: 'string' }),
      },
      ['primaryKey'],
    ),
  },
  ['sdmx', 'licenses', 'sources'],
);

/** A description of the exports for programs. */
export const dataPackageOperation = {
  name: 'datapackage',
  tag: 'exports',
  title: 'Data package',
  description:
    'A Data Package (version 2) of the exports that the token may read: path, columns, units, key, licences and sources of each, without the envelope. As of a revision, its paths are as well.',
  path: DATA_PACKAGE_PATH,
  supportsAsOf: true,
  isDocument: true,
  parameters: { as_of: asOfParameter, format: formatParameter(['json']) },
  dataSchema: schema.object(
    {
      $schema: schema.string('The profile of the document'),
      name: schema.string('Name of the package'),
      title: schema.string('Title for people'),
      description: schema.string('Description of the package'),
      version: schema.string('Number of the revision'),
      created: schema.instant('When data was last published'),
      licenses: LICENCES_SCHEMA,
      sources: SOURCES_SCHEMA,
      resources: schema.array('The exports', RESOURCE_SCHEMA),
    },
    ['created', 'licenses', 'sources'],
  ),
  example: {
    $schema: 'https://datapackage.org/profiles/2.0/datapackage.json',
    name: 'tenor',
    title: 'Tenor',
    description: 'Complete datasets',
    version: '9',
    created: '2026-07-14T09:00:00.000Z',
    resources: [
      {
        name: 'funds',
        type: 'table',
        title: 'Funds',
        description: 'Names of funds',
        path: 'exports/funds.csv',
        format: 'csv',
        mediatype: 'text/csv',
        encoding: 'utf-8',
        licenses: [{ name: 'CC-BY-4.0' }],
        sources: [{ title: 'funds.csv', path: 'revisions?dataset=funds' }],
        schema: {
          fields: [
            {
              name: 'fund_id',
              type: 'string',
              description: 'Identifier of the fund',
              constraints: { required: true },
            },
          ],
          primaryKey: ['fund_id'],
        },
      },
    ],
  },
} as const satisfies Operation;
