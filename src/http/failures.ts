import { type FailureName, failures, messageOf } from '../catalogue/failures.ts';

/** An expected refusal, as a value. */
export interface Refusal {
  readonly failure: FailureName;
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A refusal from the table of failures, with the details that its message names. */
export function refuse(
  failure: FailureName,
  details: Readonly<Record<string, string>> = {},
  headers?: Readonly<Record<string, string>>,
): Refusal {
  const { status } = failures[failure];
  return { failure, status, message: messageOf(failure, details), ...(headers && { headers }) };
}

export function isRefusal(value: object): value is Refusal {
  return 'failure' in value;
}
