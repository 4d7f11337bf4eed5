import { holidays } from '../../catalogue/datasets/holidays.ts';
import { quotes } from '../../catalogue/datasets/quotes.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import {
  ANY_DECLARED,
  fieldsSchema,
  getSchemaName,
  type JsonSchema,
  listDescribed,
  recordReferences,
  schema,
} from '../../catalogue/model/json-schema.ts';
import {
  createDimensionParameters,
  createObservationFilters,
  describePeriod,
  withStatus,
} from '../../catalogue/model/observations.ts';
import type { Operation } from '../../catalogue/model/operation.ts';
import { type Parameters, parameter } from '../../catalogue/model/parameter.ts';
import {
  MAX_LIMIT,
  pageParameters,
  TABLE_PARAMETERS,
} from '../../catalogue/model/response-parameters.ts';
import { VINTAGE_PARAMETERS } from '../../catalogue/quote-parameters.ts';
import {
  FUND_HISTORY_FILTERS,
  QUOTE_HISTORY_FILTERS,
} from '../corrections/corrections-operation.ts';
import { describeHistory, FIELDS_OF_DATASET, withFieldsOf } from '../history-operation.ts';

/** The fields that follow those of a record. */
export const VINTAGE_SCHEMAS = {
  since: schema.integer('The revision that published this state of the record', 1),
  published: schema.instant('When that revision was published'),
  until: schema.nullable(
    schema.integer('', 1),
    'The revision that corrected or retired it; null while it is valid',
  ),
  withdrawn: schema.nullable(
    schema.instant(''),
    'When that revision was published; null while it is valid',
  ),
};

/** Every state in which records of a dataset were published. */
export const vintagesOperation = (catalogue: readonly Dataset[]) =>
  ({
    ...describeHistory('vintages', catalogue, VINTAGE_EXAMPLE),
    title: 'Vintages',
    description:
      'Every published state of the records that match, in the order of the dataset, then by `since`: the record, and from when until when it was valid. Without a filter, of all records. A record that was retired and published again has two states. A series has its `status` after the record. The filters are those of the dataset, each dimension of a series included. With `as_of` or `Accept-Datetime`, what came later is hidden. In other formats than JSON and NDJSON the columns are those of the export, or those that `fields` names, then these four.',
    parameters: {
      ...Object.fromEntries(
        catalogue.flatMap(({ declaration = {} }) =>
          Object.entries(createDimensionParameters(declaration)),
        ),
      ),
      ...selectStates(quotes.parameters),
      ...IDENTIFIER_PARAMETERS,
      date: parameter.day('For quotes: one date; not together with from or to', '2026-06-30'),
      from: parameter.text('For quotes and series: first date or period, inclusive', '2026-06-01'),
      to: parameter.text('For quotes and series: last date or period, inclusive', '2026-06-30'),
      ...PAGE_PARAMETERS,
      fields: FIELDS_OF_DATASET,
    },
    dataSchema: {
      type: 'array',
      items: {
        type: 'object',
        properties: VINTAGE_SCHEMAS,
        required: Object.keys(VINTAGE_SCHEMAS),
        anyOf: recordReferences(catalogue, VINTAGE_SUFFIX),
      },
    },
  }) satisfies Operation;

/** The schemas of states in the OpenAPI document, by their names. */
export function buildVintageSchemas(catalogue: readonly Dataset[]): Record<string, JsonSchema> {
  const { described, hasOthers } = listDescribed(catalogue);
  const entries = described.map((dataset) => {
    const { properties } = fieldsSchema(withStatus(dataset).fields);
    return [
      getSchemaName(dataset) + VINTAGE_SUFFIX,
      schema.object({ ...(properties as object), ...VINTAGE_SCHEMAS }),
    ];
  });
  return {
    ...Object.fromEntries(entries),
    ...(hasOthers && { [ANY_DECLARED + VINTAGE_SUFFIX]: { type: 'object' } }),
  };
}

const VINTAGE_SUFFIX = '-vintage';

/** The parameters for a dataset: those that select its records elsewhere. */
export function vintageParametersFor(dataset: Dataset): Parameters {
  const { shape, declaration, period } = dataset;
  if (shape === 'quotes')
    return withFieldsOf(dataset, {
      ...selectStates(dataset.parameters),
      from: parameter.boundary('from', quotes.parameters.from),
      to: parameter.boundary('to', quotes.parameters.to),
      ...PAGE_PARAMETERS,
    });
  const identifier = getIdentifier(dataset);
  const filters =
    declaration && period
      ? createObservationFilters(declaration, describePeriod(period.kind))
      : { [identifier]: IDENTIFIER_PARAMETERS[identifier as 'name'] };
  return withFieldsOf(withStatus(dataset), {
    ...filters,
    ...PAGE_PARAMETERS,
    fields: FIELDS_OF_DATASET,
    ...TABLE_PARAMETERS,
  });
}

/** The parameters of quotes that select their states. */
function selectStates(parameters: Parameters): Parameters {
  const own = Object.entries(parameters).filter(([name]) => VINTAGE_PARAMETERS.has(name));
  return Object.fromEntries(own);
}

/** The field that identifies a record of a fund or of reference data. */
export function getIdentifier({ fields }: Dataset): string {
  return Object.keys(fields)[0] ?? '';
}

const PAGE_PARAMETERS = {
  release: parameter.choice(
    'With first, only the first of all states of each record, if it matches',
    ['first'],
  ),
  ...pageParameters('states', MAX_LIMIT),
};

const IDENTIFIER_PARAMETERS = {
  symbol: QUOTE_HISTORY_FILTERS.symbol,
  ...FUND_HISTORY_FILTERS,
  calendar: holidays.parameters.calendar,
  name: parameter.text('For datasets: name of one dataset', 'rates'),
};

const VINTAGE_EXAMPLE = {
  ...quotes.example,
  since: 7,
  published: '2026-07-01T13:05:00.250Z',
  until: null,
  withdrawn: null,
};
