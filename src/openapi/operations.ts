import { ACCEPT_DATETIME, acceptDatetime } from '../catalogue/model/accept-datetime.ts';
import {
  API_ERRORS,
  formatAllowedNames,
  formatErrorMessage,
} from '../catalogue/model/api-errors.ts';
import type { Dataset } from '../catalogue/model/dataset.ts';
import type { Operation } from '../catalogue/model/operation.ts';
import type { Parameter, Parameters } from '../catalogue/model/parameter.ts';
import { RESPONSE_FORMATS } from '../catalogue/model/response-format.ts';
import {
  buildEnvelopeSchema,
  buildSuccessExample,
  buildSuccessSchema,
} from '../schema/envelope-schema.ts';
import type { RequestHeaderName, ResponseHeaderName } from './headers.ts';
import { requestHeaderRefs, responseHeaderRefs } from './headers.ts';
import {
  buildErrorExamples,
  buildErrorResponse,
  buildFileContent,
  buildSuccessResponse,
  RATE_LIMIT_HEADERS,
  sharedResponseRefs,
} from './responses.ts';

/** Where operations are listed that do not say so themselves. */
export const DEFAULT_TAG = 'revisions';

const { json: _, ...NON_JSON_FORMATS } = RESPONSE_FORMATS;
const CONDITIONAL_HEADERS = ['If-None-Match', 'If-Modified-Since'] as const;
const MEMENTO_HEADERS = ['Memento-Datetime', 'Link'] as const;
const REVISION_HEADERS = ['Tenor-Revision', 'Tenor-Unconfirmed-Since'] as const;
const DATA_HEADERS = [
  ...REVISION_HEADERS,
  'ETag',
  'Last-Modified',
  'Vary',
  'Content-Disposition',
  ...MEMENTO_HEADERS,
  'Tenor-Total-Count',
  'Preference-Applied',
] as const;

/** The operation that answers with a dataset; aliases are numbered from 1 on. */
export function buildDatasetOperation(dataset: Dataset, alias: number): object {
  const { name, title, description, notes, scope, parameters } = dataset;
  const [path] = dataset.paths;
  return {
    operationId: alias === 0 ? name : `${name}-${alias + 1}`,
    summary: alias === 0 ? title : `${title} (alias)`,
    description: alias === 0 ? [description, ...notes].join('\n\n') : `Identical to \`${path}\`.`,
    tags: [scope],
    security: [{ bearer: [] }],
    parameters: [
      ...buildQueryParameters(parameters),
      ...requestHeaderRefs([ACCEPT_DATETIME, 'Prefer', ...CONDITIONAL_HEADERS]),
    ],
    responses: {
      200: buildSuccessResponse(
        title,
        DATA_HEADERS,
        buildDatasetBody(dataset),
        Object.values(NON_JSON_FORMATS),
      ),
      400: buildErrorResponse(
        ['unknown_parameter', 'bad_header'],
        [unknownParameterMessage(parameters), INVALID_DATETIME_MESSAGE],
      ),
      ...NOT_ACCEPTABLE_RESPONSE,
      ...sharedResponseRefs(),
    },
  };
}

/** Any other operation: it answers with JSON, with a table in any form, or with a file. */
export function buildOperation(operation: Operation): object {
  const {
    name,
    title,
    description,
    tag = DEFAULT_TAG,
    pathParameters,
    parameters,
    supportsAsOf,
    fileFormats,
    isTabular,
  } = operation;
  const instant: RequestHeaderName[] = supportsAsOf ? [ACCEPT_DATETIME] : [];
  const count: RequestHeaderName[] = isTabular ? ['Prefer'] : [];
  // What is told from the ledger alone has no date of its own.
  const conditions: readonly RequestHeaderName[] =
    isTabular || fileFormats ? CONDITIONAL_HEADERS : ['If-None-Match'];
  const parts: RequestHeaderName[] = fileFormats ? ['Range', 'If-Range'] : [];
  const isNamed = Object.keys(pathParameters).length > 0;
  return {
    operationId: name,
    summary: title,
    description,
    tags: [tag],
    security: [{ bearer: [] }],
    parameters: [
      ...Object.entries(pathParameters).map(([segment, each]) =>
        buildParameter('path', segment, each),
      ),
      ...buildQueryParameters(parameters),
      ...requestHeaderRefs([...instant, ...count, ...conditions, ...parts]),
    ],
    responses: {
      ...(fileFormats ? buildFileResponses(operation) : buildJsonResponse(operation)),
      400: buildErrorResponse(
        supportsAsOf ? ['unknown_parameter', 'bad_header'] : ['unknown_parameter'],
        supportsAsOf
          ? [unknownParameterMessage(parameters), INVALID_DATETIME_MESSAGE]
          : [unknownParameterMessage(parameters)],
      ),
      ...(isNamed && { 404: buildErrorResponse(['not_found'], [formatErrorMessage('not_found')]) }),
      ...(isTabular && NOT_ACCEPTABLE_RESPONSE),
      ...sharedResponseRefs(),
    },
  };
}

