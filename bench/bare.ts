/**
 * What our server is measured against: a handler that checks the token as ours does, and returns
 * a constant with the same bytes, headers and all. The body comes on standard input, the headers
 * as JSON in HEADERS, the status in STATUS, the token in TOKEN.
 */
export {};

const status = Number(process.env.STATUS);
const text = await Bun.stdin.text();
const body = status === 304 ? null : text;
const headers = new Headers(JSON.parse(process.env.HEADERS ?? '{}'));
const digest = (token: string) => Bun.SHA256.hash(token, 'hex');
const holders = new Map([[digest(process.env.TOKEN ?? ''), { id: 'bench' }]]);
const CREDENTIAL = /^bearer ([A-Za-z0-9._~+/-]+=*)$/i;

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  development: false,
  fetch(request) {
    const token = CREDENTIAL.exec(request.headers.get('authorization') ?? '')?.[1];
    if (!token || !holders.has(digest(token))) return new Response(null, { status: 401 });
    return new Response(body, { status, headers });
  },
});
console.log(`http://127.0.0.1:${server.port}`);
