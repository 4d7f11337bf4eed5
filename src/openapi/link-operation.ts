import { ACCEPT_DATETIME } from '../catalogue/model/accept-datetime.ts';
import { formatAllowedNames, formatErrorMessage } from '../catalogue/model/api-errors.ts';
import { RESPONSE_FORMATS } from '../catalogue/model/response-format.ts';
import { linkOperation } from '../catalogue/operations/links.ts';
import { type ResponseHeaderName, requestHeaderRefs, responseHeaderRefs } from './headers.ts';
import {
  buildErrorResponse,
  buildFileContent,
  RATE_LIMIT_HEADERS,
  sharedResponseRefs,
} from './responses.ts';

export const LINK_TAG = 'links';

const { json, ...OTHER_FORMATS } = RESPONSE_FORMATS;

/** Those of every target: data, lists and files. */
const HEADERS: readonly ResponseHeaderName[] = [
  'Tenor-Revision',
  'Tenor-Unconfirmed-Since',
  'ETag',
  'Last-Modified',
  'Vary',
  'Content-Disposition',
  'Memento-Datetime',
  'Link',
  'Tenor-Total-Count',
  'Preference-Applied',
  'Accept-Ranges',
  ...RATE_LIMIT_HEADERS,
];

/** The operation that gives the target of a link, without a token. */
export function buildLinkOperation(): object {
  const { name, title, description } = linkOperation;
  const { 401: _unauthorized, ...sharedResponses } = sharedResponseRefs() as Record<number, object>;
  const content = buildContent();
  return {
    operationId: name,
    summary: title,
    description,
    tags: [LINK_TAG],
    security: [],
    parameters: [SECRET_PARAMETER, ...requestHeaderRefs(REQUEST_HEADER_NAMES)],
    responses: {
      200: {
        description: title,
        headers: responseHeaderRefs(['X-Request-Id', ...HEADERS]),
        content,
      },
      206: {
        description: 'The bytes that `Range` requests, where the target is a file',
        headers: responseHeaderRefs(['X-Request-Id', ...HEADERS, 'Content-Range']),
        content,
      },
      400: buildErrorResponse(['unknown_parameter'], [PARAMETER_MESSAGE], HEADERS),
      404: buildErrorResponse(['not_found']),
      406: buildErrorResponse(['not_writable'], [NOT_WRITABLE_MESSAGE], HEADERS),
      416: buildErrorResponse(['range_not_satisfiable'], undefined, [
        'Content-Range',
        ...RATE_LIMIT_HEADERS,
      ]),
      ...sharedResponses,
    },
  };
}

const REQUEST_HEADER_NAMES = [
  ACCEPT_DATETIME,
  'Tenor-Revision',
  'Prefer',
  'If-None-Match',
  'If-Modified-Since',
  'Range',
  'If-Range',
] as const;

const SECRET_PARAMETER = {
  name: 'secret',
  in: 'path',
  description: 'What `tenor link create` showed once. Must be the secret of a link.',
  required: true,
  schema: { type: 'string', minLength: 1 },
  example: 'tenor_link_kx3Wq0l8T0u0cUq1Jm2C5A',
};

function buildContent(): object {
  const example = { status: 'ok', data: [{ date: '2026-07-03', symbol: 'ZZ03TB010126' }] };
  return {
    [json.mediaType]: {
      schema: { type: 'object', description: 'The body of the target' },
      examples: { ok: { summary: 'Success', value: example } },
    },
    ...buildFileContent(Object.values(OTHER_FORMATS)),
  };
}

const PARAMETER_MESSAGE = formatErrorMessage('unknown_parameter', {
  parameter: 'limit',
  allowed: formatAllowedNames([]),
});
const NOT_WRITABLE_MESSAGE = formatErrorMessage('not_writable', {
  format: 'xlsx',
  why: 'has a text that is too long for a cell',
});
