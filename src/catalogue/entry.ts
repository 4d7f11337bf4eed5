import { CHART_KINDS } from './chart.ts';
import type { Dataset } from './dataset.ts';
import { SCOPES } from './dataset.ts';
import { EXPORT_FORMATS } from './exports.ts';
import type { Fields, JsonSchema } from './field.ts';
import { IDENTITY_NAMES } from './identity.ts';
import { list, object, orNull, words } from './json-schema.ts';
import type { Parameters } from './parameter.ts';
import { representations } from './representation.ts';

/** What the declaration of a dataset tells to those who want to use it. */
export function declaredEntry({ name, title, meaning, notes, scope, ...rest }: Dataset) {
  const { shape, period, parameters, fields, chart, identities } = rest;
  const [path, ...aliases] = rest.paths;
  return {
    name,
    title,
    meaning,
    notes,
    scope,
    path,
    aliases,
    shape,
    period: period ? { field: period.field, kind: period.kind.name } : null,
    parameters: parametersIn(parameters),
    fields: fieldsIn(fields),
    chart,
    checks: identities,
    formats: FORMATS,
    exports: EXPORT_FORMATS.map((format) => ({ format, path: `/exports/${name}.${format}` })),
  };
}

const FORMATS = Object.entries(representations).map(
  ([name, { mediaType, extension, meaning }]) => ({ name, mediaType, extension, meaning }),
);

interface FieldEntry {
  readonly name: string;
  readonly kind: string;
  readonly type: unknown;
  readonly meaning: string;
  readonly unit: string | null;
  readonly values: unknown;
  readonly fields: readonly FieldEntry[] | null;
}

function fieldsIn(fields: Fields): FieldEntry[] {
  return Object.entries(fields).map(([name, { kind, schema, meaning, unit = null, of }]) => ({
    name,
    kind,
    type: schema.type,
    meaning,
    unit,
    values: schema.enum ?? null,
    fields: of ? fieldsIn(of) : null,
  }));
}

function parametersIn(parameters: Parameters) {
  return Object.entries(parameters).map(([name, { meaning, rule, missing, schema, example }]) => ({
    name,
    meaning,
    rule,
    required: missing !== undefined,
    schema,
    example,
  }));
}

/** The JSON Schemas of what a declaration tells. */
export const declaredSchemas = {
  name: words('Name of the dataset, in commands and exports'),
  title: words('What it is called'),
  meaning: words('What it holds, and in which order'),
  notes: list('What to know before its figures are used', words('A sentence or two')),
  scope: { type: 'string', enum: SCOPES, description: 'The scope that a token needs for it' },
  path: words('Where it is asked for'),
  aliases: list('Other paths that give the same answers', { type: 'string' }),
  shape: words(
    'How it is asked for: quotes by security and date, a fund by its id, a series whole',
  ),
  period: orNull(
    object({
      field: words('The field that holds the label of the period'),
      kind: { type: 'string', enum: ['annual', 'quarterly', 'monthly'] },
    }),
    'What each record is about in time; null where that is no labelled period',
  ),
  parameters: list(
    'The query parameters that it takes',
    object({
      name: words('Name of the parameter'),
      meaning: words('What it asks for'),
      rule: words('What is allowed, in words that follow "must be"'),
      required: { type: 'boolean', description: 'Whether nothing is answered without it' },
      schema: { type: 'object', description: 'What is allowed, as a JSON Schema' },
      example: words('A value that is allowed'),
    }),
  ),
  fields: list(
    'The fields of a record, in their order',
    fieldSchema(
      orNull(
        list('', fieldSchema({ type: 'null', description: 'Always null: lists are not nested' })),
        'The fields of each element of a list; null where the field is no list of objects',
      ),
    ),
  ),
  chart: object({
    kind: {
      type: 'string',
      enum: Object.keys(CHART_KINDS),
      description: `How it is drawn. ${kindsIn(CHART_KINDS)}`,
    },
    fields: list('The fields that are drawn, in this order', words('Name of a field')),
    total: orNull(words(''), 'The field that holds the whole; null where there is none'),
  }),
  checks: list(
    'What should hold in each record; where it does not, there was a warning and no refusal',
    object({
      name: {
        type: 'string',
        enum: IDENTITY_NAMES,
        description: 'What is wrong where it does not hold',
      },
      rule: words('What should hold'),
      field: words('The field that a warning names'),
      others: list('The other fields that it looks at', words('Name of a field')),
    }),
  ),
  formats: list(
    'The forms that answers can take',
    object({
      name: words('Short name of the form'),
      mediaType: words('What `Accept` asks for it with'),
      extension: words('Extension of a file that holds it'),
      meaning: words('What it looks like'),
    }),
  ),
  exports: list(
    'Where all of it can be had as a file',
    object({ format: words('Short name of the form'), path: words('Path of the file') }),
  ),
} as const satisfies Record<keyof ReturnType<typeof declaredEntry>, JsonSchema>;

function kindsIn(meanings: Readonly<Record<string, string>>): string {
  return Object.entries(meanings)
    .map(([kind, meaning]) => `${kind}: ${meaning}`)
    .join('; ');
}

function fieldSchema(fields: JsonSchema): JsonSchema {
  return object({
    name: words('Name of the field'),
    kind: words('What sort of figure or text it is, such as price, percent, count or day'),
    type: { type: 'string', enum: ['string', 'number', 'integer', 'array'] },
    meaning: words('What it means in this dataset'),
    unit: orNull(words(''), 'What a figure is measured in; null where there is nothing to measure'),
    values: orNull(list('', { type: 'string' }), 'The values that it may have; null where any'),
    fields,
  });
}
