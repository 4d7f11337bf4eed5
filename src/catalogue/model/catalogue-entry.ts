import { EXPORT_FORMATS } from '../operations/exports.ts';
import { CHART_KINDS } from './chart.ts';
import { CHECK_NAMES } from './consistency-check.ts';
import type { Dataset } from './dataset.ts';
import { SCOPES } from './dataset.ts';
import type { Fields } from './field.ts';
import type { JsonSchema } from './json-schema.ts';
import { arraySchema, nullableSchema, objectSchema, stringSchema } from './json-schema.ts';
import type { Parameters } from './parameter.ts';
import { RESPONSE_FORMATS } from './response-format.ts';

/** What the declaration of a dataset tells to those who want to use it. */
export function buildCatalogueEntry({ name, title, description, notes, scope, ...rest }: Dataset) {
  const { shape, period, parameters, fields, chart, checks } = rest;
  const [path, ...aliases] = rest.paths;
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
    parameters: describeParameters(parameters),
    fields: describeFields(fields),
    chart,
    checks,
    formats: FORMAT_ENTRIES,
    exports: EXPORT_FORMATS.map((format) => ({ format, path: `/exports/${name}.${format}` })),
  };
}

const FORMAT_ENTRIES = Object.entries(RESPONSE_FORMATS).map(
  ([name, { mediaType, extension, meaning }]) => ({ name, mediaType, extension, meaning }),
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
    ([name, { description, requirement, requiredError, schema, example }]) => ({
      name,
      meaning: description,
      rule: requirement,
      required: requiredError !== undefined,
      schema,
      example,
    }),
  );
}

/** The JSON Schemas of what a declaration tells. */
export const CATALOGUE_ENTRY_SCHEMAS = {
  name: stringSchema('Name of the dataset, in commands and exports'),
  title: stringSchema('What it is called'),
  meaning: stringSchema('What it holds, and in which order'),
  notes: arraySchema('What to know before its figures are used', stringSchema('A sentence or two')),
  scope: { type: 'string', enum: SCOPES, description: 'The scope that a token needs for it' },
  path: stringSchema('Where it is asked for'),
  aliases: arraySchema('Other paths that give the same answers', { type: 'string' }),
  shape: stringSchema(
    'How it is asked for: quotes by security and date, a fund by its id, a series whole',
  ),
  period: nullableSchema(
    objectSchema({
      field: stringSchema('The field that holds the label of the period'),
      kind: { type: 'string', enum: ['annual', 'quarterly', 'monthly'] },
    }),
    'What each record is about in time; null where that is no labelled period',
  ),
  parameters: arraySchema(
    'The query parameters that it takes',
    objectSchema({
      name: stringSchema('Name of the parameter'),
      meaning: stringSchema('What it asks for'),
      rule: stringSchema('What is allowed, in words that follow "must be"'),
      required: { type: 'boolean', description: 'Whether nothing is answered without it' },
      schema: { type: 'object', description: 'What is allowed, as a JSON Schema' },
      example: stringSchema('A value that is allowed'),
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
        'The fields of each element of a list; null where the field is no list of objects',
      ),
    ),
  ),
  chart: objectSchema({
    kind: {
      type: 'string',
      enum: Object.keys(CHART_KINDS),
      description: `How it is drawn. ${describeChartKinds(CHART_KINDS)}`,
    },
    fields: arraySchema(
      'The fields that are drawn, in this order',
      stringSchema('Name of a field'),
    ),
    total: nullableSchema(
      stringSchema(''),
      'The field that holds the whole; null where there is none',
    ),
  }),
  checks: arraySchema(
    'What should hold in each record; where it does not, there was a warning and no refusal',
    objectSchema({
      name: {
        type: 'string',
        enum: CHECK_NAMES,
        description: 'What is wrong where it does not hold',
      },
      rule: stringSchema('What should hold'),
      field: stringSchema('The field that a warning names'),
      others: arraySchema('The other fields that it looks at', stringSchema('Name of a field')),
    }),
  ),
  formats: arraySchema(
    'The forms that answers can take',
    objectSchema({
      name: stringSchema('Short name of the form'),
      mediaType: stringSchema('What `Accept` asks for it with'),
      extension: stringSchema('Extension of a file that holds it'),
      meaning: stringSchema('What it looks like'),
    }),
  ),
  exports: arraySchema(
    'Where all of it can be had as a file',
    objectSchema({
      format: stringSchema('Short name of the form'),
      path: stringSchema('Path of the file'),
    }),
  ),
} as const satisfies Record<keyof ReturnType<typeof buildCatalogueEntry>, JsonSchema>;

function describeChartKinds(meanings: Readonly<Record<string, string>>): string {
  return Object.entries(meanings)
    .map(([kind, meaning]) => `${kind}: ${meaning}`)
    .join('; ');
}

function buildFieldSchema(fields: JsonSchema): JsonSchema {
  return objectSchema({
    name: stringSchema('Name of the field'),
    kind: stringSchema('What sort of figure or text it is, such as price, percent, count or day'),
    type: { type: 'string', enum: ['string', 'number', 'integer', 'array'] },
    meaning: stringSchema('What it means in this dataset'),
    unit: nullableSchema(
      stringSchema(''),
      'What a figure is measured in; null where there is nothing to measure',
    ),
    values: nullableSchema(
      arraySchema('', { type: 'string' }),
      'The values that it may have; null where any',
    ),
    fields,
  });
}
