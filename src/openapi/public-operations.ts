import { formatErrorMessage } from '../catalogue/model/api-errors.ts';
import { ACCEPT_DATETIME } from '../catalogue/model/parameter.ts';
import { RESPONSE_FORMATS } from '../catalogue/model/response-format.ts';
import type { HealthOperation } from '../operations/health/health-operations.ts';
import { linkOperation } from '../operations/links/link-operation.ts';
import type { SdmxOperation } from '../operations/sdmx/sdmx-operations.ts';
import { type ResponseHeaderName, requestHeaderRefs } from './headers.ts';
import { buildParameters, describeOperation } from './operations.ts';
import {
  buildErrorResponse,
  buildFileContent,
  buildFileResponses,
  buildNotAcceptableResponse,
  buildResponse,
  buildUnknownParameterMessage,
  RATE_LIMIT_HEADERS,
  REVISION_HEADERS,
  sharedResponseRefs,
} from './responses.ts';

export const LINK_TAG = 'links';
export const HEALTH_TAG = 'health';

const { json, ...OTHER_FORMATS } = RESPONSE_FORMATS;

/** The headers of all possible targets: data, lists and files. */
const LINK_HEADERS: readonly ResponseHeaderName[] = [
  ...REVISION_HEADERS,
  ...(['ETag', 'Last-Modified', 'Vary'] as const),
  ...(['Content-Disposition', 'Memento-Datetime', 'Link', 'Repr-Digest'] as const),
  'Accept-Ranges',
  ...RATE_LIMIT_HEADERS,
];

/** The operation that serves the target of an access link, without a token. */
export function buildLinkOperation(): object {
  const { 401: _unauthorized, ...sharedResponses } = sharedResponseRefs() as Record<number, object>;
  const message = buildUnknownParameterMessage('limit', {});
  const part = 'The bytes that `Range` requests, if the target is a file';
  return {
    ...describeOperation({ ...linkOperation, tag: LINK_TAG, isOpen: true }),
    parameters: [SECRET_PARAMETER, ...requestHeaderRefs(LINK_REQUEST_HEADERS)],
    responses: {
      ...buildFileResponses([linkOperation.title, part], LINK_HEADERS, buildLinkContent()),
      400: buildErrorResponse(['unknown_parameter'], [message], LINK_HEADERS),
      404: buildErrorResponse(['not_found']),
      406: buildNotAcceptableResponse(LINK_HEADERS),
      ...sharedResponses,
    },
  };
}

/** Addresses of SDMX, whose messages are in formats of their own. */
export function buildSdmxOperation(operation: SdmxOperation): object {
  const { title, pathParameters = {}, parameters, offers } = operation;
  const headers: readonly ResponseHeaderName[] = [
    ...REVISION_HEADERS,
    ...(['ETag', 'Last-Modified', 'Vary', 'Content-Disposition', 'Memento-Datetime'] as const),
    'Link',
    ...RATE_LIMIT_HEADERS,
  ];
  const allowed = offers.map(({ mediaType, version }) => `${mediaType};version=${version}`);
  return {
    ...describeOperation(operation),
    parameters: [
      ...buildParameters('path', pathParameters),
      ...buildParameters('query', parameters),
      ...requestHeaderRefs([
        ...([ACCEPT_DATETIME, 'Tenor-Revision', 'If-None-Match', 'If-Modified-Since'] as const),
      ]),
    ],
    responses: {
      200: buildResponse(title, headers, buildMessageContent(offers)),
      400: buildErrorResponse(
        ['unknown_parameter', 'bad_header'],
        [buildUnknownParameterMessage('colour', parameters)],
      ),
      404: buildErrorResponse(
        ['no_such_flow', 'no_results'],
        [formatErrorMessage('no_such_flow', { flow: '"NONE"' }), formatErrorMessage('no_results')],
        headers,
      ),
      406: buildErrorResponse(
        ['not_offered'],
        [formatErrorMessage('not_offered', { allowed: allowed.join(', ') })],
      ),
      ...sharedResponseRefs(),
    },
  };
}

/** A format by its own type, and by the plain types that mean it too. */
function buildMessageContent(offers: SdmxOperation['offers']): object {
  return buildFileContent(
    offers.flatMap(({ mediaType, plainTypes, version }) =>
      [mediaType, ...plainTypes].map((type) => {
        const description = `A message as ${mediaType};version=${version}`;
        return { ...json, mediaType: type, description };
      }),
    ),
  );
}

/** An operation that needs no token. */
export function buildHealthOperation(operation: HealthOperation): object {
  const { title, responses } = operation;
  return {
    ...describeOperation({ ...operation, tag: HEALTH_TAG, isOpen: true }),
    parameters: [],
    responses: {
      ...Object.fromEntries(
        Object.entries(responses).map(([status, { schema, example }]) => {
          const description = status === '200' ? title : 'It cannot; the body says why';
          const examples = { body: { summary: title, value: example } };
          const content = { [json.mediaType]: { schema, examples } };
          return [
            status,
            buildResponse(description, status === '503' ? ['Retry-After'] : [], content),
          ];
        }),
      ),
      400: INVALID_HOST_RESPONSE,
    },
  };
}

const LINK_REQUEST_HEADERS = [
  ...(['Tenor-Revision', 'If-None-Match', 'If-Modified-Since', 'Range', 'If-Range'] as const),
];

const SECRET_PARAMETER = {
  name: 'secret',
  in: 'path',
  description: 'What `tenor link create` showed once. Must be the secret of a link.',
  required: true,
  schema: { type: 'string', minLength: 1 },
  example: 'tenor_link_kx3Wq0l8T0u0cUq1Jm2C5A',
};

function buildLinkContent(): object {
  const example = { status: 'ok', data: [{ date: '2026-07-03', symbol: 'ZZ03TB010126' }] };
  return {
    [json.mediaType]: {
      schema: { type: 'object', description: 'The body of the target' },
      examples: { ok: { summary: 'Success', value: example } },
    },
    ...buildFileContent(Object.values(OTHER_FORMATS)),
  };
}

const HOST_DETAILS = { header: 'Host', allowed: 'one host, with or without a port' };
const INVALID_HOST_RESPONSE = buildErrorResponse(
  ['bad_header'],
  [formatErrorMessage('bad_header', HOST_DETAILS)],
  [],
);
