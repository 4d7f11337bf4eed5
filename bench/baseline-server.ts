/**
 * The baseline of HTTP benchmarks: a handler that checks the token as Tenor does and returns a
 * constant response. The body comes on standard input, the headers as JSON in HEADERS, the status
 * in STATUS, the token in TOKEN.
 */
import { createTokenCheck } from './token-check.ts';

const status = Number(process.env.STATUS);
const text = await Bun.stdin.text();
// Bun sends a blob many times without copying it.
const body = status === 304 ? null : new Blob([text]);
const headers = new Headers(JSON.parse(process.env.HEADERS ?? '{}'));
const isAuthorized = createTokenCheck(process.env.TOKEN ?? '');

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  development: false,
  fetch(request) {
    if (!isAuthorized(request)) return new Response(null, { status: 401 });
    return new Response(body, { status, headers });
  },
});
console.log(`http://127.0.0.1:${server.port}`);
