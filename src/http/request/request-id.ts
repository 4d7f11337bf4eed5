import { randomBytes } from 'node:crypto';

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
