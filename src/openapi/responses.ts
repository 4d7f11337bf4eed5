import {
  API_ERRORS,
  type ApiErrorCode,
  formatErrorMessage,
} from '../catalogue/model/api-errors.ts';
import { RESPONSE_FORMATS, type ResponseFormat } from '../catalogue/model/response-format.ts';
import { type ResponseHeaderName, responseHeaderRefs } from './headers.ts';

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
    unchanged: {
      description: 'Not modified; there is no body',
      headers: responseHeaderRefs([
        'X-Request-Id',
        'Tenor-Revision',
        'Tenor-Unconfirmed-Since',
        'ETag',
        'Last-Modified',
        'Vary',
        'Memento-Datetime',
        'Link',
        'Tenor-Total-Count',
        'Preference-Applied',
        ...RATE_LIMIT_HEADERS,
      ]),
    },
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
  otherFormats: readonly ResponseFormat[] = [],
): object {
  return {
    description: title,
    headers: responseHeaderRefs(['X-Request-Id', ...headers, ...RATE_LIMIT_HEADERS]),
    content: { [RESPONSE_FORMATS.json.mediaType]: body, ...buildFileContent(otherFormats) },
  };
}

/** Bytes are no JSON value, so their schema has no type. */
export function buildFileContent(formats: readonly ResponseFormat[]): object {
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
  return {
    description: [...descriptions].join('; '),
    headers: responseHeaderRefs(['X-Request-Id', ...headers]),
    content: { [RESPONSE_FORMATS.json.mediaType]: body },
  };
}

export function buildErrorExamples(...messages: readonly string[]): object {
  return Object.fromEntries(
    messages.map((message, index) => [
      index === 0 ? 'error' : `error${index + 1}`,
      { summary: message, value: { status: 'error', message } },
    ]),
  );
}
