import { formatAllowedNames } from '../../catalogue/model/api-errors.ts';
import { getPeriod } from '../../catalogue/model/observations.ts';
import type { Parameters, ParameterValues } from '../../catalogue/model/parameter.ts';
import { HttpError } from '../../http/http-error.ts';
import { parseQuery, type SentParameter } from '../../http/request/parse-query.ts';
import type { StructureQuery } from '../../sdmx/artefacts.ts';
import type { Flow } from '../../sdmx/flow.ts';
import type { DataQuery, SeriesKey } from '../../sdmx/message-query.ts';
import { parseTimePeriod } from '../../sdmx/time-period.ts';
import { formatDay } from '../../shared/calendar.ts';
import { chooseFormat, negotiateMessage } from './negotiate.ts';
import { DATA_OFFERS, STRUCTURE_OFFERS } from './offers.ts';
import type { DataAddress, StructureAddress } from './parse-address.ts';
import { DATA_PARAMETERS, DATA_PARAMETERS_2, STRUCTURE_PARAMETERS } from './sdmx-parameters.ts';

/** The values of a request's parameters, and the filters of components that REST 2 has. */
interface ParsedParameters<P extends Parameters> {
  readonly values: ParameterValues<P>;
  readonly components: readonly (readonly [id: string, value: string])[];
}

/** Parses parameters by their declarations; `c[…]` are separated before. */
function parseParameters<P extends Parameters>(
  sent: readonly SentParameter[],
  parameters: P,
  hasComponents: boolean,
): ParsedParameters<P> | HttpError {
  const isComponent = ({ name }: SentParameter) => hasComponents && COMPONENT.test(name ?? '');
  const values = parseQuery(
    sent.filter((each) => !isComponent(each)),
    parameters,
  );
  if (values instanceof HttpError) return values;
  const components: (readonly [string, string])[] = [];
  for (const { name = '', value } of sent.filter(isComponent)) {
    if (!value) return new HttpError('empty_parameter', { parameter: name, allowed: 'values' });
    components.push([COMPONENT.exec(name)?.[1] ?? '', value]);
  }
  return { values: values as ParameterValues<P>, components };
}

const COMPONENT = /^c\[([^\]]*)\]$/;

/** The artefacts that a request selects. */
export function planStructure(
  { kinds, agencies, ids, items }: StructureAddress,
  sent: readonly SentParameter[],
  accept: string | null,
) {
  const parsed = parseParameters(sent, STRUCTURE_PARAMETERS, false);
  if (parsed instanceof HttpError) return parsed;
  const { references = 'none', detail = 'full', format: name, asOf, as_of } = parsed.values;
  const format = name
    ? chooseFormat(STRUCTURE_OFFERS, name)
    : negotiateMessage(accept, STRUCTURE_OFFERS);
  if (format instanceof HttpError) return format;
  const query: StructureQuery = { kinds, agencies, ids, items, references, detail };
  return { query, format, asOf: asOf ?? as_of };
}

/** A data query whose format and first revision are elsewhere. */
type PlannedQuery = Omit<DataQuery, 'format' | 'since'>;

/** The observations that a request selects, once its flow is known. */
export function planData(
  { api, key }: DataAddress,
  sent: readonly SentParameter[],
  accept: string | null,
) {
  const parsed =
    api === '2'
      ? parseParameters(sent, DATA_PARAMETERS_2, true)
      : parseParameters(sent, DATA_PARAMETERS, false);
  if (parsed instanceof HttpError) return parsed;
  const values: DataValues = parsed.values;
  const offers = DATA_OFFERS[api];
  const format = values.format
    ? chooseFormat(offers, values.format)
    : negotiateMessage(accept, offers);
  if (format instanceof HttpError) return format;
  const createQuery = (flow: Flow): PlannedQuery | HttpError => {
    const ids = [...flow.dimensions.map(({ id }) => id), 'TIME_PERIOD'];
    const { dimensionAtObservation = 'TIME_PERIOD', startPeriod, endPeriod } = values;
    const dimensions = [...ids, 'AllDimensions'];
    if (!dimensions.includes(dimensionAtObservation)) {
      const allowed = `one of ${dimensions.join(', ')}`;
      return new HttpError('bad_value', { parameter: 'dimensionAtObservation', allowed });
    }
    const keys = parseKeys(key, ids.slice(0, -1), api);
    if (keys instanceof HttpError) return keys;
    const { yearStart } = getPeriod(flow.dataset).kind;
    const context = { ids, yearStart: yearStart ?? 1 };
    const filters = applyComponents({ keys, startPeriod, endPeriod }, parsed.components, context);
    if (filters instanceof HttpError) return filters;
    const { firstNObservations, lastNObservations } = values;
    const detail = findDetail(values);
    return { ...filters, firstNObservations, lastNObservations, detail, dimensionAtObservation };
  };
  const { asOf, as_of, updatedAfter } = values;
  return { format, values: { asOf: asOf ?? as_of, updatedAfter }, createQuery };
}

