import { TenorError } from '../../client/errors.ts';

export interface QueryFailure {
  readonly kind: TenorError['kind'] | 'broken';
  readonly message: string;
  /** Identifies the request in the service's log. */
  readonly requestId: string | undefined;
  readonly retryAfterMs?: number | undefined;
}

export const TOKEN_REJECTED_MESSAGE =
  'The service does not accept this token: it may be mistyped, expired or revoked.';

export function toQueryFailure(cause: unknown): QueryFailure {
  if (cause instanceof TenorError) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  return { kind: 'broken', message, requestId: undefined };
}

/** Whether retrying can help; the page retries these automatically. */
export function isTransient(failure: QueryFailure): boolean {
  return isServiceDown(failure) || failure.kind === 'too_many_requests';
}

export function isServiceDown({ kind }: QueryFailure): boolean {
  return kind === 'network' || kind === 'timeout' || kind === 'temporarily_unavailable';
}

export function describeFailure(failure: QueryFailure): string {
  if (isServiceDown(failure)) return 'The service does not respond.';
  if (failure.kind === 'too_many_requests') return 'Rate limit reached for this token.';
  return `The service says: ${failure.message}.`;
}
