/**
 * The baseline of uncached requests: a handler that checks the token as Tenor does and sends the
 * best statement for one kind of request. The kind comes in KIND, the database in DATABASE_URL, the
 * headers as JSON in HEADERS, the token in TOKEN.
 */
import { serveBaseline } from '../token-check.ts';
import { createBestQuery } from './best-queries.ts';
import type { ColdKind } from './requests.ts';

const headers = new Headers(JSON.parse(process.env.HEADERS ?? '{}'));
const query = createBestQuery(process.env.DATABASE_URL ?? '', process.env.KIND as ColdKind);
/** The values of the parameters, whose order is always the same. */
const VALUES_PATTERN = /=([^&]+)&\w+=([^&]+)(?:&\w+=([^&]+))?$/;

serveBaseline(({ url }) => {
  const [, first = '', second = '', third] = VALUES_PATTERN.exec(url) ?? [];
  const records = third === undefined ? query(first, second) : query(first, second, third);
  return typeof records === 'string' ? respond(records) : records.then(respond);
});

function respond(records: string): Response {
  return new Response(`{"status":"ok","data":[${records}]}`, { headers });
}
