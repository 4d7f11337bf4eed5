import { EXPORT_FORMATS } from '../../shared/formats.ts';
import { CHART_KINDS } from './chart.ts';
import { CHECK_KINDS } from './consistency-check.ts';
import type { Dataset } from './dataset.ts';
import { SCOPE_PATTERN } from './declaration.ts';
import type { DescribedField } from './diff-records.ts';
import type { Fields } from './field.ts';
import { type JsonSchema, schema } from './json-schema.ts';
import type { Parameters } from './parameter.ts';
import { PERIOD_NAMES } from './period-unit.ts';
import { RESPONSE_FORMATS } from './response-format.ts';
import { getSdmxPath } from './sdmx-address.ts';

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
    period: period ? describePeriod(period) : null,
    schedule,
    parameters: describeParameters(dataset.parameters),
    fields: describeFields(dataset.fields),
    chart,
    checks,
    formats: FORMAT_ENTRIES,
    exports: EXPORT_FORMATS.map((format) => ({ format, path: `/exports/${name}.${format}` })),
    sdmx: getSdmxPath(dataset),
  };
}

function describePeriod({ field, kind }: NonNullable<Dataset['period']>) {
  return { field, kind: kind.name };
}

const FORMAT_ENTRIES = Object.entries(RESPONSE_FORMATS).map(
  ([name, { mediaType, extension, description }]) => ({
    name,
    mediaType,
    extension,
    meaning: description,
  }),
);

interface CatalogueField extends DescribedField {
  readonly type: unknown;
  readonly decimals: number | null;
  readonly values: unknown;
  readonly fields: readonly CatalogueField[] | null;
  readonly codes: readonly { readonly value: string; readonly label: string }[] | null;
}

function describeFields(fields: Fields): CatalogueField[] {
  return Object.entries(fields).map(
    ([name, { kind, schema, description, unit = null, decimals = null, itemFields, codes }]) => ({
      name,
      kind,
      type: schema.type,
      meaning: description,
      unit,
      decimals,
      values: schema.enum ?? null,
      fields: itemFields ? describeFields(itemFields) : null,
      codes: codes ? Object.entries(codes).map(([value, label]) => ({ value, label })) : null,
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
  name: schema.string('Name of the dataset, in commands and exports'),
  title: schema.string('Title for people'),
  meaning: schema.string('Description of the records and their order'),
  notes: schema.array('Caveats for users of the figures', schema.string('A sentence or two')),
  scope: { ...schema.string('The scope that a token needs'), pattern: SCOPE_PATTERN },
  path: schema.string('Path of the operation'),
  aliases: schema.array('Other paths with the same responses', STRING),
  shape: schema.string(
    'How it is queried: quotes by security and date, a fund by its id, a series as a whole, or by period and dimension values if it has such parameters, reference data as a part of a list',
  ),
  period: schema.nullable(
    schema.object({
      field: schema.string('The field with the label of the period'),
      kind: schema.choice(PERIOD_NAMES.toReversed()),
    }),
    'The period of each record; null if records have no labelled period',
  ),
  schedule: schema.nullable(
    schema.object(
      {
        cadence: schema.choice(
          // In the order that earlier releases had.
          [...PERIOD_NAMES.filter((name) => name !== 'weekly'), 'by-fund', 'weekly'],
          'How often data is published. daily: for every business day, Monday to Friday; by-fund: as often as the frequency of a fund says; else for every period of that kind',
        ),
        delayDays: schema.integer(
          'The usual delay after the end of a period, in days; if the cadence is daily, in business days',
        ),
        toleranceDays: schema.integer(
          'How many days (business days) after the usual delay it counts as late: publishers vary, and holidays are not known',
        ),
        dates: schema.array('Announced instants of releases; absent if there are none', STRING),
      },
      ['dates'],
    ),
    'When data is published; null if it has no schedule',
  ),
  parameters: schema.array(
    'Its query parameters',
    schema.object({
      name: schema.string('Name of the parameter'),
      meaning: schema.string('Description of the parameter'),
      rule: schema.string('Which values are valid: what follows "must be"'),
      required: { type: 'boolean', description: 'Whether it is required' },
      schema: { type: 'object', description: 'Which values are valid, as a JSON Schema' },
      example: schema.string('A valid value'),
    }),
  ),
  fields: schema.array(
    'The fields of a record, in their order',
    buildFieldSchema(
      schema.nullable(
        schema.array(
          '',
          buildFieldSchema({ type: 'null', description: 'Always null: lists are not nested' }),
        ),
        'The fields of each element; null if the field is no list of objects',
      ),
    ),
  ),
  chart: schema.nullable(
    schema.object({
      kind: schema.choice(
        Object.keys(CHART_KINDS),
        `How it is drawn by default. ${Object.entries(CHART_KINDS)
          .map((entry) => entry.join(': '))
          .join('; ')}`,
      ),
      fields: schema.array(
        'The fields that are drawn, in this order',
        schema.string('Name of a field'),
      ),
      total: schema.nullable(STRING, 'The field with the total; null if there is none'),
    }),
    'The default chart; null if there is nothing to plot',
  ),
  checks: schema.array(
    'Consistency checks of each record; loading a record that violates one gives a warning',
    schema.object({
      name: schema.choice(Object.keys(CHECK_KINDS), 'Name of the violation'),
      rule: schema.string('The rule that a record should satisfy'),
      field: schema.string('The field that a warning names'),
      others: schema.array('The other fields that are compared', schema.string('Name of a field')),
    }),
  ),
  formats: schema.array(
    'The formats of responses',
    schema.object({
      name: schema.string('Short name of the format'),
      mediaType: schema.string('The value of `Accept` that requests it'),
      extension: schema.string('Extension of its files'),
      meaning: schema.string('Description of the format'),
    }),
  ),
  exports: schema.array(
    'The files of the complete dataset',
    schema.object({
      format: schema.string('Short name of the format'),
      path: schema.string('Path of the file'),
    }),
  ),
  sdmx: schema.nullable(STRING, 'Path of its data by SDMX; null if it is no series'),
} as const satisfies Record<keyof ReturnType<typeof buildCatalogueEntry>, JsonSchema>;

function buildFieldSchema(fields: JsonSchema): JsonSchema {
  return schema.object({
    name: schema.string('Name of the field'),
    kind: schema.string('Kind of value, such as price, percent, count or day'),
    type: schema.choice(['string', 'number', 'integer', 'boolean', 'array', 'object']),
    meaning: schema.string('Description of the field in this dataset'),
    unit: schema.nullable(STRING, 'Unit of a figure; null for other values'),
    decimals: schema.nullable(
      { type: 'integer' },
      'How many decimals figures have; null if that is not declared',
    ),
    values: schema.nullable(
      { type: 'array', items: STRING },
      'The possible values; null if any value is possible',
    ),
    fields,
    codes: schema.nullable(
      schema.array(
        '',
        schema.object({ value: schema.string('The code'), label: schema.string('Its label') }),
      ),
      'The known values with their labels, in the order of the declaration; null if none are declared',
    ),
  });
}
