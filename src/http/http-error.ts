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
  /** The message for the log. */
  readonly reason: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error from the table of API errors, with the details that its message names. */
export function createHttpError(
  code: ApiErrorCode,
  details: Readonly<Record<string, string>> = {},
  headers?: Readonly<Record<string, string>>,
): HttpError {
  const { status } = API_ERRORS[code];
  const message = formatErrorMessage(code, details);
  const { parameter = '' } = details;
  const reason =
    parameter.length > MAX_LOGGED_PARAMETER_CHARACTERS
      ? formatErrorMessage(code, { ...details, parameter: HIDDEN_PARAMETER })
      : message;
  return { code, status, message, reason, ...(headers && { headers }) };
}

/** The name of an unknown parameter may be a token that was sent in the wrong place. */
const MAX_LOGGED_PARAMETER_CHARACTERS = 15;
const HIDDEN_PARAMETER = '…';

export function isHttpError(value: object): value is HttpError {
  return 'code' in value;
}
