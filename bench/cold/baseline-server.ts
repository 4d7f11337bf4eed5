/**
 * The baseline of uncached requests: a handler that checks the token as Tenor does and sends the
 * best statement for one kind of request. The kind comes in KIND, the database in DATABASE_URL, the
 * headers as JSON in HEADERS, the token in TOKEN.
 */
import { createTokenCheck } from '../token-check.ts';
import { createBestQuery } from './best-queries.ts';
import type { ColdKind } from './requests.ts';

const headers = new Headers(JSON.parse(process.env.HEADERS ?? '{}'));
const isAuthorized = createTokenCheck(process.env.TOKEN ?? '');
const query = createBestQuery(process.env.DATABASE_URL ?? '', process.env.KIND as ColdKind);
/** The values of the parameters, whose order is always the same. */
const VALUES_PATTERN = /=([^&]+)&\w+=([^&]+)(?:&\w+=([^&]+))?$/;

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  development: false,
  fetch(request) {
    if (!isAuthorized(request)) return new Response(null, { status: 401 });
    const [, first = '', second = '', third] = VALUES_PATTERN.exec(request.url) ?? [];
    const records = third === undefined ? query(first, second) : query(first, second, third);
    return typeof records === 'string' ? respond(records) : records.then(respond);
  },
});
console.log(`http://127.0.0.1:${server.port}`);

function respond(records: string): Response {
  return new Response(`{"status":"ok","data":[${records}]}`, { headers });
}
