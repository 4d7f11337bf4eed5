import {
  API_ERRORS,
  type ApiErrorCode,
  formatErrorMessage,
} from '../catalogue/model/api-errors.ts';

/** An expected refusal, as a value. */
export interface HttpError {
  readonly code: ApiErrorCode;
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A refusal from the table of failures, with the details that its message names. */
export function createHttpError(
  failure: ApiErrorCode,
  details: Readonly<Record<string, string>> = {},
  headers?: Readonly<Record<string, string>>,
): HttpError {
  const { status } = API_ERRORS[failure];
  return {
    code: failure,
    status,
    message: formatErrorMessage(failure, details),
    ...(headers && { headers }),
  };
}

export function isHttpError(value: object): value is HttpError {
  return 'code' in value;
}
