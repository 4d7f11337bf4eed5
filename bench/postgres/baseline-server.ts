/**
 * The baseline of HTTP benchmarks on PostgreSQL: a handler that checks the token as Tenor does and
 * sends the same queries directly. The headers come as JSON in HEADERS, the token in TOKEN, the
 * database in DATABASE_URL.
 */
import { isAuthorized } from '../token-check.ts';
import { createBaselineQueries } from './baseline-queries.ts';

const headers = new Headers(JSON.parse(process.env.HEADERS ?? '{}'));
const queries = createBaselineQueries(process.env.DATABASE_URL ?? '');

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  development: false,
  async fetch(request) {
    if (!isAuthorized(request)) return new Response(null, { status: 401 });
    const query = new URLSearchParams(request.url.slice(request.url.indexOf('?')));
    const [symbol, day = ''] = [query.get('symbol'), query.get('to') ?? query.get('date') ?? ''];
    const records = await (symbol ? queries.history(symbol, day) : queries.snapshot(day));
    return new Response(`{"status":"ok","data":[${records}]}`, { headers });
  },
});
console.log(`http://127.0.0.1:${server.port}`);
