/** What went wrong. The first group is what the service says, the second what the client found. */
export type TenorErrorKind =
  | 'no_fund_id'
  | 'no_record_found'
  | 'bad_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'not_writable'
  | 'too_many_requests'
  | 'internal_error'
  | 'temporarily_unavailable'
  | 'network'
  | 'timeout'
  | 'redirected'
  | 'malformed';

/** What is known of a failed request. */
export interface TenorErrorDetails {
  /** Where the request went. */
  readonly url: string;
  /** The HTTP status; undefined where no answer arrived. 200 with the two failures of funds. */
  readonly status?: number | undefined;
  /** Names the request in the logs of the service. */
  readonly requestId?: string | undefined;
  /** How long the service asks to wait before the next request. */
  readonly retryAfterMs?: number | undefined;
}

/** Every failure but those of wrong use, which are a `TypeError`, and the caller's own abort. */
export class TenorError extends Error {
  override readonly name = 'TenorError';
  readonly kind: TenorErrorKind;
  readonly url: string;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(
    kind: TenorErrorKind,
    message: string,
    details: TenorErrorDetails,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.kind = kind;
    this.url = details.url;
    this.status = details.status;
    this.requestId = details.requestId;
    this.retryAfterMs = details.retryAfterMs;
  }
}

/** What an answer with that status and message means. */
export function classifyResponse(status: number, message: string | undefined): TenorErrorKind {
  if (status === 200) return message === undefined ? 'malformed' : classifyOkError(message);
  // Browsers hide where a redirect leads, with its status.
  if (status === 0 || (status >= 300 && status < 400 && status !== 304)) return 'redirected';
  if (status >= 500) return KIND_BY_STATUS[status] ?? 'internal_error';
  return KIND_BY_STATUS[status] ?? (status >= 400 ? 'bad_request' : 'malformed');
}

const KIND_BY_STATUS: Readonly<Record<number, TenorErrorKind>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  406: 'not_writable',
  429: 'too_many_requests',
  // What stands in front of the service says so while it restarts.
  502: 'temporarily_unavailable',
  503: 'temporarily_unavailable',
  504: 'temporarily_unavailable',
};

/** The service answers with status 200 where a fund is not named or not known. */
function classifyOkError(message: string): TenorErrorKind {
  if (message === 'no fund_id provided') return 'no_fund_id';
  return message === 'no_record_found' ? 'no_record_found' : 'bad_request';
}
