import {
  API_ERRORS,
  type ApiErrorCode,
  formatAllowedNames,
  formatErrorMessage,
} from '../catalogue/model/api-errors.ts';
import { RESPONSE_FORMATS, type ResponseFormat } from '../catalogue/model/response-format.ts';
import type { ResponseHeaderName } from './headers.ts';

export const REVISION_HEADERS = [
  ...(['Tenor-Revision', 'Tenor-Published-At', 'Tenor-Since-Published-At'] as const),
  'Tenor-Unconfirmed-Since',
] as const;

/** Sent with every response to an accepted token that has a rate limit. */
export const RATE_LIMIT_HEADERS = ['RateLimit-Policy', 'RateLimit'] as const;

/** The errors that any operation can send, with their headers. */
const SHARED_ERRORS = Object.entries({
  unauthorized: ['WWW-Authenticate'],
  forbidden: RATE_LIMIT_HEADERS,
  precondition_failed: RATE_LIMIT_HEADERS,
  too_many_requests: ['Retry-After', ...RATE_LIMIT_HEADERS],
  internal_error: RATE_LIMIT_HEADERS,
  temporarily_unavailable: ['Retry-After', ...RATE_LIMIT_HEADERS],
} satisfies Partial<Record<ApiErrorCode, readonly ResponseHeaderName[]>>) as [
  ApiErrorCode,
  readonly ResponseHeaderName[],
][];

export function buildSharedResponses(): object {
  return {
    unchanged: buildResponse('Not modified; there is no body', [
      ...REVISION_HEADERS,
      ...(['ETag', 'Last-Modified', 'Vary', 'Tenor-Units'] as const),
      ...(['Memento-Datetime', 'Link', 'Tenor-Total-Count', 'Preference-Applied'] as const),
      ...RATE_LIMIT_HEADERS,
    ]),
    ...Object.fromEntries(
      SHARED_ERRORS.map(([code, headers]) => [
        code,
        buildErrorResponse([code], undefined, headers),
      ]),
    ),
  };
}

/** References to the shared responses, by status. */
export function sharedResponseRefs(): object {
  return {
    304: { $ref: '#/components/responses/unchanged' },
    ...Object.fromEntries(
      SHARED_ERRORS.map(([code]) => [
        API_ERRORS[code].status,
        { $ref: `#/components/responses/${code}` },
      ]),
    ),
  };
}

/** A success response; the body is the schema and examples of its JSON. */
export function buildSuccessResponse(
  title: string,
  headers: readonly ResponseHeaderName[],
  body: object,
  otherFormats: readonly FileFormat[] = [],
): object {
  const content = { [RESPONSE_FORMATS.json.mediaType]: body, ...buildFileContent(otherFormats) };
  return buildResponse(title, [...headers, ...RATE_LIMIT_HEADERS], content);
}

/** A response with these headers, in addition to the one that all have. */
export function buildResponse(
  description: string,
  headers: readonly ResponseHeaderName[],
  content?: object,
): object {
  const names = ['X-Request-Id', 'traceresponse', ...headers];
  const references = names.map((name) => [name, { $ref: `#/components/headers/${name}` }]);
  return { description, headers: Object.fromEntries(references), content };
}

/** The responses of a file: the complete file, the bytes that `Range` requests, or an error. */
export function buildFileResponses(
  [whole, part]: readonly [string, string],
  headers: readonly ResponseHeaderName[],
  content: object,
): object {
  const rangeHeaders = ['Content-Range', ...RATE_LIMIT_HEADERS] as const;
  return {
    200: buildResponse(whole, headers, content),
    206: buildResponse(part, [...headers, 'Content-Range'], content),
    416: buildErrorResponse(['range_not_satisfiable'], undefined, rangeHeaders),
  };
}

/** The response for records that a format cannot hold. */
export function buildNotAcceptableResponse(headers: readonly ResponseHeaderName[]): object {
  const details = { format: 'xlsx', why: 'has a text that is too long for a cell' };
  return buildErrorResponse(
    ['not_writable'],
    [formatErrorMessage('not_writable', details)],
    headers,
  );
}

/** The message about an undeclared parameter. */
export function buildUnknownParameterMessage(parameter: string, declared: object): string {
  const allowed = formatAllowedNames(Object.keys(declared));
  return formatErrorMessage('unknown_parameter', { parameter, allowed });
}

type FileFormat = Pick<ResponseFormat, 'mediaType' | 'description'>;

/** Bytes are not a JSON value, so their schema has no type. */
export function buildFileContent(formats: readonly FileFormat[]): object {
  return Object.fromEntries(
    formats.map(({ mediaType, description }) => [
      mediaType,
      { schema: { contentMediaType: mediaType, description } },
    ]),
  );
}

/** The response for errors of one status, with examples of their messages. */
export function buildErrorResponse(
  codes: readonly ApiErrorCode[],
  messages: readonly string[] = codes.map((code) => formatErrorMessage(code)),
  headers: readonly ResponseHeaderName[] = RATE_LIMIT_HEADERS,
): object {
  const body = {
    schema: { $ref: '#/components/schemas/error' },
    examples: buildErrorExamples(...messages),
  };
  const descriptions = new Set(codes.map((code) => API_ERRORS[code].description));
  const content = { [RESPONSE_FORMATS.json.mediaType]: body };
  return buildResponse([...descriptions].join('; '), headers, content);
}

export function buildErrorExamples(...messages: readonly string[]): object {
  return Object.fromEntries(
    messages.map((message, index) => [
      index === 0 ? 'error' : `error${index + 1}`,
      { summary: message, value: { status: 'error', message } },
    ]),
  );
}
