import { ACCEPT_DATETIME } from '../../catalogue/model/parameter.ts';

export const ALLOWED_METHODS = 'GET, HEAD, OPTIONS';
/** Of routes that take a body. */
export const POST_METHODS = 'POST, OPTIONS';

const ALLOWED_HEADERS = [
  'Authorization, Accept, Prefer, X-Request-Id, Range, If-Range',
  'Tenor-Revision, Last-Event-ID, traceparent, tracestate',
  `If-None-Match, If-Modified-Since, If-Match, If-Unmodified-Since, ${ACCEPT_DATETIME}`,
].join(', ');

const EXPOSED_HEADERS = [
  'X-Request-Id, Tenor-Revision, Tenor-Published-At, Tenor-Since-Published-At',
  'Tenor-Unconfirmed-Since, Memento-Datetime, Link, Tenor-Total-Count, Preference-Applied',
  'ETag, Content-Disposition, Content-Range, Accept-Ranges, RateLimit, RateLimit-Policy',
  'Retry-After, WWW-Authenticate, Deprecation, Tenor-Units, Repr-Digest, traceresponse',
].join(', ');

/**
 * The headers of every response. Any origin may read: the token protects the data, and no browser
 * sends it by itself. No browser is to guess another content type than the one that is stated.
 */
export function createBaseHeaders(others: Readonly<Record<string, string>> = {}): Headers {
  return new Headers({
    'X-Content-Type-Options': 'nosniff',
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': EXPOSED_HEADERS,
    ...others,
  });
}

/** The response to `OPTIONS`, which a browser sends before a token goes across origins. */
export function optionsResponse(methods = ALLOWED_METHODS) {
  const headers = createBaseHeaders({
    Allow: methods,
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Headers': ALLOWED_HEADERS,
    'Access-Control-Max-Age': '86400',
  });
  return { status: 204, body: null, headers, revision: null };
}

const HEADER_NAME_PATTERN = /^[\w!#$%&'*+.^`|~-]+$/;

/** The same if a request may have any header, which has no effect. */
export function permissiveOptionsResponse(requestHeaders: Headers, methods = ALLOWED_METHODS) {
  const response = optionsResponse(methods);
  const requested = (requestHeaders.get('access-control-request-headers') ?? '').split(',');
  const names = requested
    .map((name) => name.trim())
    .filter((name) => HEADER_NAME_PATTERN.test(name));
  response.headers.set('Access-Control-Allow-Headers', [ALLOWED_HEADERS, ...names].join(', '));
  response.headers.set('Vary', 'Access-Control-Request-Headers');
  return response;
}
