import { type FailureName, failures, messageOf } from '../catalogue/failures.ts';

/** The headers of replies, by name. */
export const headers = {
  'X-Request-Id': {
    description: 'Names the request in the logs; a sane one from the client is kept',
    schema: { type: 'string' },
  },
  'Tenor-Revision': {
    description: 'The data revision that the whole reply was made from',
    schema: { type: 'integer', minimum: 0 },
  },
  Vary: {
    description: 'The request headers that the answer depends on',
    schema: { type: 'string', const: 'Accept-Datetime' },
  },
  'Memento-Datetime': {
    description:
      'Only on an answer of the past: when its revision was published, in whole seconds; the instant that was asked for where that is before the first revision',
    schema: { type: 'string' },
  },
  Link: {
    description: 'Only on an answer of the past: where it and its like can be asked for',
    schema: { type: 'string' },
  },
  'WWW-Authenticate': {
    description: 'How to authenticate',
    schema: { type: 'string' },
  },
  'Retry-After': {
    description: 'Seconds to wait before asking again',
    schema: { type: 'integer', minimum: 1 },
  },
} as const;

export type HeaderName = keyof typeof headers;

/** The failures that any operation can answer with, and what they carry beside a request id. */
const shared = {
  unauthorized: ['WWW-Authenticate'],
  forbidden: [],
  too_many_requests: ['Retry-After'],
  internal_error: [],
  temporarily_unavailable: ['Retry-After'],
} as const satisfies Partial<Record<FailureName, readonly HeaderName[]>>;
const sharedNames = Object.keys(shared) as (keyof typeof shared)[];

/** The responses that operations refer to. */
export function sharedResponses(): object {
  return Object.fromEntries(
    sharedNames.map((name) => [name, failure([name], [messageOf(name)], shared[name])]),
  );
}

/** References to the shared responses, by status. */
export function sharedReferences(): object {
  return Object.fromEntries(
    sharedNames.map((name) => [failures[name].status, { $ref: `#/components/responses/${name}` }]),
  );
}

/** A success; the body is a media type's schema and examples. */
export function success(title: string, names: readonly HeaderName[], body: object): object {
  return {
    description: title,
    headers: references(['X-Request-Id', ...names]),
    content: { 'application/json': body },
  };
}

/** An error response for failures of one status, with messages that they may carry. */
export function failure(
  names: readonly FailureName[],
  messages: readonly string[],
  more: readonly HeaderName[] = [],
): object {
  const body = {
    schema: { $ref: '#/components/schemas/error' },
    examples: errorExamples(...messages),
  };
  const meanings = [...new Set(names.map((name) => failures[name].meaning))];
  return success(meanings.join('; '), more, body);
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

function references(names: readonly HeaderName[]): object {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
