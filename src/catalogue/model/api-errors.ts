/** Every error that a request can get: status, message and description. Causes are only logged. */
export const API_ERRORS = {
  unauthorized: {
    status: 401,
    message: 'unauthorized_request',
    description: 'No token, or one that is malformed, unknown, revoked or expired',
  },
  forbidden: { status: 403, message: 'forbidden', description: 'A token without the scope' },
  not_found: { status: 404, message: 'not_found', description: 'An unknown path or revision' },
  invalid_method: {
    status: 405,
    message: 'invalid_method',
    description: 'A method other than GET, HEAD and OPTIONS',
  },
  not_writable: {
    status: 406,
    message: 'the response cannot be sent as {format}, because it {why}; request another format',
    description: 'The format in Accept cannot hold the response',
  },
  precondition_failed: {
    status: 412,
    message: 'precondition_failed',
    description: 'The response does not match If-Match or If-Unmodified-Since',
  },
  range_not_satisfiable: {
    status: 416,
    message: 'range_not_satisfiable',
    description: 'The range starts beyond the end of the file',
  },
  too_many_requests: {
    status: 429,
    message: 'too_many_requests',
    description: 'The rate limit is exceeded',
  },
  internal_error: {
    status: 500,
    message: 'internal_error',
    description: 'A bug; its cause is logged',
  },
  temporarily_unavailable: {
    status: 503,
    message: 'temporarily_unavailable',
    description: 'The database is unreachable, or too much work is waiting',
  },
  // The specification sends these two with status 200.
  no_fund_id: {
    status: 200,
    message: 'no fund_id provided',
    description: 'No fund_id, or an empty one',
  },
  no_record_found: {
    status: 200,
    message: 'no_record_found',
    description: 'No fund has that fund_id',
  },
  unknown_parameter: parameterError('unknown parameter "{parameter}"; {allowed}'),
  repeated_parameter: parameterError(
    'parameter "{parameter}" is given more than once; give it once',
  ),
  missing_parameter: parameterError('parameter "{parameter}" is missing; it must be {allowed}'),
  empty_parameter: parameterError('parameter "{parameter}" is empty; it must be {allowed}'),
  bad_encoding: parameterError('parameter "{parameter}" must be percent-encoded UTF-8 without NUL'),
  bad_value: parameterError('parameter "{parameter}" must be {allowed}'),
  date_and_range: parameterError(
    'parameter "date" cannot be used with "from" or "to"; give one or the other',
  ),
  reversed_range: parameterError('parameter "from" must not be later than "to"'),
  reversed_revisions: parameterError('parameter "until" must not be smaller than "since"'),
  sorted_without_range: parameterError(
    'parameter "sort" can be "asc" only with "from" or "to"; give one of them, or leave it out',
  ),
  no_such_revision: parameterError(
    'parameter "as_of" is the number of a revision that does not exist; the newest is {newest}',
  ),
  fields_of_json: parameterError(
    'parameter "fields" cannot be used with JSON, which has all fields; give "format" as one of {allowed}',
  ),
  bad_cursor: parameterError(
    'parameter "cursor" is not one that this service gave out; follow the Link of an answer',
  ),
  other_cursor: parameterError(
    'parameter "cursor" belongs to a request with other parameters; send those that it was given with',
  ),
  later_cursor: parameterError(
    'parameter "cursor" is of a later revision than header "Accept-Datetime" or parameter "as_of" asks for; leave that out',
  ),
  bad_header: {
    status: 400,
    message: 'header "{header}" must be {allowed}',
    description: 'A header with an invalid value',
  },
} as const satisfies Record<string, ApiErrorDefinition>;

interface ApiErrorDefinition {
  readonly status: number;
  /** Names in braces are replaced by details of the request. */
  readonly message: string;
  readonly description: string;
}

export type ApiErrorCode = keyof typeof API_ERRORS;

/** The message of an error, with its details filled in. */
export function formatErrorMessage(
  code: ApiErrorCode,
  details: Readonly<Record<string, string>> = {},
): string {
  return API_ERRORS[code].message.replace(/\{(\w+)\}/g, (_, name) => details[name] ?? '');
}

/** The allowed names, for a request that sent another one. */
export function formatAllowedNames(names: readonly string[]): string {
  return names.length === 0 ? 'none is taken here' : `allowed: ${names.join(', ')}`;
}

function parameterError(message: string) {
  const description = 'A parameter that is unknown, repeated, empty or invalid';
  return { status: 400, message, description } as const;
}
