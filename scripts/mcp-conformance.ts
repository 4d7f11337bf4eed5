// TENOR_URL=… TENOR_TOKEN=… bun scripts/mcp-conformance.ts: runs the conformance suite of the Model
// Context Protocol against a server. The suite sends no token, so a proxy adds it.
import { join } from 'node:path';

const PACKAGE = '@modelcontextprotocol/conformance@0.2.0-alpha.12';
const REVISION = '2026-07-28';

const { TENOR_URL = 'http://127.0.0.1:8080', TENOR_TOKEN = '' } = process.env;

const proxy = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    const headers = new Headers(request.headers);
    headers.set('Authorization', `Bearer ${TENOR_TOKEN}`);
    const { pathname } = new URL(request.url);
    const body = request.method === 'POST' ? await request.text() : null;
    return fetch(`${TENOR_URL}${pathname}`, { method: request.method, headers, body });
  },
});

const expected = join(import.meta.dirname, 'mcp-conformance.yml');
const suite = Bun.spawn(
  [
    ...['bunx', '--bun', PACKAGE, 'server', '--url', `${proxy.url}mcp`],
    ...['--requirements', REVISION, '--expected-failures', expected],
  ],
  { stdio: ['ignore', 'inherit', 'inherit'] },
);
const status = await suite.exited;
await proxy.stop(true);
process.exit(status);
