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
