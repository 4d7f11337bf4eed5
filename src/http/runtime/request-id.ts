import { randomBytes } from 'node:crypto';

/** Short, and nothing in it that a log or a header would have to escape. */
const VALID_REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** Tells this process from all others; the count behind it tells its requests apart. */
const PROCESS_PREFIX = randomBytes(9).toString('hex');
let requestCount = 0;

/** The client's own request id where it is a sane one, or a new one. */
export function getRequestId({ headers }: Request): string {
  const given = headers.get('x-request-id');
  return given !== null && VALID_REQUEST_ID.test(given)
    ? given
    : `${PROCESS_PREFIX}-${requestCount++}`;
}
