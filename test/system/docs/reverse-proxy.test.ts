import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { LogEvent } from '../../../src/event-log.ts';
import { parseAddressRanges } from '../../../src/shared/ip-address.ts';
import { issueToken } from '../../../src/tokens/issue-token.ts';
import { createAuthority, explainMissingOpenssl } from '../../support/certificates.ts';
import { retryUntil } from '../../support/eventually.ts';
import { expectEvent } from '../../support/expect-event.ts';
import { findFreePort } from '../../support/free-port.ts';
import { getRaw, sendRaw } from '../../support/raw-http.ts';
import { spawnChild } from '../../support/spawn-child.ts';
import { createFilledStore, createTempFolder, type TestStore } from '../../support/store.ts';
import { startTestServer, type TestServer, TOKEN } from '../../support/test-server.ts';
import { findCodeBlocks } from './code-blocks.ts';

const NGINX = Bun.which('nginx', { PATH: `${process.env.PATH}:/usr/sbin:/usr/local/sbin` });
if (!NGINX) console.log('how-to/reverse-proxy.md is not run: nginx is not installed');

const missingOpenssl = explainMissingOpenssl();

const QUOTE = '/2.0/bnb/quote';
const AUTHORIZATION = `Authorization: Bearer ${TOKEN}`;

