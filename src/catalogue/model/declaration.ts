import { CHART_KINDS, type Chart } from './chart.ts';
import type { AddedField } from './field.ts';
import { MAX_IDENTIFIER_LENGTH } from './field-builders.ts';
import { INSTANT_PATTERN_SOURCE } from './iso-date-time.ts';
import { type JsonSchema, type SchemaOf, schema, type ValueOf } from './json-schema.ts';
import { PERIOD_NAMES, PERIOD_UNITS } from './period-unit.ts';

export const MAX_TITLE_LENGTH = 200;
export const MAX_DESCRIPTION_LENGTH = 2000;
const limited = (description: string, maxLength = MAX_TITLE_LENGTH) => ({ ...schema.string(description), minLength: 1, maxLength });
const matching = (description: string, pattern: string) => ({ ...schema.string(description), pattern });
const list = <S extends JsonSchema>(description: string, items: S, maxItems: number) => ({ ...schema.array(description, items), maxItems });
const datasetName = (description: string) => matching(description, '^[a-z][a-z0-9-]{0,59}$');
const field = (description: string) => matching(description, '^[a-z][a-zA-Z0-9_]{0,39}$');
const title = limited('Title for people');

/** The limit of a file with a declaration; declarations within the other limits are smaller. */
export const MAX_DECLARATION_MIB = 16;
const MAX_MEASURES = 40;
/** The limit of lists that people read. */
export const MAX_LIST_LENGTH = 100;

export const SCOPE_PATTERN = '^[a-z][a-z0-9-]{0,39}$';
export const DEFAULT_SCOPE = 'datasets';

const PERIOD = {
  kind: schema.choice(PERIOD_UNITS, 'Weeks are those of ISO 8601'),
  field: field('The field with the label of the period'),
  yearStart: { ...schema.integer('The month in which years begin; if it is not 1, they are named by the year in which they end', 1), maximum: 12 },
};

const DIMENSION = {
  field: field('Name of the field, and of the parameter that selects values'),
  title,
  codes: {
    type: 'object',
    description: 'The known values with their labels; any text without it',
    propertyNames: { maxLength: MAX_IDENTIFIER_LENGTH },
    maxProperties: 10_000,
    additionalProperties: limited('Label'),
  } as SchemaOf<Readonly<Record<string, string>>>,
  codesStrict: schema.boolean('Whether another value is a problem instead of a warning'),
};

export const MEASURE_KINDS = ['flow', 'stock', 'rate', 'index'] as const;
const MEASURE = {
  field: field('Name of the field'),
  title,
  unit: limited('Unit of the figures, such as percent or PKR billion'),
  currency: matching('Currency of the figures by ISO 4217', '^[A-Z]{3}$'),
  scale: { ...schema.number('The factor by which figures are in the unit: with 1000000, people read "million US dollars" of US dollars'), exclusiveMinimum: 0 },
  decimals: { ...schema.integer('How many decimals figures have'), maximum: 15 },
  kind: schema.choice(MEASURE_KINDS, 'By default, a flow is aggregated by sum, a stock by last, a rate and an index by mean'),
  required: schema.boolean('Whether null is a problem'),
};
const OPTIONAL_OF_MEASURE = ['currency', 'scale', 'decimals', 'required'] as const;

const CHECK = {
  sum: list('Measures that add up', field('A measure'), MAX_MEASURES),
  equals: field('The measure that they add up to'),
  tolerance: { ...schema.number('By default, what rounding each figure to one decimal makes'), minimum: 0 },
  field: field('A measure that the other members limit'),
  min: schema.number('The least plausible figure'),
  max: schema.number('The largest plausible figure'),
  atMost: field('A measure that it is not above'),
  maxChange: { ...schema.number('The largest plausible change since the period before of the same dimension values, in percent'), exclusiveMinimum: 0 },
  maxUnchanged: schema.integer('In how many periods after the first the figure may stay the same', 1),
};
const CHECK_NAMES = ['sum', 'equals', 'tolerance', 'field', 'min', 'max', 'atMost', 'maxChange', 'maxUnchanged'] as const;
const CHECK_FORMS = [['sum', 'equals'], ...['min', 'max', 'atMost', 'maxChange', 'maxUnchanged'].map((limit) => ['field', limit])].map((required) => ({
  properties: Object.fromEntries(required.map((name) => [name, {}])),
  required,
}));

