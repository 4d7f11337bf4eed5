/**
 * Every way in which a request can fail: HTTP status and public text, in one table. Causes are
 * logged, never sent.
 */
const failures = {
  unauthorized: [401, 'unauthorized_request'],
  forbidden: [403, 'forbidden'],
  not_found: [404, 'not_found'],
  invalid_method: [405, 'invalid_method'],
  too_many_requests: [429, 'too_many_requests'],
  internal_error: [500, 'internal_error'],
  temporarily_unavailable: [503, 'temporarily_unavailable'],
  // The specification answers these two with status 200.
  no_fund_id: [200, 'no fund_id provided'],
  no_record_found: [200, 'no_record_found'],
  unknown_parameter: [400, 'unknown parameter "{parameter}"; {allowed}'],
  repeated_parameter: [400, 'parameter "{parameter}" is given more than once; give it once'],
  empty_parameter: [400, 'parameter "{parameter}" is empty; it must be {allowed}'],
  bad_encoding: [400, 'parameter "{parameter}" must be percent-encoded UTF-8 without NUL'],
  bad_value: [400, 'parameter "{parameter}" must be {allowed}'],
  date_and_range: [
    400,
    'parameter "date" cannot be used with "from" or "to"; give one or the other',
  ],
  reversed_range: [400, 'parameter "from" must not be later than "to"'],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type FailureName = keyof typeof failures;

/** An expected refusal, as a value. */
export interface Refusal {
  readonly failure: FailureName;
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A refusal from the table, with the details that its message names. */
export function refuse(
  failure: FailureName,
  details: Readonly<Record<string, string>> = {},
  headers?: Readonly<Record<string, string>>,
): Refusal {
  const [status, template] = failures[failure];
  const message = template.replace(/\{(\w+)\}/g, (_, name) => details[name] ?? '');
  return { failure, status, message, ...(headers && { headers }) };
}

export function isRefusal(value: object): value is Refusal {
  return 'failure' in value;
}
