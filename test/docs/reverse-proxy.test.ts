import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { retryUntil } from '../support/eventually.ts';
import { findFreePort } from '../support/free-port.ts';
import { getRaw, sendRaw } from '../support/raw-http.ts';
import { createFilledStore, createTempFolder } from '../support/store.ts';
import { startTestServer, type TestServer, TOKEN } from '../support/test-server.ts';
import { findCodeBlocks } from './code-blocks.ts';

const NGINX = Bun.which('nginx', { PATH: `${process.env.PATH}:/usr/sbin:/usr/local/sbin` });
if (!NGINX) console.log('how-to/reverse-proxy.md is not run: nginx is not installed');

const QUOTE = '/2.0/bnb/quote';
const AUTHORIZATION = `Authorization: Bearer ${TOKEN}`;

describe.if(NGINX !== null)('behind nginx as in how-to/reverse-proxy.md', () => {
  let folder: string;
  let upstreams: TestServer[];
  let nginx: Bun.Subprocess | undefined;
  const port = findFreePort();
  const address = `http://127.0.0.1:${port}`;
  beforeAll(async () => {
    folder = createTempFolder();
    const stores = await Promise.all([createFilledStore(), createFilledStore()]);
    upstreams = await Promise.all(stores.map((store) => startTestServer(store)));
    const ports = upstreams.map((upstream) => new URL(upstream.address).port);
    writeConfiguration(folder, port, ports);
    nginx = Bun.spawn([NGINX ?? '', '-p', folder, '-c', 'nginx.conf', '-e', 'stderr'], {
      stderr: 'ignore',
    });
    await retryUntil(30_000, async () => expect((await get('/openapi.json')).status).toBe(200));
  });
  afterAll(async () => {
    nginx?.kill('SIGTERM');
    await nginx?.exited;
    await Promise.all(upstreams.map((upstream) => upstream.stop()));
    rmSync(folder, { recursive: true });
  });
  const get = (target: string) => getRaw(address, target, AUTHORIZATION);

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

  test('a method that Bun does not know is closed without an answer where nginx lets it through', async () => {
    const request = `FOO ${QUOTE} HTTP/1.1\r\nHost: x\r\n\r\n`;
    const [upstream] = upstreams;
    expect((await sendRaw(upstream?.address ?? '', request)).status).toBeNaN();
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

  test('no request is lost when one of the servers stops', async () => {
    const statuses: number[] = [];
    let isStopped = false;
    const clients = Array.from({ length: 5 }, async () => {
      while (!isStopped || statuses.length < 60) statuses.push((await get(QUOTE)).status);
    });
    while (statuses.length < 20) await Bun.sleep(1);
    await upstreams.pop()?.stop();
    isStopped = true;
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

  test('without any server, requests get 503 in JSON', async () => {
    await Promise.all(upstreams.splice(0).map((upstream) => upstream.stop()));
    // Until the limit of the test before has room again.
    await retryUntil(30_000, async () => {
      const { status, headers, body } = await get(QUOTE);
      expect([status, headers.get('retry-after')]).toEqual([503, '1']);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(JSON.parse(body)).toEqual({ status: 'error', message: 'temporarily_unavailable' });
    });
  });
});

/** The configuration of the page, for these ports and without TLS, inside of a complete one. */
function writeConfiguration(folder: string, port: number, upstreams: readonly string[]): void {
  const block = findCodeBlocks('how-to/reverse-proxy.md').find(
    ({ language }) => language === 'nginx',
  );
  const server = (block?.code ?? '')
    .replace('8080', upstreams[0] ?? '')
    .replace('8081', upstreams[1] ?? '')
    .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)
    .replace(/ssl_\w+ .*;\n/g, '');
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
