/**
 * The baseline of HTTP benchmarks: a handler that checks the token as Tenor does and returns a
 * constant response. The body comes on standard input, the headers as JSON in HEADERS, the status
 * in STATUS, the token in TOKEN.
 */
import { serveBaseline } from './token-check.ts';

const status = Number(process.env.STATUS);
const text = await Bun.stdin.text();
// Bun sends a blob many times without copying it.
const body = status === 304 ? null : new Blob([text]);
const headers = new Headers(JSON.parse(process.env.HEADERS ?? '{}'));

serveBaseline(() => new Response(body, { status, headers }));
