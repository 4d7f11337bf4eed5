import { formatNames } from '../../shared/format-names.ts';
import { memoizeByIdentity } from '../../shared/memoize.ts';
import { quoteListItem, splitQuotedList } from '../../shared/quoted-list.ts';
import type { Dataset } from './dataset.ts';
import type { ShippedDeclaration } from './declaration.ts';
import type { Fields } from './field.ts';
import { choice, countOf } from './field-builders.ts';
import {
  NORMAL_STATUS,
  OBSERVATION_STATUSES,
  type ObservationStatus,
} from './observation-status.ts';
import { type Parameter, type Parameters, parameter } from './parameter.ts';
import type { PeriodKind } from './period.ts';
import {
  fieldsParameter,
  MAX_LIMIT,
  pageParameters,
  TABLE_PARAMETERS,
} from './response-parameters.ts';
import { TRANSFORM_PARAMETERS } from './transform-parameters.ts';

/** The path by which every series is served, besides any other path. */
export const OBSERVATIONS_PATH = '/datasets/{name}';

export const getObservationsPath = (name: string) => OBSERVATIONS_PATH.replace('{name}', name);

/** Whether the only path of a dataset is the one with its name. */
export function isServedByName({ name, paths }: Pick<Dataset, 'name' | 'paths'>): boolean {
  return paths[0] === getObservationsPath(name);
}

/** A series as served at `/datasets/{name}`: in pages, and each record with its status. */
export const getObservationsForm = memoizeByIdentity((dataset: Dataset): Dataset => {
  const { name, declaration, period } = dataset;
  if (isServedByName(dataset) || !declaration || !period) return dataset;
  const { fields, example } = withStatus(dataset);
  return {
    ...dataset,
    paths: [getObservationsPath(name)],
    hasMessage: false,
    parameters: createObservationParameters(declaration, period.kind, fields),
    fields,
    example,
  };
});

/** A series whose records include their status, whether or not they are served with it. */
export const withStatus = memoizeByIdentity((dataset: Dataset): Dataset => {
  if (dataset.shape !== 'series' || dataset.fields.status) return dataset;
  const fields: Fields = { ...dataset.fields, status: STATUS_FIELD };
  return { ...dataset, fields, example: { ...dataset.example, status: NORMAL_STATUS } };
});

/** The period of a series: all series have one. */
export function getPeriod({ period, name }: Dataset): NonNullable<Dataset['period']> {
  if (!period) throw new TypeError(`${name} is no series`);
  return period;
}

/** The datasets that supersede others, by the names of these. */
export function findSuccessors(datasets: readonly Dataset[]): ReadonlyMap<string, Dataset> {
  return new Map(
    datasets.flatMap((dataset) => {
      const { supersedes } = dataset.declaration ?? {};
      return supersedes === undefined ? [] : [[supersedes, dataset] as const];
    }),
  );
}

/** A dataset as served at its own paths and, for a series, at `/datasets/{name}`. */
export function listServedForms(dataset: Dataset): readonly Dataset[] {
  return dataset.shape === 'reference' ? [] : [...new Set([dataset, getObservationsForm(dataset)])];
}

export const STATUS_FIELD = choice(
  `Status of the observation by the code list of SDMX: ${Object.entries(OBSERVATION_STATUSES)
    .map((entry) => entry.join(' '))
    .join(', ')}`,
  Object.keys(OBSERVATION_STATUSES) as ObservationStatus[],
);

/** The parameters of a series: those that select its records, and those that transform them. */
export function createObservationParameters(
  declaration: Pick<ShippedDeclaration, 'dimensions'>,
  kind: PeriodKind,
  fields: Fields,
): Parameters {
  const requirement = `${describePeriod(kind)}; with frequency, a period of that as well`;
  return {
    ...createObservationFilters(declaration, requirement),
    ...TRANSFORM_PARAMETERS,
    fields: {
      ...fieldsParameter(Object.keys({ ...fields, ...COUNT_FIELDS })),
      description:
        'Only these fields, in the order of the records; aggregate is for the measures among them. JSON takes it with frequency alone, since its records always have all fields',
    },
    ...TABLE_PARAMETERS,
  };
}

/** The parameters that select records of a series, in pages, given the requirement for its periods. */
export function createObservationFilters(
  declaration: Pick<ShippedDeclaration, 'dimensions'>,
  requirement: string,
): Parameters {
  // The valid periods depend on `frequency`, so the text is parsed later, together with it.
  return {
    from: { ...parameter.text('First period, inclusive', '2024-01-31'), requirement },
    to: { ...parameter.text('Last period, inclusive', '2024-01-31'), requirement },
    ...createDimensionParameters(declaration),
    ...pageParameters('records', MAX_LIMIT),
    sort: parameter.choice(
      'Order of periods: desc for the newest first, asc for the oldest first',
      ['desc', 'asc'],
      'desc',
    ),
  };
}

export function createDimensionParameters({
  dimensions = [],
}: Pick<ShippedDeclaration, 'dimensions'>): Readonly<Record<string, Parameter<string>>> {
  return Object.fromEntries(dimensions.map((each) => [each.field, createValuesParameter(each)]));
}

/** The fields of aggregated records that say how complete they are. */
export const COUNT_FIELDS: Fields = {
  observed: countOf('periods')('Periods with a figure'),
  expected: countOf('periods')('Periods that there are, or days on which the dataset has a record'),
};

/** Other spellings of labels that requests may use, if the kind of period takes them. */
const SPELLINGS = ['2024-01', '2024-Q1'];

/** The texts that name a period in a request; follows "must be". */
export function describePeriod(kind: PeriodKind): string {
  const { hasDayLabels, requirement, unit } = kind;
  const isLabel = (text: string) => kind.parseRequest(text) !== undefined;
  const longer = ['2024', '2024-01'].filter((text) => unit !== 'year' && !isLabel(text));
  const bounds = longer.length > 0 ? [`${longer.join(' or ')} for its first or last ${unit}`] : [];
  const months = unit === 'year' ? ['a month in it as 2024-01'] : [];
  const days = hasDayLabels ? [] : ['or a day in it as YYYY-MM-DD'];
  return [requirement, ...SPELLINGS.filter(isLabel), ...bounds, ...months, ...days].join(', ');
}

const MAX_VALUES = 50;

type Dimension = NonNullable<ShippedDeclaration['dimensions']>[number];

function createValuesParameter({ title, codes = {}, codesStrict }: Dimension): Parameter<string> {
  const known = Object.keys(codes);
  const values = parameter.list(title, {
    items: codesStrict ? `of ${formatNames(known)}` : 'values',
    max: MAX_VALUES,
    example: known.slice(0, 2).map(quoteListItem).join(',') || 'A',
  });
  const isKnown = (value: string) => !codesStrict || Object.hasOwn(codes, value);
  const parse = (text: string) => {
    const items = splitQuotedList(text);
    const isValid =
      items !== undefined &&
      items.length <= MAX_VALUES &&
      items.every((item) => item !== '' && item === item.trim() && isKnown(item));
    return isValid ? text : undefined;
  };
  return {
    ...values,
    requirement: `${values.requirement}; one with a comma in double quotes`,
    parse,
  };
}
