import {
  API_ERRORS,
  type ApiErrorCode,
  formatErrorMessage,
} from '../catalogue/model/api-errors.ts';

/** An expected error of the table of API errors, as a value: it is returned, never thrown. */
export class HttpError {
  readonly status: number;
  readonly message: string;
  /** The message for the log. */
  readonly reason: string;

  /** `details` are what the message names. */
  constructor(
    readonly code: ApiErrorCode,
    details: Readonly<Record<string, string>> = {},
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    this.status = API_ERRORS[code].status;
    this.message = formatErrorMessage(code, details);
    const { parameter = '' } = details;
    this.reason =
      parameter.length > MAX_LOGGED_PARAMETER_CHARACTERS
        ? formatErrorMessage(code, { ...details, parameter: HIDDEN_PARAMETER })
        : this.message;
  }
}

/** The name of an unknown parameter may be a token that was sent in the wrong place. */
const MAX_LOGGED_PARAMETER_CHARACTERS = 15;
const HIDDEN_PARAMETER = '…';

/** The errors of a request that come after a missing record. */
export interface MissingRecordErrors {
  readonly errorIfFound?: HttpError;
  /** That the view is not there yet: it may have the record. */
  readonly errorIfMissing?: HttpError;
}
