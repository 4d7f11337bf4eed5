import { AbandonedError } from '../../shared/abandoned-error.ts';
import { StoreUnavailableError } from '../../store/open-store.ts';
import { OverloadedError } from '../background/job-queue.ts';
import { HttpError } from '../http-error.ts';
import { errorResponse, type HttpResponse } from '../responses/response.ts';
import type { Exchange } from './exchange.ts';

/** The response to a failure. Its cause goes to the log with the request id, never to the client. */
export function failureResponse({ context, requestId }: Exchange, cause: unknown): HttpResponse {
  const { log, storeHealth } = context;
  if (cause instanceof AbandonedError) return ABANDONED_RESPONSE;
  if (cause instanceof OverloadedError) return OVERLOADED_RESPONSE;
  if (cause instanceof StoreUnavailableError) {
    // While the store is known to be unreachable, every request would log it.
    if (storeHealth.unconfirmedSince === undefined)
      log.emit({ event: 'store.unavailable', requestId, cause: cause.message });
    return errorResponse(new HttpError('temporarily_unavailable', {}, { 'Retry-After': '1' }));
  }
  const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  log.emit({ event: 'request.failed', requestId, cause: text });
  return errorResponse(new HttpError('internal_error'));
}

/** For the log only: the client has gone. */
const ABANDONED_RESPONSE: HttpResponse = {
  status: 499,
  body: null,
  headers: new Headers(),
  revision: null,
};
const OVERLOADED_RESPONSE = errorResponse(
  new HttpError('temporarily_unavailable', {}, { 'Retry-After': '5' }),
);
