import {
  API_ERRORS,
  type ApiErrorCode,
  formatErrorMessage,
} from '../catalogue/model/api-errors.ts';

/** An expected error, as a value. */
export interface HttpError {
  readonly code: ApiErrorCode;
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error from the table of API errors, with the details that its message names. */
export function createHttpError(
  code: ApiErrorCode,
  details: Readonly<Record<string, string>> = {},
  headers?: Readonly<Record<string, string>>,
): HttpError {
  const { status } = API_ERRORS[code];
  return { code, status, message: formatErrorMessage(code, details), ...(headers && { headers }) };
}

export function isHttpError(value: object): value is HttpError {
  return 'code' in value;
}
