import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { parseAddressRanges } from '../../../src/shared/ip-address.ts';
import { retryUntil } from '../../support/eventually.ts';
import { expectEvent } from '../../support/expect-event.ts';
import { findFreePort } from '../../support/free-port.ts';
import { getRaw, sendRaw } from '../../support/raw-http.ts';
import { spawnChild } from '../../support/spawn-child.ts';
import { createFilledStore, createTempFolder, type TestStore } from '../../support/store.ts';
import { startTestServer, type TestServer, TOKEN } from '../../support/test-server.ts';
import { findCodeBlocks } from './code-blocks.ts';

const CADDY = Bun.which('caddy');
const SOCKET_PROXY = '/lib/systemd/systemd-socket-proxyd';
const ACTIVATE = Bun.which('systemd-socket-activate');
if (!CADDY) console.log('how-to/reverse-proxy.md is not run with Caddy, which is not installed');
const hasSocketProxy = ACTIVATE !== null && existsSync(SOCKET_PROXY);
if (!hasSocketProxy)
  console.log(
    'how-to/reverse-proxy.md is not run with systemd-socket-proxyd, which is not installed',
  );

const QUOTE = '/2.0/bnb/quote';
const AUTHORIZATION = `Authorization: Bearer ${TOKEN}`;

let folder: string;
let store: TestStore;
let upstreams: TestServer[];
beforeAll(async () => {
  folder = createTempFolder();
  store = await createFilledStore();
  const shared = { ...store, remove: async () => {} };
  const trustedProxies = parseAddressRanges('127.0.0.1') ?? null;
  const start = () => startTestServer(shared, { trustedProxies });
  upstreams = await Promise.all([start(), start()]);
});
afterAll(async () => {
  await Promise.all(upstreams.map((upstream) => upstream.stop()));
  await store.remove();
  rmSync(folder, { recursive: true });
});
const listPorts = () => upstreams.map((upstream) => new URL(upstream.address).port);

test.if(hasSocketProxy)(
  'behind systemd-socket-proxyd, responses are those of the server (skipped without it)',
  async () => {
    const unit = findCodeBlocks('how-to/reverse-proxy.md').find(({ code }) =>
      code.includes('ExecStart='),
    );
    const [, command = ''] = /^ExecStart=(.*)$/m.exec(unit?.code ?? '') ?? [];
    const [first = ''] = listPorts();
    const port = findFreePort();
    const proxy = spawnChild(
      [ACTIVATE ?? '', '-l', String(port), ...command.replace('8080', first).split(' ')],
      { stderr: 'ignore' },
    );
    const address = `http://127.0.0.1:${port}`;
    await retryUntil(10_000, async () => {
      const { status } = await getRaw(address, QUOTE, AUTHORIZATION);
      expect(status).toBe(200);
    });
    proxy.kill();
    await proxy.exited;
  },
);

describe.if(CADDY !== null)('behind Caddy as in how-to/reverse-proxy.md', () => {
  let caddy: Bun.Subprocess | undefined;
  const port = findFreePort();
  const address = `http://127.0.0.1:${port}`;
  beforeAll(async () => {
    const block = findCodeBlocks('how-to/reverse-proxy.md').find(
      ({ language }) => language === 'caddy',
    );
    const [first = '', second = ''] = listPorts();
    const site = (block?.code ?? '')
      .replace('data.example.com', `:${port}`)
      .replace('8080', first)
      .replace('8081', second);
    const file = join(folder, 'Caddyfile');
    writeFileSync(file, `{\n\tadmin off\n}\n${site}`);
    caddy = spawnChild([CADDY ?? '', 'run', '--config', file, '--adapter', 'caddyfile'], {
      env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
      stderr: 'ignore',
    });
    await retryUntil(30_000, async () => expect((await get(QUOTE)).status).toBe(200));
  });
  afterAll(async () => {
    caddy?.kill('SIGTERM');
    await caddy?.exited;
  });
  const get = (target: string) => getRaw(address, target, AUTHORIZATION);

  test('responses are those of the servers, and errors are JSON', async () => {
    const { status, headers, body } = await get(QUOTE);
    const direct = await getRaw(upstreams[0]?.address ?? '', QUOTE, AUTHORIZATION);
    expect([status, headers.get('etag')]).toEqual([200, direct.headers.get('etag')]);
    expect(body).toBe(direct.body);
    const noToken = await getRaw(address, QUOTE);
    expect([noToken.status, JSON.parse(noToken.body)]).toEqual([
      401,
      { status: 'error', message: 'unauthorized_request' },
    ]);
  });

  test('an event comes through as soon as a revision is published', () =>
    expectEvent(address, store));

  test.each(['FOO', 'POST'])('%s gets 405 in JSON', async (method) => {
    const head = [`${method} ${QUOTE} HTTP/1.1`, 'Host: x', AUTHORIZATION, 'Connection: close'];
    const reply = await sendRaw(address, `${head.join('\r\n')}\r\n\r\n`);
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(JSON.parse(reply.body)).toEqual({ status: 'error', message: 'invalid_method' });
  });

  test('the log has the address of the client, whatever the client says', async () => {
    for (const { events } of upstreams) events.length = 0;
    const lines = ['X-Forwarded-For: 1.1.1.1', 'Forwarded: for=2.2.2.2', 'Connection: close'];
    const socket = connect({ host: '127.0.0.1', port, localAddress: '127.0.0.2' });
    socket.write(`GET /nowhere HTTP/1.1\r\nHost: 127.0.0.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    const reply = await new Response(Readable.toWeb(socket) as ReadableStream).text();
    expect(reply).toStartWith('HTTP/1.1 404');
    const events = upstreams.flatMap((upstream) => upstream.events);
    expect(events.filter(({ event }) => event === 'request')).toMatchObject([
      { status: 404, address: '127.0.0.2' },
    ]);
  });

  test('without any server, requests get 503 in JSON', async () => {
    await Promise.all(upstreams.splice(1).map((upstream) => upstream.stop()));
    expect((await get(QUOTE)).status).toBe(200);
    const [last] = upstreams.splice(0);
    await last?.stop();
    const { status, headers, body } = await get(QUOTE);
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
    expect(JSON.parse(body)).toEqual({ status: 'error', message: 'temporarily_unavailable' });
  });
});
