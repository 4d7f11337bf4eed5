import { formatErrorMessage } from '../catalogue/model/api-errors.ts';
import type { Dataset } from '../catalogue/model/dataset.ts';
import {
  getSchemaName,
  type JsonSchema,
  recordReferences,
} from '../catalogue/model/json-schema.ts';
import { getObservationsPath } from '../catalogue/model/observations.ts';
import type { Operation } from '../catalogue/model/operation.ts';
import { ACCEPT_DATETIME, acceptDatetime, type Parameters } from '../catalogue/model/parameter.ts';
import { RESPONSE_FORMATS } from '../catalogue/model/response-format.ts';
import { EVENT_STREAM_TYPE } from '../operations/events/events-operation.ts';
import { buildEnvelopeSchema } from '../schema/envelope-schema.ts';
import { type RequestHeaderName, type ResponseHeaderName, requestHeaderRefs } from './headers.ts';
import { describeRequests } from './request-descriptions.ts';
import {
  buildErrorExamples,
  buildErrorResponse,
  buildFileContent,
  buildFileResponses,
  buildNotAcceptableResponse,
  buildResponse,
  buildSuccessResponse,
  buildUnknownParameterMessage,
  RATE_LIMIT_HEADERS,
  REVISION_HEADERS,
  sharedResponseRefs,
} from './responses.ts';

/** The tag of operations that declare none. */
export const DEFAULT_TAG = 'revisions';

const { json: _json, ...NON_JSON_FORMATS } = RESPONSE_FORMATS;
const CONDITIONAL_HEADERS = ['If-None-Match', 'If-Modified-Since'] as const;
const AS_OF_HEADERS = ['Memento-Datetime', 'Link', 'Repr-Digest'] as const;
/** Also sent with errors that follow from the data. */
const DATA_HEADERS = [
  ...REVISION_HEADERS,
  'Vary',
  ...AS_OF_HEADERS,
  'Tenor-Total-Count',
  'Preference-Applied',
] as const;
const TABLE_HEADERS = [...DATA_HEADERS, 'ETag', 'Last-Modified', 'Content-Disposition'] as const;

/** The operation that serves a dataset at one of its paths; index 0 is the canonical path. */
export function buildDatasetOperation(dataset: Dataset, pathIndex = 0, successor?: Dataset) {
  const { name, title, description, notes, scope, parameters, paths } = dataset;
  const isAlias = pathIndex > 0;
  const moreHeaders = isObservationsPath(dataset.paths[0])
    ? (['Deprecation', 'Tenor-Units'] as const)
    : [];
  return {
    operationId: isAlias ? `${name}-${pathIndex + 1}` : getSchemaName(dataset),
    summary: isAlias ? `${title} (alias)` : title,
    description: isAlias
      ? `Identical to \`${paths[0]}\`.`
      : [description, ...describeRequests(dataset), ...notes].join('\n\n'),
    ...(successor && { deprecated: true }),
    tags: [scope],
    security: [{ bearer: [] }],
    parameters: [
      ...buildParameters('query', parameters),
      ...requestHeaderRefs([ACCEPT_DATETIME, 'Tenor-Revision', 'Prefer', ...CONDITIONAL_HEADERS]),
    ],
    responses: {
      200: buildTableResponse(title, buildDatasetBody(dataset), moreHeaders),
      400: buildBadRequestResponse(parameters, true),
      ...(isObservationsPath(dataset.paths[0]) && { 404: buildErrorResponse(['not_found']) }),
      406: NOT_ACCEPTABLE_RESPONSE,
      ...sharedResponseRefs(),
    },
  };
}

/** Also that of all declared datasets together. */
const isObservationsPath = (path: string) => path.startsWith(getObservationsPath(''));

/** Any other operation, which sends JSON, a table in any format, a file or events. */
export function buildOperation(operation: Operation): object {
  if (operation.isEventStream) return buildEventStreamOperation(operation);
  const { pathParameters = {}, parameters, fileFormats, isTabular, hasNoTotal } = operation;
  const { supportsAsOf = false, isOpen } = operation;
  const { 401: _, 403: __, 429: ___, ...openRefs } = sharedResponseRefs() as Record<number, object>;
  const headers: RequestHeaderName[] = [
    ...(supportsAsOf ? ([ACCEPT_DATETIME] as const) : []),
    'Tenor-Revision',
    ...(isTabular && !hasNoTotal ? (['Prefer'] as const) : []),
    // Responses from the ledger alone have no Last-Modified.
    ...(isTabular || fileFormats ? CONDITIONAL_HEADERS : (['If-None-Match'] as const)),
    ...(fileFormats ? (['Range', 'If-Range'] as const) : []),
  ];
  const hasPathParameters = Object.keys(pathParameters).length > 0;
  return {
    ...describeOperation(operation),
    parameters: [
      ...buildParameters('path', pathParameters),
      ...buildParameters('query', parameters),
      ...requestHeaderRefs(headers),
    ],
    responses: {
      ...(fileFormats ? buildExportResponses(operation) : { 200: buildJsonResponse(operation) }),
      400: buildBadRequestResponse(parameters, supportsAsOf),
      ...((hasPathParameters || isOpen === true) && { 404: buildErrorResponse(['not_found']) }),
      ...(isTabular && { 406: NOT_ACCEPTABLE_RESPONSE }),
      ...(operation.maxAddressBytes && { 414: buildAddressTooLongResponse(operation) }),
      ...(isOpen === true ? openRefs : sharedResponseRefs()),
    },
  };
}

