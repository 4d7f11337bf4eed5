import { EXPORT_FORMATS } from '../operations/exports.ts';
import { CHART_KINDS } from './chart.ts';
import { CHECK_KINDS } from './consistency-check.ts';
import { type Dataset, SCOPES } from './dataset.ts';
import type { Fields } from './field.ts';
import type { JsonSchema } from './json-schema.ts';
import {
  arraySchema,
  integerSchema,
  nullableSchema,
  objectSchema,
  stringSchema,
} from './json-schema.ts';
import type { Parameters } from './parameter.ts';
import { CADENCES } from './publication-schedule.ts';
import { RESPONSE_FORMATS } from './response-format.ts';

/** The part of a `/catalogue` entry that follows from the declaration of the dataset. */
export function buildCatalogueEntry(dataset: Dataset) {
  const { name, title, description, notes, scope, shape, period, schedule, chart, checks } =
    dataset;
  const [path, ...aliases] = dataset.paths;
  return {
    name,
    title,
    meaning: description,
    notes,
    scope,
    path,
    aliases,
    shape,
    period: period ? { field: period.field, kind: period.kind.name } : null,
    schedule,
    parameters: describeParameters(dataset.parameters),
    fields: describeFields(dataset.fields),
    chart,
    checks,
    formats: FORMAT_ENTRIES,
    exports: EXPORT_FORMATS.map((format) => ({ format, path: `/exports/${name}.${format}` })),
  };
}

const FORMAT_ENTRIES = Object.entries(RESPONSE_FORMATS).map(
  ([name, { mediaType, extension, description }]) => ({
    name,
    mediaType,
    extension,
    meaning: description,
  }),
);

interface CatalogueField {
  readonly name: string;
  readonly kind: string;
  readonly type: unknown;
  readonly meaning: string;
  readonly unit: string | null;
  readonly values: unknown;
  readonly fields: readonly CatalogueField[] | null;
}

function describeFields(fields: Fields): CatalogueField[] {
  return Object.entries(fields).map(
    ([name, { kind, schema, description, unit = null, itemFields }]) => ({
      name,
      kind,
      type: schema.type,
      meaning: description,
      unit,
      values: schema.enum ?? null,
      fields: itemFields ? describeFields(itemFields) : null,
    }),
  );
}

function describeParameters(parameters: Parameters) {
  return Object.entries(parameters).map(
    ([name, { description, requirement, isRequired, schema, example }]) => ({
      name,
      meaning: description,
      rule: requirement,
      required: isRequired === true,
      schema,
      example,
    }),
  );
}

const STRING = { type: 'string' };

/** The JSON Schemas of what `buildCatalogueEntry` returns. */
export const CATALOGUE_ENTRY_SCHEMAS = {
  name: stringSchema('Name of the dataset, in commands and exports'),
  title: stringSchema('Title for people'),
  meaning: stringSchema('Description of the records and their order'),
  notes: arraySchema('Caveats for users of the figures', stringSchema('A sentence or two')),
  scope: { type: 'string', enum: SCOPES, description: 'The scope that a token needs' },
  path: stringSchema('Path of the operation'),
  aliases: arraySchema('Other paths with the same responses', STRING),
  shape: stringSchema(
    'How it is queried: quotes by security and date, a fund by its id, a series as a whole, reference data as a part of a list',
  ),
  period: nullableSchema(
    objectSchema({
      field: stringSchema('The field with the label of the period'),
      kind: { type: 'string', enum: ['annual', 'quarterly', 'monthly'] },
    }),
    'The period of each record; null if records have no labelled period',
  ),
  schedule: nullableSchema(
    objectSchema({
      cadence: {
        type: 'string',
        enum: CADENCES,
        description:
          'How often data is published. daily: for every business day, Monday to Friday; by-fund: as often as the frequency of a fund says; else for every period of that kind',
      },
      delayDays: integerSchema(
        'The usual delay after the end of a period, in days; where the cadence is daily, in business days',
      ),
      toleranceDays: integerSchema(
        'How many days (business days) after the usual delay it counts as late: publishers vary, and holidays are not known',
      ),
    }),
    'When data is published; null if it has no schedule',
  ),
  parameters: arraySchema(
    'Its query parameters',
    objectSchema({
      name: stringSchema('Name of the parameter'),
      meaning: stringSchema('Description of the parameter'),
      rule: stringSchema('Which values are valid: what follows "must be"'),
      required: { type: 'boolean', description: 'Whether it is required' },
      schema: { type: 'object', description: 'Which values are valid, as a JSON Schema' },
      example: stringSchema('A valid value'),
    }),
  ),
  fields: arraySchema(
    'The fields of a record, in their order',
    buildFieldSchema(
      nullableSchema(
        arraySchema(
          '',
          buildFieldSchema({ type: 'null', description: 'Always null: lists are not nested' }),
        ),
        'The fields of each element; null if the field is no list of objects',
      ),
    ),
  ),
  chart: nullableSchema(
    objectSchema({
      kind: {
        type: 'string',
        enum: Object.keys(CHART_KINDS),
        description: `How it is drawn by default. ${Object.entries(CHART_KINDS)
          .map(([kind, description]) => `${kind}: ${description}`)
          .join('; ')}`,
      },
      fields: arraySchema(
        'The fields that are drawn, in this order',
        stringSchema('Name of a field'),
      ),
      total: nullableSchema(STRING, 'The field with the total; null if there is none'),
    }),
    'The default chart; null if there is nothing to plot',
  ),
  checks: arraySchema(
    'Consistency checks of each record; loading a record that violates one gives a warning',
    objectSchema({
      name: {
        type: 'string',
        enum: Object.keys(CHECK_KINDS),
        description: 'Name of the violation',
      },
      rule: stringSchema('The rule that a record should satisfy'),
      field: stringSchema('The field that a warning names'),
      others: arraySchema('The other fields that are compared', stringSchema('Name of a field')),
    }),
  ),
  formats: arraySchema(
    'The formats of responses',
    objectSchema({
      name: stringSchema('Short name of the format'),
      mediaType: stringSchema('The value of `Accept` that requests it'),
      extension: stringSchema('Extension of its files'),
      meaning: stringSchema('Description of the format'),
    }),
  ),
  exports: arraySchema(
    'The files of the complete dataset',
    objectSchema({
      format: stringSchema('Short name of the format'),
      path: stringSchema('Path of the file'),
    }),
  ),
} as const satisfies Record<keyof ReturnType<typeof buildCatalogueEntry>, JsonSchema>;

function buildFieldSchema(fields: JsonSchema): JsonSchema {
  return objectSchema({
    name: stringSchema('Name of the field'),
    kind: stringSchema('Kind of value, such as price, percent, count or day'),
    type: { type: 'string', enum: ['string', 'number', 'integer', 'boolean', 'array'] },
    meaning: stringSchema('Description of the field in this dataset'),
    unit: nullableSchema(STRING, 'Unit of a figure; null for other values'),
    values: nullableSchema(
      { type: 'array', items: STRING },
      'The possible values; null if any value is possible',
    ),
    fields,
  });
}
