/**
 * Every error that a request can get, with status, message and description; causes are only logged. Names in
 * braces are replaced by details of the request.
 */
export const API_ERRORS = {
  unauthorized: apiError(
    401,
    'unauthorized_request',
    'No token, or one that is malformed, unknown, revoked or expired',
  ),
  forbidden: apiError(403, 'forbidden', 'A token without the scope'),
  not_found: apiError(404, 'not_found', 'An unknown path or revision'),
  no_log: apiError(
    404,
    'the ledger has no log yet; the first publication creates it',
    'A database to which nothing was published yet',
  ),
  no_such_flow: apiError(
    404,
    'there is no dataflow {flow}; /sdmx/2.1/dataflow lists all',
    'A dataflow of another agency, id or version',
  ),
  no_results: apiError(404, 'nothing matches', 'No observation or structure of SDMX matches'),
  invalid_method: apiError(405, 'invalid_method', 'A method other than GET, HEAD and OPTIONS'),
  not_writable: apiError(
    406,
    'the response cannot be sent as {format}, because it {why}; request another format',
    'The format in Accept cannot hold the response',
  ),
  not_offered: apiError(
    406,
    'header "Accept" names no type that is offered here: {allowed}',
    'A message of SDMX in another format',
  ),
  uri_too_long: apiError(
    414,
    'the address is longer than {max} bytes; ask for fewer positions at once',
    'An address of a portfolio that is too long',
  ),
  precondition_failed: apiError(
    412,
    'precondition_failed',
    'The response does not match If-Match or If-Unmodified-Since',
  ),
  range_not_satisfiable: apiError(
    416,
    'range_not_satisfiable',
    'The range starts beyond the end of the file',
  ),
  too_many_requests: apiError(429, 'too_many_requests', 'The rate limit is exceeded'),
  internal_error: apiError(500, 'internal_error', 'A bug; its cause is logged'),
  temporarily_unavailable: apiError(
    503,
    'temporarily_unavailable',
    'The database is unreachable, or for 15 minutes the source of the token; or too much work is waiting',
  ),
  // The specification sends these two with status 200.
  no_fund_id: apiError(200, 'no fund_id provided', 'No fund_id, or an empty one'),
  no_record_found: apiError(200, 'no_record_found', 'No fund has that fund_id'),
  unknown_parameter: parameterError('unknown parameter "{parameter}"; {allowed}'),
  repeated_parameter: parameterError(
    'parameter "{parameter}" is given more than once; give it once',
  ),
  missing_parameter: parameterError('parameter "{parameter}" is missing; it must be {allowed}'),
  empty_parameter: parameterError('parameter "{parameter}" is empty; it must be {allowed}'),
  bad_encoding: parameterError('parameter "{parameter}" must be percent-encoded UTF-8 without NUL'),
  bad_value: parameterError('parameter "{parameter}" must be {allowed}'),
  explained_value: parameterError(
    'parameter "{parameter}" cannot be used: {problem}; it must be {allowed}',
  ),
  unfit_columns: parameterError('parameter "columns" cannot be used: {problem}'),
  date_and_range: parameterError(
    'parameter "date" cannot be used with "from" or "to"; give one or the other',
  ),
  reversed_range: parameterError('parameter "from" must not be later than "to"'),
  changed_as_stored: parameterError(
    'parameter "as_stored" can be used only as JSON or NDJSON with all fields; give "format" as one of json, ndjson, and leave "fields" out',
  ),
  reversed_revisions: parameterError('parameter "until" must not be smaller than "since"'),
  sorted_without_range: parameterError(
    'parameter "sort" can be "asc" only with "from" or "to"; give one of them, or leave it out',
  ),
  finer_frequency: parameterError(
    'parameter "frequency" must be coarser than the periods of the data, which are of a {own}: {allowed}',
  ),
  needs_frequency: parameterError(
    'parameter "{parameter}" can be used only with "frequency"; give it, or leave this out',
  ),
  year_start_of_nothing: parameterError(
    'parameter "year_start" can be used only with "frequency" as quarter or year; give it, or leave this out',
  ),
  uneven_years: parameterError(
    'parameter "year_start" must be one of {allowed}: the quarters of the data make up no other years',
  ),
  not_additive: parameterError(
    'parameter "aggregate" cannot be sum, because {measure} is of the kind {kind}: only flows add up; give one of {allowed}, or leave it out',
  ),
  share_of_sum: parameterError(
    'parameter "min_share" cannot be below 1, because {measure} is summed, and a sum of some of its figures would be too small; {remedy}',
  ),
  no_such_revision: parameterError(
    'parameter "as_of" is the number of a revision that does not exist; the newest is {newest}',
  ),
  fields_of_json: parameterError(
    'parameter "fields" cannot be used with JSON, which has all fields; give "format" as one of {allowed}',
  ),
  table_of_json: parameterError(
    'parameter "{parameter}" cannot be used with JSON; give "format" as one of {allowed}',
  ),
  needs_range: parameterError(
    'parameter "{parameter}" can be used only with "from" or "to"; give one of them, or leave it out',
  ),
  one_of_several: parameterError('only one of the parameters {names} can be given'),
  count_of_symbols: parameterError(
    'parameter "{parameter}" must be one number, or {count}: as many as there are symbols',
  ),
  wide_json: parameterError(
    'parameter "shape" cannot be wide with JSON; give "format" as one of {allowed}',
  ),
  rate_of_long_shape: parameterError(
    'parameter "rate" can be used only with "shape" as wide; give it, or leave this out',
  ),
  fields_of_wide_shape: parameterError(
    'parameter "fields" cannot be used with "shape" as wide; choose columns by "tenors" and "rate"',
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
  updated_later: parameterError(
    'parameter "updatedAfter" must not be later than the revision or instant of the message',
  ),
  bad_key: parameterError('the key must have {count} parts separated by dots: {dimensions}'),
  unknown_component: parameterError('"{component}" is no dimension here; {allowed}'),
  bad_header: apiError(
    400,
    'header "{header}" must be {allowed}',
    'A header with an invalid value',
  ),
};

export type ApiErrorCode = keyof typeof API_ERRORS;

/** The message of an error, with its details filled in. */
export function formatErrorMessage(
  code: ApiErrorCode,
  details: Readonly<Record<string, string>> = {},
): string {
  return API_ERRORS[code].message.replace(/\{(\w+)\}/g, (_, name) => details[name] ?? '');
}

/** The allowed names, for the message about another one. */
export function formatAllowedNames(names: readonly string[]): string {
  return names.length === 0 ? 'none is taken here' : `allowed: ${names.join(', ')}`;
}

function apiError<const Status extends number>(
  status: Status,
  message: string,
  description: string,
) {
  return { status, message, description };
}

function parameterError(message: string) {
  return apiError(400, message, 'A parameter that is unknown, repeated, empty or invalid');
}
