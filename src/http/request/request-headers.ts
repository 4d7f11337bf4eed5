import { randomBytes } from 'node:crypto';

import { HttpError } from '../http-error.ts';

/** Without a comma, which a host may have, but which also joins several headers of one name. */
const HOST_PATTERN = /^[\w.~!$&'()*+;=%:[\]-]*$/;

export const INVALID_HOST_ERROR = new HttpError('bad_header', {
  header: 'Host',
  allowed: 'given once, a host name or an address, with a port if need be',
});

/**
 * Proxies and servers that take different ones of two hosts can be played off against each other,
 * so RFC 9112 wants such requests refused. Bun refuses those without a host, except in HTTP/1.0.
 */
export function hasValidHost(headers: Headers): boolean {
  const host = headers.get('host');
  return host === null || HOST_PATTERN.test(host);
}

/** Needs no escaping in a log or a header. */
const VALID_REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** Differs between processes; a counter follows. */
const PROCESS_PREFIX = randomBytes(9).toString('hex');
let requestCount = 0;

/** The client's request id where it is valid, or a new one. */
export function getRequestId(headers: Headers): string {
  const requestId = headers.get('x-request-id');
  return requestId !== null && VALID_REQUEST_ID.test(requestId)
    ? requestId
    : `${PROCESS_PREFIX}-${requestCount++}`;
}

/** Later versions may add parts at the end. */
const TRACE_PARENT_PATTERN =
  /^(?:00-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}|(?!00|ff)[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}(?:-.*)?)$/;

/** The ids in a `traceparent` (W3C Trace Context); undefined where it is invalid. */
export function parseTraceParent(header: string) {
  const [, traceId0, spanId0, traceId1, spanId1] = TRACE_PARENT_PATTERN.exec(header) ?? [];
  const traceId = traceId0 ?? traceId1;
  const spanId = spanId0 ?? spanId1;
  if (traceId === undefined || spanId === undefined) return undefined;
  // An id of zeros is no id.
  return /[^0]/.test(traceId) && /[^0]/.test(spanId) ? { traceId, spanId } : undefined;
}

/**
 * Scheme and host by which a client reached the service. Behind a proxy, the scheme that the client
 * used: a client that claims another one misleads only itself. Empty where the request names no valid host.
 */
export function getOrigin({ url, headers }: Request): string {
  const parsed = URL.parse(url);
  if (!parsed) return '';
  const { protocol, host } = parsed;
  return headers.get('x-forwarded-proto') === 'https' ? `https://${host}` : `${protocol}//${host}`;
}
