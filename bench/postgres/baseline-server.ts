/**
 * What our server over PostgreSQL is measured against: a handler that checks the token as ours
 * does, sends the same queries by hand, and puts what it gets into the same envelope. The headers
 * come as JSON in HEADERS, the token in TOKEN, the database's address in DATABASE_URL.
 */
import { isAuthorized } from '../token-check.ts';
import { handOn } from './baseline-queries.ts';

const headers = new Headers(JSON.parse(process.env.HEADERS ?? '{}'));
const hand = handOn(process.env.DATABASE_URL ?? '');

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  development: false,
  async fetch(request) {
    if (!isAuthorized(request)) return new Response(null, { status: 401 });
    const query = new URLSearchParams(request.url.slice(request.url.indexOf('?')));
    const [symbol, day = ''] = [query.get('symbol'), query.get('to') ?? query.get('date') ?? ''];
    const records = await (symbol ? hand.history(symbol, day) : hand.snapshot(day));
    return new Response(`{"status":"ok","data":[${records}]}`, { headers });
  },
});
console.log(`http://127.0.0.1:${server.port}`);