describe.if(NGINX !== null)('behind nginx as in how-to/reverse-proxy.md', () => {
  let folder: string;
  let store: TestStore;
  let upstreams: TestServer[];
  let nginx: Bun.Subprocess | undefined;
  const port = findFreePort();
  const tlsPort = findFreePort();
  const address = `http://127.0.0.1:${port}`;
  const trustedProxies = parseAddressRanges('127.0.0.1') ?? null;
  beforeAll(async () => {
    folder = createTempFolder();
    store = await createFilledStore();
    upstreams = await Promise.all([startUpstream(), startUpstream()]);
    const ports = upstreams.map((upstream) => new URL(upstream.address).port);
    if (!missingOpenssl) createAuthority(folder)('data.example.com');
    writeConfiguration(folder, { port, tlsPort, upstreams: ports });
    nginx = spawnChild([NGINX ?? '', '-p', folder, '-c', 'nginx.conf', '-e', 'stderr'], {
      stderr: 'ignore',
    });
    await retryUntil(30_000, async () => expect((await get('/openapi.json')).status).toBe(200));
  });
  afterAll(async () => {
    nginx?.kill('SIGTERM');
    await nginx?.exited;
    await Promise.all(upstreams.map((upstream) => upstream.stop()));
    await store.remove();
    rmSync(folder, { recursive: true });
  });
  const get = (target: string) => getRaw(address, target, AUTHORIZATION);
  const startUpstream = (port?: number) => {
    const shared = { ...store, remove: async () => {} };
    return startTestServer(shared, { trustedProxies, port });
  };

  test.each(['FOO', 'PROPFIND', 'POST', 'DELETE', 'BREW'])(
    '%s gets 405 in JSON, and no server is taken for dead',
    async (method) => {
      const head = [`${method} ${QUOTE} HTTP/1.1`, 'Host: x', AUTHORIZATION, 'Connection: close'];
      for (let count = 0; count < 4; count++) {
        const reply = await sendRaw(address, `${head.join('\r\n')}\r\n\r\n`);
        expect(reply.status).toBe(405);
        expect(reply.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
        expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
        expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
        expect(JSON.parse(reply.body)).toEqual({ status: 'error', message: 'invalid_method' });
      }
      const replies = await Promise.all(Array.from({ length: 20 }, () => get(QUOTE)));
      expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200));
    },
  );

  test('a method that Bun does not know is closed without an answer if nginx lets it through', async () => {
    const request = `FOO ${QUOTE} HTTP/1.1\r\nHost: x\r\n\r\n`;
    const [upstream] = upstreams;
    expect((await sendRaw(upstream?.address ?? '', request)).status).toBeNaN();
  });

  test('messages of the Model Context Protocol reach a server, and DELETE gets its own 405', async () => {
    const message = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    const types = ['Content-Type: application/json', 'Accept: application/json, text/event-stream'];
    const send = (method: string) => {
      const lines = [`${method} /mcp HTTP/1.1`, 'Host: x', AUTHORIZATION, ...types];
      lines.push(`Content-Length: ${message.length}`, 'Connection: close');
      return sendRaw(address, `${lines.join('\r\n')}\r\n\r\n${message}`);
    };
    const reply = await send('POST');
    expect([reply.status, reply.body]).toEqual([200, expect.stringContaining('"result":{}')]);
    expect((await send('DELETE')).headers.get('allow')).toBe('POST, OPTIONS');
  });

  test('the log has the address of the client, whatever the client says', async () => {
    for (const { events } of upstreams) events.length = 0;
    const lines = ['X-Forwarded-For: 1.1.1.1', 'Forwarded: for=2.2.2.2', 'Connection: close'];
    const socket = connect({ host: '127.0.0.1', port, localAddress: '127.0.0.2' });
    socket.write(`GET /nowhere HTTP/1.1\r\nHost: x\r\n${lines.join('\r\n')}\r\n\r\n`);
    const reply = await new Response(Readable.toWeb(socket) as ReadableStream).text();
    expect(reply).toStartWith('HTTP/1.1 404');
    expect(listRequests(upstreams)).toMatchObject([{ status: 404, address: '127.0.0.2' }]);
  });

  test('documents come from the cache in each content encoding, and no data does', async () => {
    const countRequests = () => listRequests(upstreams).length;
    const encodings = ['identity', 'gzip', 'br'];
    const read = async (encoding: string) => {
      const { body, ...reply } = await sendRaw(
        address,
        `GET /openapi.json HTTP/1.1\r\nHost: x\r\nAccept-Encoding: ${encoding}\r\nConnection: close\r\n\r\n`,
      );
      return [reply.status, reply.headers.get('content-encoding'), body];
    };
    const first = [];
    for (const encoding of encodings) first.push(await read(encoding));
    expect(first.map(([, encoding]) => encoding)).toEqual([undefined, 'gzip', 'br']);
    const requests = countRequests();
    expect(await Promise.all(encodings.map(read))).toEqual(first);
    expect(countRequests()).toBe(requests);
    await get(QUOTE);
    await get(QUOTE);
    expect(countRequests()).toBe(requests + 2);
  });

  test('what one token has read, one without the scope does not get, nor one that is revoked', async () => {
    const tokens = store.tokens();
    const terms = { name: 'n', rate: null, expiresAt: null };
    const reading = await issueToken(tokens, { ...terms, scopes: ['quotes'] });
    const other = await issueToken(tokens, { ...terms, scopes: ['funds'] });
    const listStatuses = async ({ secret }: { secret: string }) => {
      const request = () => getRaw(address, QUOTE, `Authorization: Bearer ${secret}`);
      return [...new Set((await Promise.all([request(), request()])).map(({ status }) => status))];
    };
    await retryUntil(5_000, async () => expect(await listStatuses(reading)).toEqual([200]));
    expect(await listStatuses(other)).toEqual([403]);
    await tokens.update(reading.token.id, { revokedAt: new Date().toISOString() });
    tokens.close();
    await retryUntil(5_000, async () => expect(await listStatuses(reading)).toEqual([401]));
  });

  test.if(!missingOpenssl && Bun.which('curl') !== null)(
    'HTTP/2 is spoken (skipped without openssl or curl)',
    async () => {
      const child = spawnChild([
        ...['curl', '-s', '--http2', '--cacert', join(folder, 'ca.pem'), '-o', '/dev/null'],
        ...['-w', '%{http_code} %{http_version}', '-H', AUTHORIZATION],
        ...['--resolve', `data.example.com:${tlsPort}:127.0.0.1`],
        `https://data.example.com:${tlsPort}${QUOTE}`,
      ]);
      expect(await new Response(child.stdout).text()).toBe('200 2');
    },
  );

  test('an event comes through as soon as a revision is published', () =>
    expectEvent(address, store));

  test('an export is that of the servers', async () => {
    const [proxied, direct] = await Promise.all(
      [address, upstreams[0]?.address ?? ''].map(async (server) => {
        const headers = { authorization: `Bearer ${TOKEN}` };
        return (await fetch(`${server}/exports/quotes.csv`, { headers })).text();
      }),
    );
    expect(proxied).toStartWith('date,');
    expect(proxied).toBe(direct);
  });

  test('responses are those of the servers, with their headers', async () => {
    const { status, headers, body } = await get(QUOTE);
    const direct = await getRaw(upstreams[0]?.address ?? '', QUOTE, AUTHORIZATION);
    expect([status, body]).toEqual([200, direct.body]);
    expect(headers.get('etag')).toBe(direct.headers.get('etag') ?? '');
    const noToken = await getRaw(address, QUOTE);
    expect([noToken.status, noToken.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer realm="tenor"',
    ]);
  });

  test('no request is lost when the servers are restarted, one right after the other', async () => {
    const statuses: number[] = [];
    let isRestarted = false;
    const clients = Array.from({ length: 5 }, async () => {
      while (!isRestarted || statuses.length < 60) {
        statuses.push((await get(QUOTE)).status);
        // Within the limit of requests.
        await Bun.sleep(10);
      }
    });
    for (const [index, { address: upstream, stop }] of upstreams.entries()) {
      const answered = statuses.length;
      await stop();
      // Each meets the closed port.
      while (statuses.length < answered + 20) await Bun.sleep(1);
      upstreams[index] = await startUpstream(Number(new URL(upstream).port));
    }
    isRestarted = true;
    await Promise.all(clients);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  test('too many requests of an address get 429 in JSON', async () => {
    const head = `GET ${QUOTE} HTTP/1.1\r\nHost: x\r\n${AUTHORIZATION}\r\n`;
    const { body } = await sendRaw(
      address,
      `${`${head}\r\n`.repeat(900)}${head}Connection: close\r\n\r\n`,
    );
    expect(body).toContain('HTTP/1.1 429');
    expect(body).toContain('{"status":"error","message":"too_many_requests"}');
  });

  test('without any server, requests get 503 in JSON, and documents come from the cache', async () => {
    await Promise.all(upstreams.splice(0).map((upstream) => upstream.stop()));
    // Until the limit of the test before has room again.
    await retryUntil(30_000, async () => {
      const { status, headers, body } = await get(QUOTE);
      expect([status, headers.get('retry-after')]).toEqual([503, '1']);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(JSON.parse(body)).toEqual({ status: 'error', message: 'temporarily_unavailable' });
    });
    const headers = { 'Accept-Encoding': 'identity' };
    await retryUntil(30_000, async () =>
      expect((await fetch(`${address}/openapi.json`, { headers })).status).toBe(200),
    );
  });
});

function listRequests(servers: readonly TestServer[]): LogEvent[] {
  return servers.flatMap(({ events }) => events.filter(({ event }) => event === 'request'));
}

interface Ports {
  readonly port: number;
  readonly tlsPort: number;
  readonly upstreams: readonly string[];
}

/** The configuration of the page, for these ports and with a port without TLS, in a complete one. */
function writeConfiguration(folder: string, { port, tlsPort, upstreams }: Ports): void {
  const block = findCodeBlocks('how-to/reverse-proxy.md').find(
    ({ language }) => language === 'nginx',
  );
  const tlsListen = missingOpenssl ? '' : `listen 127.0.0.1:${tlsPort} ssl http2;`;
  const server = (block?.code ?? '')
    .replace('8080', upstreams[0] ?? '')
    .replace('8081', upstreams[1] ?? '')
    .replace('/var/cache/nginx/tenor', 'cache')
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port}; ${tlsListen}`)
    .replace('/etc/ssl/data.example.com.pem', join(folder, 'server.pem'))
    .replace('/etc/ssl/data.example.com.key', join(folder, 'server.key'))
    .replace(missingOpenssl ? /ssl_\w+ .*;\n/g : '\0', '');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const lines = [
    'daemon off; master_process off; pid nginx.pid;',
    'events { worker_connections 512; }',
    'http {',
    'access_log off; keepalive_requests 10000;',
    ...temporary.map((name) => `${name}_temp_path ${name};`),
    server,
    '}',
  ];
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'nginx.conf'), lines.join('\n'));
}
