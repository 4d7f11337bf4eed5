import type { Dataset } from '../catalogue/model/dataset.ts';
import { COUNT_FIELDS, describePeriod, getPeriod } from '../catalogue/model/observations.ts';
import { findBoundary, type ParameterValues } from '../catalogue/model/parameter.ts';
import { createPeriodKind, type PeriodKind } from '../catalogue/model/period.ts';
import { listCoarserUnits, PERIOD_TRAITS } from '../catalogue/model/period-unit.ts';
import {
  AGGREGATE_NAMES,
  type FREQUENCY_PARAMETERS,
  type TRANSFORM_PARAMETERS,
} from '../catalogue/model/transform-parameters.ts';
import { HttpError } from '../http/http-error.ts';
import type { DataQuery } from '../http/request/parse-query.ts';
import { formatDay, parseDay } from '../shared/calendar.ts';
import type { PeriodRange } from '../store/open-store.ts';
import { nestPeriods } from '../transforms/period-nesting.ts';
import {
  type DatasetTransform,
  getAggregate,
  getResultKind,
  selectMeasures,
} from '../transforms/transformed-dataset.ts';

type TransformValues = ParameterValues<typeof TRANSFORM_PARAMETERS>;

/** How a request transforms a dataset; undefined if it does not. */
export function planTransform(
  dataset: Dataset,
  { filters, fields = [] }: Pick<DataQuery, 'filters' | 'fields'>,
): DatasetTransform | HttpError | undefined {
  const values: TransformValues = filters;
  const {
    frequency,
    year_start: yearStart,
    aggregate,
    units = 'lin',
    min_share: minShare,
  } = values;
  const error =
    findFrequencyError(getPeriod(dataset).kind, values) ??
    (frequency
      ? findAggregateError(dataset, values, fields)
      : findUselessParameter(values, fields));
  if (error) return error;
  if (!frequency && units === 'lin') return undefined;
  return {
    frequency,
    yearStart,
    aggregate,
    units,
    minShare,
    includesPartial: values.partial === 'true',
  };
}

/** The error of a frequency that the periods of a series do not make up. */
function findFrequencyError(
  kind: PeriodKind,
  { frequency, year_start: yearStart }: ParameterValues<typeof FREQUENCY_PARAMETERS>,
): HttpError | undefined {
  if (!frequency) return undefined;
  const coarser = listCoarserUnits(kind.unit);
  if (!coarser.includes(frequency)) {
    const allowed = coarser.length === 0 ? 'none is coarser' : `one of ${coarser.join(', ')}`;
    return new HttpError('finer_frequency', { own: kind.unit, allowed });
  }
  if (yearStart === undefined) return undefined;
  if (!PERIOD_TRAITS[frequency].hasYearStart) return YEAR_START_ERROR;
  if (nestPeriods(kind, createPeriodKind(frequency, yearStart))) return undefined;
  const months = Array.from(
    { length: 4 },
    (_, index) => (((kind.yearStart ?? 1) - 1) % 3) + 1 + index * 3,
  );
  return new HttpError('uneven_years', { allowed: months.join(', ') });
}

function findAggregateError(
  dataset: Dataset,
  { aggregate, min_share: minShare = 1 }: TransformValues,
  fields: readonly string[],
): HttpError | undefined {
  const measures = selectMeasures(dataset, fields);
  const other = measures.find(({ kind }) => aggregate === 'sum' && kind !== 'flow');
  const allowed = AGGREGATE_NAMES.filter((name) => name !== 'sum').join(', ');
  if (other)
    return new HttpError('not_additive', { measure: other.field, kind: other.kind, allowed });
  const summed = measures.find((each) => getAggregate(each, { aggregate }) === 'sum');
  const remedy = `give "aggregate" as one of ${allowed}, or leave this out`;
  return summed && minShare < 1
    ? new HttpError('share_of_sum', { measure: summed.field, remedy })
    : undefined;
}

/** What is of no use without a frequency. */
function findUselessParameter(
  values: TransformValues,
  fields: readonly string[],
): HttpError | undefined {
  if (values.year_start !== undefined) return YEAR_START_ERROR;
  const useless =
    // Clients may send a default.
    AGGREGATE_PARAMETERS.find((name) => (values[name] ?? 'false') !== 'false') ??
    fields.find((name) => Object.hasOwn(COUNT_FIELDS, name));
  return useless === undefined
    ? undefined
    : new HttpError('needs_frequency', { parameter: useless });
}

const AGGREGATE_PARAMETERS = ['aggregate', 'min_share', 'partial'] as const;

const YEAR_START_ERROR = new HttpError('year_start_of_nothing');

/** The first and last period of a result, by labels of its own, of the dataset's periods, or by days. */
export function parsePeriods(
  dataset: Dataset,
  transform: Pick<DatasetTransform, 'frequency' | 'yearStart'>,
  texts: { readonly from?: string; readonly to?: string },
): PeriodBounds | HttpError {
  const { kind: own } = getPeriod(dataset);
  const kind = getResultKind(dataset, transform);
  const nesting = nestPeriods(own, kind);
  const parse = (text: string) => {
    const ordinal = own.parseRequest(text);
    return (
      kind.parseRequest(text) ?? (ordinal !== undefined ? nesting?.toCoarser(ordinal) : undefined)
    );
  };
  return parseRange(texts, parse, kind);
}

type PeriodBounds = Pick<PeriodRange, 'from' | 'to'>;

/** The first and last period of a request. A plain year names no fiscal one. */
export function parseRange(
  texts: { readonly from?: string; readonly to?: string },
  parse: (text: string) => number | undefined,
  kind: PeriodKind,
  allowed = describePeriod(kind),
): PeriodBounds | HttpError {
  const ordinals: { from?: number; to?: number } = {};
  const parseLonger = (name: 'from' | 'to', text: string) => {
    const isPlainYear = /^\d{4}$/.test(text);
    const boundary = findBoundary(name, text);
    if ((kind.unit === 'year' && isPlainYear) || boundary === undefined) return undefined;
    // The week with 1 January may belong to the year before.
    const days = name === 'from' ? kind.decisiveDay : -kind.decisiveDay;
    return parse(formatDay(parseDay(boundary) + days));
  };
  for (const name of ['from', 'to'] as const) {
    const text = texts[name];
    const ordinal = text && (parse(text) ?? parseLonger(name, text));
    if (typeof ordinal === 'number') ordinals[name] = ordinal;
    else if (text !== undefined) return new HttpError('bad_value', { parameter: name, allowed });
  }
  const { from = Number.NEGATIVE_INFINITY, to = from } = ordinals;
  return from > to ? new HttpError('reversed_range') : ordinals;
}
