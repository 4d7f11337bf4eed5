/** The kind of an error: sent by the service, or (the last six) found by the client. */
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
  | 'malformed'
  | 'unsupported'
  | 'behind';

/** The details of a failed request. */
export interface TenorErrorDetails {
  readonly url: string;
  /** The HTTP status; undefined without a response. 200 for the two fund errors. */
  readonly status?: number | undefined;
  /** Identifies the request in the logs of the service. */
  readonly requestId?: string | undefined;
  /** The wait that `Retry-After` asks for. */
  readonly retryAfterMs?: number | undefined;
}

/** Any failed request. Invalid arguments are a `TypeError`; an abort rejects with its reason. */
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

/** The kind of a response with that status and message. */
export function classifyResponse(status: number, message: string | undefined): TenorErrorKind {
  if (status === 200) return message === undefined ? 'malformed' : classifyOkError(message);
  // Browsers hide a redirect behind status 0.
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
  // Sent by proxies while the service restarts.
  502: 'temporarily_unavailable',
  503: 'temporarily_unavailable',
  504: 'temporarily_unavailable',
};

/** A missing or unknown fund_id is answered with status 200. */
function classifyOkError(message: string): TenorErrorKind {
  if (message === 'no fund_id provided') return 'no_fund_id';
  return message === 'no_record_found' ? 'no_record_found' : 'bad_request';
}
