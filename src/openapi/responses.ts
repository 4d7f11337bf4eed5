import {
  API_ERRORS,
  type ApiErrorCode,
  formatErrorMessage,
} from '../catalogue/model/api-errors.ts';
import type { ResponseFormat } from '../catalogue/model/response-format.ts';
import { RESPONSE_FORMATS } from '../catalogue/model/response-format.ts';
import type { ResponseHeaderName } from './headers.ts';
import { responseHeaderRefs } from './headers.ts';

/** On every reply to a token that is accepted and has a limit. */
export const RATE_LIMIT_HEADERS = ['RateLimit-Policy', 'RateLimit'] as const;

/** The failures that any operation can answer with, and what they carry beside a request id. */
const SHARED_ERRORS = {
  unauthorized: ['WWW-Authenticate'],
  forbidden: RATE_LIMIT_HEADERS,
  precondition_failed: RATE_LIMIT_HEADERS,
  too_many_requests: ['Retry-After', ...RATE_LIMIT_HEADERS],
  internal_error: RATE_LIMIT_HEADERS,
  temporarily_unavailable: ['Retry-After', ...RATE_LIMIT_HEADERS],
} as const satisfies Partial<Record<ApiErrorCode, readonly ResponseHeaderName[]>>;
const SHARED_ERROR_CODES = Object.keys(SHARED_ERRORS) as (keyof typeof SHARED_ERRORS)[];

/** The responses that operations refer to. */
export function buildSharedResponses(): object {
  return {
    unchanged: {
      description: 'The client has it already: no body',
      headers: responseHeaderRefs([
        'X-Request-Id',
        'Tenor-Revision',
        'ETag',
        'Vary',
        ...RATE_LIMIT_HEADERS,
      ]),
    },
    ...Object.fromEntries(
      SHARED_ERROR_CODES.map((name) => [
        name,
        buildErrorResponse([name], [formatErrorMessage(name)], SHARED_ERRORS[name]),
      ]),
    ),
  };
}

/** References to the shared responses, by status. */
export function sharedResponseRefs(): object {
  return {
    304: { $ref: '#/components/responses/unchanged' },
    ...Object.fromEntries(
      SHARED_ERROR_CODES.map((name) => [
        API_ERRORS[name].status,
        { $ref: `#/components/responses/${name}` },
      ]),
    ),
  };
}

/** A success; the body is the schema and examples of its JSON, which may have other forms beside. */
export function buildSuccessResponse(
  title: string,
  names: readonly ResponseHeaderName[],
  body: object,
  others: readonly ResponseFormat[] = [],
): object {
  return {
    description: title,
    headers: responseHeaderRefs(['X-Request-Id', ...names, ...RATE_LIMIT_HEADERS]),
    content: { [RESPONSE_FORMATS.json.mediaType]: body, ...buildFileContent(others) },
  };
}

/** The bodies that are files, by media type. */
export function buildFileContent(forms: readonly ResponseFormat[]): object {
  return Object.fromEntries(
    forms.map(({ mediaType, meaning }) => [
      mediaType,
      { schema: { type: 'string', contentMediaType: mediaType, description: meaning } },
    ]),
  );
}

/** An error response for failures of one status, with messages that they may carry. */
export function buildErrorResponse(
  names: readonly ApiErrorCode[],
  messages: readonly string[],
  more: readonly ResponseHeaderName[] = RATE_LIMIT_HEADERS,
): object {
  const body = {
    schema: { $ref: '#/components/schemas/error' },
    examples: buildErrorExamples(...messages),
  };
  const meanings = [...new Set(names.map((name) => API_ERRORS[name].description))];
  return {
    description: meanings.join('; '),
    headers: responseHeaderRefs(['X-Request-Id', ...more]),
    content: { [RESPONSE_FORMATS.json.mediaType]: body },
  };
}

/** Examples of error bodies. */
export function buildErrorExamples(...messages: readonly string[]): object {
  return Object.fromEntries(
    messages.map((message, index) => [
      index === 0 ? 'error' : `error${index + 1}`,
      { summary: message, value: { status: 'error', message } },
    ]),
  );
}