const XLSX_TEXT_TOO_LONG = { form: 'xlsx', why: 'has a text that is too long for a cell' };
const NOT_ACCEPTABLE_RESPONSE = {
  [API_ERRORS.not_writable.status]: buildErrorResponse(
    ['not_writable'],
    [formatErrorMessage('not_writable', XLSX_TEXT_TOO_LONG)],
  ),
};

const INVALID_DATETIME_MESSAGE = formatErrorMessage('bad_header', {
  header: ACCEPT_DATETIME,
  allowed: acceptDatetime.requirement,
});

function buildDatasetBody(dataset: Dataset): object {
  const schema = buildSuccessSchema(dataset, { $ref: `#/components/schemas/${dataset.name}` });
  const ok = { ok: { summary: 'Success', value: buildSuccessExample(dataset) } };
  if (dataset.shape !== 'fund') return { schema, examples: ok };
  const errors = buildErrorExamples(
    formatErrorMessage('no_fund_id'),
    formatErrorMessage('no_record_found'),
  );
  return {
    schema: { oneOf: [schema, { $ref: '#/components/schemas/error' }] },
    examples: { ...ok, ...errors },
  };
}

function buildJsonResponse({
  title,
  dataSchema,
  example,
  supportsAsOf,
  parameters,
  isTabular,
}: Operation): object {
  const examples = { ok: { summary: 'Success', value: { status: 'ok', data: example } } };
  const body = { schema: buildEnvelopeSchema({ data: dataSchema }), examples };
  if (isTabular)
    return {
      200: buildSuccessResponse(title, DATA_HEADERS, body, Object.values(NON_JSON_FORMATS)),
    };
  // A list that a parameter leads through has links to its parts.
  const more: readonly ResponseHeaderName[] = supportsAsOf
    ? MEMENTO_HEADERS
    : parameters.before
      ? ['Link']
      : [];
  const names: ResponseHeaderName[] = [...REVISION_HEADERS, 'ETag', 'Vary', ...more];
  return { 200: buildSuccessResponse(title, names, body) };
}

function buildFileResponses({ title, fileFormats = [] }: Operation): object {
  const names: ResponseHeaderName[] = [
    'X-Request-Id',
    'Tenor-Revision',
    'ETag',
    'Last-Modified',
    'Vary',
  ];
  const file: ResponseHeaderName[] = ['Content-Disposition', 'Accept-Ranges', ...MEMENTO_HEADERS];
  const told: ResponseHeaderName[] = [...names, ...file, ...RATE_LIMIT_HEADERS];
  const content = buildFileContent(fileFormats);
  const unmet = buildErrorResponse(
    ['range_not_satisfiable'],
    [formatErrorMessage('range_not_satisfiable')],
    ['Content-Range', ...RATE_LIMIT_HEADERS],
  );
  return {
    200: { description: title, headers: responseHeaderRefs(told), content },
    206: {
      description: 'The part of the file that `Range` asks for',
      headers: responseHeaderRefs([...told, 'Content-Range']),
      content,
    },
    [API_ERRORS.range_not_satisfiable.status]: unmet,
  };
}

function buildQueryParameters(parameters: Parameters): object[] {
  return Object.entries(parameters).map(([name, declared]) =>
    buildParameter('query', name, declared),
  );
}

function buildParameter(place: 'query' | 'path', name: string, declared: Parameter): object {
  const { description, requirement, schema, example, requiredError } = declared;
  return {
    name,
    in: place,
    description: `${description}. Must be ${requirement}.`,
    // A missing fund_id is answered, with status 200 and an error: so says the specification.
    required: place === 'path' || requiredError !== undefined,
    schema,
    example: schema.type === 'integer' ? Number(example) : example,
  };
}

function unknownParameterMessage(parameters: Parameters): string {
  const allowed = formatAllowedNames(Object.keys(parameters));
  return formatErrorMessage('unknown_parameter', { parameter: 'colour', allowed });
}
