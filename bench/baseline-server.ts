/**
 * The baseline of HTTP benchmarks: a handler that checks the token as Tenor does and returns a
 * constant response. The body comes on standard input, the headers as JSON in HEADERS, the status
 * in STATUS, the token in TOKEN. With DUTIES=on it does for each request what the contract asks for: a
 * request id, an allowance, a line in the log with the address, and the headers read that may change the
 * response. No service with these duties can be faster.
 */
import { serveBaseline } from './token-check.ts';

const READ_HEADERS = [
  ...['host', 'x-request-id', 'tenor-revision', 'accept', 'prefer', 'accept-datetime'],
  ...['accept-encoding', 'if-match', 'if-none-match', 'if-modified-since'],
  ...['if-unmodified-since', 'traceparent'],
];
const PREFIX = '0123456789abcdef01';
const TIME = new Date().toISOString();
const FLUSH_DELAY_MS = 10;
const MAX_BUFFERED_CHARACTERS = 8_192;
let count = 0;
let lines = '';

const status = Number(process.env.STATUS);
const text = await Bun.stdin.text();
// Bun sends a blob many times without copying it.
const body = status === 304 ? null : new Blob([text]);
const headers = new Headers(JSON.parse(process.env.HEADERS ?? '{}'));

const respond = () => new Response(body, { status, headers });
serveBaseline(process.env.DUTIES === 'on' ? respondWithDuties : respond);

function respondWithDuties(request: Request, server: Bun.Server<undefined>): Response {
  const startedMs = performance.now();
  const { headers: sent, method, url } = request;
  for (const name of READ_HEADERS) sent.get(name);
  const id = `${PREFIX}-${count++}`;
  headers.set('X-Request-Id', id);
  headers.set('RateLimit', `"requests";r=${999_999_999 - (count % 1_000)};t=1`);
  const response = respond();
  const address = server.requestIP(request)?.address;
  const ms = Math.round((performance.now() - startedMs) * 1_000) / 1_000;
  writeLine(
    `{"time":"${TIME}","event":"request","requestId":"${id}","token":"API_TOKEN","address":"${address}","method":"${method}","route":"${url.slice(url.indexOf('/', 8))}","status":${status},"bytes":${text.length},"ms":${ms},"revision":1}\n`,
  );
  return response;
}

function writeLine(line: string): void {
  if (lines === '') setTimeout(flush, FLUSH_DELAY_MS);
  lines += line;
  if (lines.length > MAX_BUFFERED_CHARACTERS) flush();
}

function flush(): void {
  process.stderr.write(lines);
  lines = '';
}
