import { type FailureName, failures, messageOf } from '../catalogue/failures.ts';
import type { Representation } from '../catalogue/representation.ts';
import { representations } from '../catalogue/representation.ts';
import type { HeaderName } from './openapi-headers.ts';
import { headerReferences } from './openapi-headers.ts';

/** On every reply to a token that is accepted and has a limit. */
export const RATES = ['RateLimit-Policy', 'RateLimit'] as const;

/** The failures that any operation can answer with, and what they carry beside a request id. */
const shared = {
  unauthorized: ['WWW-Authenticate'],
  forbidden: RATES,
  precondition_failed: RATES,
  too_many_requests: ['Retry-After', ...RATES],
  internal_error: RATES,
  temporarily_unavailable: ['Retry-After', ...RATES],
} as const satisfies Partial<Record<FailureName, readonly HeaderName[]>>;
const sharedNames = Object.keys(shared) as (keyof typeof shared)[];

/** The responses that operations refer to. */
export function sharedResponses(): object {
  return {
    unchanged: {
      description: 'The client has it already: no body',
      headers: headerReferences(['X-Request-Id', 'Tenor-Revision', 'ETag', 'Vary', ...RATES]),
    },
    ...Object.fromEntries(
      sharedNames.map((name) => [name, failure([name], [messageOf(name)], shared[name])]),
    ),
  };
}

/** References to the shared responses, by status. */
export function sharedReferences(): object {
  return {
    304: { $ref: '#/components/responses/unchanged' },
    ...Object.fromEntries(
      sharedNames.map((name) => [
        failures[name].status,
        { $ref: `#/components/responses/${name}` },
      ]),
    ),
  };
}

/** A success; the body is the schema and examples of its JSON, which may have other forms beside. */
export function success(
  title: string,
  names: readonly HeaderName[],
  body: object,
  others: readonly Representation[] = [],
): object {
  return {
    description: title,
    headers: headerReferences(['X-Request-Id', ...names, ...RATES]),
    content: { [representations.json.mediaType]: body, ...filesOf(others) },
  };
}

/** The bodies that are files, by media type. */
export function filesOf(forms: readonly Representation[]): object {
  return Object.fromEntries(
    forms.map(({ mediaType, meaning }) => [
      mediaType,
      { schema: { type: 'string', contentMediaType: mediaType, description: meaning } },
    ]),
  );
}

/** An error response for failures of one status, with messages that they may carry. */
export function failure(
  names: readonly FailureName[],
  messages: readonly string[],
  more: readonly HeaderName[] = RATES,
): object {
  const body = {
    schema: { $ref: '#/components/schemas/error' },
    examples: errorExamples(...messages),
  };
  const meanings = [...new Set(names.map((name) => failures[name].meaning))];
  return {
    description: meanings.join('; '),
    headers: headerReferences(['X-Request-Id', ...more]),
    content: { [representations.json.mediaType]: body },
  };
}

/** Examples of error bodies. */
export function errorExamples(...messages: readonly string[]): object {
  return Object.fromEntries(
    messages.map((message, index) => [
      index === 0 ? 'error' : `error${index + 1}`,
      { summary: message, value: { status: 'error', message } },
    ]),
  );
}