const PROPERTIES = {
  name: datasetName('Name of the dataset, in commands, paths and exports'),
  title,
  description: limited('What a record holds', MAX_DESCRIPTION_LENGTH),
  notes: list('Caveats for users of the figures', limited('A sentence or two', 1000), MAX_LIST_LENGTH),
  source: limited('Who publishes the figures, and where', 1000),
  licence: limited('Terms of use', 1000),
  scope: matching(`The scope that a token needs; ${DEFAULT_SCOPE} by default`, SCOPE_PATTERN),
  period: { description: 'The period of a record', ...schema.object(PERIOD, ['yearStart']) },
  dimensions: list('With the period, the key of a record', schema.object(DIMENSION, ['codes', 'codesStrict']), 8),
  measures: { ...list('The figures of a record', schema.object(MEASURE, OPTIONAL_OF_MEASURE), MAX_MEASURES), minItems: 1 },
  checks: list('Rules whose violation is a warning', { ...schema.object(CHECK, CHECK_NAMES), anyOf: CHECK_FORMS }, MAX_LIST_LENGTH),
  schedule: {
    description: 'When data is due',
    ...schema.object(
      {
        cadence: schema.choice(PERIOD_NAMES, 'How often data is published'),
        delayDays: schema.integer('The usual delay after the end of a period: business days if it is daily, else days'),
        toleranceDays: schema.integer('How many such days later data is late'),
        dates: list(
          'Instants of coming releases, if they are known: a period is then due at the one that is nearest to its usual one',
          matching('An instant such as 2026-06-12T10:00:00+05:00', `^${INSTANT_PATTERN_SOURCE}$`),
          MAX_LIST_LENGTH,
        ),
      },
      ['dates'],
    ),
  },
  chart: list('The measures that are drawn', field('A measure'), MAX_MEASURES),
  status: schema.boolean('Whether records have a status'),
  supersedes: datasetName('The dataset whose place it takes'),
  coverage: schema.choice(['stable', 'open'], 'Whether each period should have the dimension values of the period before; stable by default'),
};
const OPTIONAL = [
  ...(['description', 'notes', 'source', 'licence', 'scope', 'dimensions', 'checks', 'schedule', 'chart', 'status', 'supersedes', 'coverage'] as const),
];

/** The JSON Schema of a declaration: a dataset as data. */
export const DECLARATION_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  description: `The declaration of a dataset, in a file of at most ${MAX_DECLARATION_MIB} MiB`,
  ...schema.object(PROPERTIES, OPTIONAL),
};

/** The schema of published declarations, without limits of size: other releases may allow larger ones. */
export const PUBLISHED_SCHEMA: typeof DECLARATION_SCHEMA = JSON.parse(JSON.stringify(DECLARATION_SCHEMA), (name, value) =>
  /^(maxItems|maxProperties|propertyNames)$/.test(name) ? undefined : value,
);

export type Declaration = ValueOf<typeof DECLARATION_SCHEMA>;

/** A declaration that was published; can be sent between threads. */
export interface DeclaredDataset extends DeclarationOrigin {
  readonly declaration: Declaration;
}

/** When a declaration was published, and how it has changed. */
export interface DeclarationOrigin {
  readonly revision: number;
  readonly publishedAt: string;
  /** When it was first declared to supersede another dataset, if it does. */
  readonly supersedesSince?: string;
  /** Measures that the first declaration lacked, in order, with the revision that added each. */
  readonly addedMeasures: readonly AddedField[];
}

const { field: _, required: __, ...FIGURE } = { ...MEASURE, integer: schema.boolean('Whether a fraction is a problem') };
const OPTIONAL_OF_FIGURE = ['currency', 'scale', 'decimals', 'integer'] as const;

/** The schema of the declarations that ship with the program, which may contain more. */
export const SHIPPED_SCHEMA = schema.object(
  {
    ...PROPERTIES,
    path: limited('Path of its operation'),
    message: schema.boolean('Whether success bodies carry an empty message'),
    period: schema.object(
      // Null if the source does not say when years begin, in which case labels stay as published.
      { ...PERIOD, yearStart: { ...PERIOD.yearStart, type: ['integer', 'null'] } as SchemaOf<number | null> },
      ['yearStart'],
    ),
    measures: schema.array('The figures of a record', schema.object({ ...MEASURE, ...FIGURE }, [...OPTIONAL_OF_FIGURE, 'required'])),
    keyedList: schema.object({
      field: field('A list of keys with a figure each, after the measures; its members count as measures'),
      title,
      key: limited('Description of the keys'),
      value: schema.object(FIGURE, OPTIONAL_OF_FIGURE),
    }),
    checks: schema.array(
      'The list may add up to a number, or at most to a measure',
      schema.object({ ...CHECK, equals: { type: ['string', 'number'] } as SchemaOf<string | number> }, CHECK_NAMES),
    ),
    chart: schema.object({
      kind: schema.choice(Object.keys(CHART_KINDS) as Chart['kind'][], 'How it is drawn'),
      fields: schema.array('What is drawn', field('A measure or the list')),
      total: { type: ['string', 'null'] } as SchemaOf<string | null>,
    }),
    example: { type: 'object' } as SchemaOf<Readonly<Record<string, unknown>>>,
  },
  [...OPTIONAL, 'message', 'keyedList'],
);

export type ShippedDeclaration = ValueOf<typeof SHIPPED_SCHEMA>;