type DataValues = ParameterValues<typeof DATA_PARAMETERS & typeof DATA_PARAMETERS_2>;

/** REST 2 says the same by two parameters. */
function findDetail({ detail, attributes, measures }: DataValues): DataQuery['detail'] {
  if (detail) return detail;
  const hasAttributes = attributes !== 'none';
  if (measures === 'none') return hasAttributes ? 'nodata' : 'serieskeysonly';
  return hasAttributes ? 'full' : 'dataonly';
}

/**
 * Keys separated by commas; a part is empty or `*` for all codes, or has some with `+`. REST 2 leaves out parts
 * at the end that are for all codes.
 */
function parseKeys(
  text: string | undefined,
  dimensions: readonly string[],
  api: DataAddress['api'],
): readonly SeriesKey[] | undefined | HttpError {
  if (text === undefined) return undefined;
  const canOmit = api === '2';
  const sent = text.split(',').map((key) => key.split('.'));
  const keys = canOmit
    ? sent.map((key) =>
        dimensions.map((_, index) => key[index] ?? '').concat(key.slice(dimensions.length)),
      )
    : sent;
  if (keys.some((key) => key.length !== dimensions.length)) {
    const count = `${canOmit ? 'at most ' : ''}${dimensions.length}`;
    return new HttpError('bad_key', { count, dimensions: dimensions.join('.') });
  }
  return keys.map((key) =>
    key.map((part) => (part === '' || part === '*' ? null : part.split('+'))),
  );
}

type Filters = Pick<DataQuery, 'keys' | 'startPeriod' | 'endPeriod'>;

/** Narrows keys and periods by `c[…]`; each of its values may have an operator before it. */
function applyComponents(
  { keys, startPeriod, endPeriod }: Filters,
  components: ParsedParameters<Parameters>['components'],
  { ids, yearStart }: { readonly ids: readonly string[]; readonly yearStart: number },
): Filters | HttpError {
  let filters: Filters = { keys, startPeriod, endPeriod };
  for (const [id, text] of components) {
    const index = ids.indexOf(id);
    if (index < 0)
      return new HttpError('unknown_component', {
        component: id.slice(0, 60),
        allowed: formatAllowedNames(ids),
      });
    const narrowed =
      id === 'TIME_PERIOD'
        ? narrowPeriods(filters, text, yearStart)
        : narrowKeys(filters, index, text, ids.length - 1);
    if (narrowed instanceof HttpError) return narrowed;
    filters = narrowed;
  }
  return filters;
}

function narrowPeriods(filters: Filters, text: string, yearStart: number): Filters | HttpError {
  let { startPeriod, endPeriod } = filters;
  // In a query, a plus sign that is not encoded is a space.
  for (const condition of text.split(/[+ ](?=\w\w:)/)) {
    const [, operator = 'eq', sent = ''] = /^(?:(eq|ge|gt|le|lt):)?(.+)$/.exec(condition) ?? [];
    const period = sent.replace(' ', '+');
    const days = parseTimePeriod(period, yearStart);
    if (!days)
      return new HttpError('bad_value', { parameter: 'c[TIME_PERIOD]', allowed: ALLOWED_PERIODS });
    if (operator === 'gt') startPeriod = formatDay(days[1] + 1);
    if (operator === 'lt') endPeriod = formatDay(days[0] - 1);
    if (/eq|ge/.test(operator)) startPeriod = period;
    if (/eq|le/.test(operator)) endPeriod = period;
  }
  return { ...filters, startPeriod, endPeriod };
}

const ALLOWED_PERIODS =
  'eq:, ge:, gt:, le: or lt: and a period such as 2024-06, or two of these joined by +';

function narrowKeys(
  filters: Filters,
  index: number,
  text: string,
  count: number,
): Filters | HttpError {
  const values = text.split(',').map((value) => value.replace(/^eq:/, ''));
  if (values.some((value) => /^[a-z]{2}:/.test(value)))
    return new HttpError('bad_value', {
      parameter: 'c[…]',
      allowed: 'codes separated by commas, each after eq: or nothing',
    });
  const all: readonly SeriesKey[] = filters.keys ?? [Array.from({ length: count }, () => null)];
  const keys = all.map((key) => {
    const own = key[index];
    return key.with(index, own ? own.filter((code) => values.includes(code)) : values);
  });
  return { ...filters, keys };
}