function buildAddressTooLongResponse({ maxAddressBytes }: Operation): object {
  const message = formatErrorMessage('uri_too_long', { max: String(maxAddressBytes) });
  return buildErrorResponse(['uri_too_long'], [message]);
}

/** Event streams are never stored, so there are no conditional requests. */
function buildEventStreamOperation(operation: Operation): object {
  const { title, parameters, example } = operation;
  const { 304: _, 412: __, ...errors } = sharedResponseRefs() as Record<number, object>;
  const stream = { contentMediaType: EVENT_STREAM_TYPE, description: 'Server-sent events' };
  return {
    ...describeOperation(operation),
    parameters: requestHeaderRefs(['Last-Event-ID', 'Tenor-Revision']),
    responses: {
      200: buildResponse(title, [...REVISION_HEADERS, ...RATE_LIMIT_HEADERS], {
        [EVENT_STREAM_TYPE]: { schema: stream, example },
      }),
      400: buildBadRequestResponse(parameters, false),
      ...errors,
    },
  };
}

type Description = Pick<Operation, 'name' | 'title' | 'description' | 'tag' | 'isOpen'>;

export function describeOperation(operation: Description): object {
  const { name, title, description, tag = DEFAULT_TAG, isOpen } = operation;
  const security = isOpen === true ? [] : [{ bearer: [] }, ...(isOpen ? [{}] : [])];
  return { operationId: name, summary: title, description, tags: [tag], security };
}

const NOT_ACCEPTABLE_RESPONSE = buildNotAcceptableResponse([
  ...DATA_HEADERS,
  ...RATE_LIMIT_HEADERS,
]);

function buildBadRequestResponse(parameters: Parameters, supportsAsOf: boolean): object {
  const unknownParameter = buildUnknownParameterMessage('colour', parameters);
  if (!supportsAsOf) return buildErrorResponse(['unknown_parameter'], [unknownParameter]);
  const invalidDatetime = formatErrorMessage('bad_header', {
    header: ACCEPT_DATETIME,
    allowed: acceptDatetime.requirement,
  });
  return buildErrorResponse(
    ['unknown_parameter', 'bad_header'],
    [unknownParameter, invalidDatetime],
  );
}

function buildDatasetBody(dataset: Dataset): object {
  const { shape, hasMessage, example } = dataset;
  const [own = {}] = recordReferences([dataset]);
  const record = isObservationsPath(dataset.paths[0])
    ? { anyOf: [own, { $ref: '#/components/schemas/transformed' }] }
    : own;
  const schema = buildEnvelopeSchema({
    ...(hasMessage && { message: { const: '', description: 'Empty on success' } }),
    data: shape === 'fund' ? record : { type: 'array', items: record },
  });
  const message = hasMessage && { message: '' };
  const value = { status: 'ok', ...message, data: shape === 'fund' ? example : [example] };
  const ok = { ok: { summary: 'Success', value } };
  if (shape !== 'fund') return { schema, examples: ok };
  const errors = buildErrorExamples(
    formatErrorMessage('no_fund_id'),
    formatErrorMessage('no_record_found'),
  );
  return {
    schema: { oneOf: [schema, { $ref: '#/components/schemas/error' }] },
    examples: { ...ok, ...errors },
  };
}

function buildTableResponse(
  title: string,
  body: object,
  moreHeaders: readonly ResponseHeaderName[] = [],
): object {
  const headers = [...TABLE_HEADERS, ...moreHeaders];
  return buildSuccessResponse(title, headers, body, Object.values(NON_JSON_FORMATS));
}

function buildJsonResponse(operation: Operation): object {
  const { title, dataSchema, example, supportsAsOf, parameters } = operation;
  const { isTabular, isDocument, hasUnits, mediaType } = operation;
  const body = {
    schema: isDocument ? dataSchema : buildEnvelopeSchema({ data: dataSchema }),
    examples: {
      ok: { summary: 'Success', value: isDocument ? example : { status: 'ok', data: example } },
    },
  };
  if (isTabular) return buildTableResponse(title, body, hasUnits ? ['Tenor-Units'] : []);
  const names: ResponseHeaderName[] = [...REVISION_HEADERS, 'ETag', 'Vary'];
  if (supportsAsOf) names.push(...AS_OF_HEADERS);
  if (operation.otherFormats) names.push('Content-Disposition');
  if (mediaType)
    return buildResponse(title, names, { [mediaType]: { schema: dataSchema, example } });
  else if (parameters.cursor) names.push('Link');
  return buildSuccessResponse(title, names, body, operation.otherFormats);
}

function buildExportResponses({ title, fileFormats = [] }: Operation): object {
  const names = [
    ...REVISION_HEADERS,
    ...(['ETag', 'Last-Modified', 'Vary', 'Content-Disposition', 'Accept-Ranges'] as const),
    ...AS_OF_HEADERS,
    ...RATE_LIMIT_HEADERS,
  ];
  const part = 'The bytes of the file that `Range` requests';
  return buildFileResponses([title, part], names, buildFileContent(fileFormats));
}

export function buildParameters(location: 'query' | 'path', parameters: Parameters): object[] {
  return Object.entries(parameters).map(
    ([name, { description, requirement, schema, example, isRequired }]) => ({
      name,
      in: location,
      description: `${description}. Must be ${requirement}.${formatDefault(schema)}`,
      required: location === 'path' || isRequired === true,
      schema,
      example: ['integer', 'number'].some((type) => type === schema.type)
        ? Number(example)
        : example,
    }),
  );
}

function formatDefault({ default: value }: JsonSchema): string {
  return value === undefined ? '' : ` Default: ${value}.`;
}
