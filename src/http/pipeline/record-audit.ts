import type { HttpResponse } from '../responses/response.ts';
import { ANONYMOUS, type Exchange } from './exchange.ts';

/**
 * Records a response in the audit log, if there is one and it is to have it: reads, and requests that
 * are refused. Throws if a read, or a refusal of a token, cannot be recorded.
 */
export function recordAudit(exchange: Exchange, response: HttpResponse): void {
  const { principal, server, isUnauthenticated, route } = exchange;
  const { status } = response;
  if (route?.isPolled && status === 304) return;
  if (isUnauthenticated) server.auditLog?.recordGuess(exchange, response);
  else if (principal === ANONYMOUS) return;
  else if (status < 400) server.auditLog?.recordRead(exchange, response);
  else if (status === 403) server.auditLog?.recordRefusal(exchange, response);
}
