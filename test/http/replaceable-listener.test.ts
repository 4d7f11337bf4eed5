import { afterEach, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { countConnections } from '../../src/http/monitoring/server-monitor.ts';
import { type Listener, ReplaceableListener } from '../../src/http/server/replaceable-listener.ts';
import type { Certificate } from '../../src/http/tls/certificate.ts';
import { retryUntil } from '../support/eventually.ts';
import { isLinux } from '../support/workers.ts';

let port = 0;
let listener: ReplaceableListener;
afterEach(async () => {
  await listener.stop(true);
  port = 0;
});

const UNUSABLE = { cert: 'x', key: 'x', validFrom: new Date(0), expiresAt: new Date(0) };

/** Without TLS, unless a certificate is given. */
function open(certificate: Certificate | undefined, hostname = '127.0.0.1'): Listener {
  const tls = certificate && { tls: { cert: certificate.cert, key: certificate.key } };
  const server = Bun.serve({ hostname, port, ...tls, fetch: () => new Response('x') });
  port = server.port ?? 0;
  return { server, isEnding: false };
}

const ask = async () => (await fetch(`http://127.0.0.1:${port}/`, { keepalive: false })).status;

test('a listener goes on if the next certificate cannot be used', async () => {
  listener = new ReplaceableListener(open, undefined);
  expect(() => listener.replace(UNUSABLE)).toThrow();
  expect(listener.isClosed).toBe(false);
  expect(await ask()).toBe(200);
});

test('a listener that is closed refuses connections, and opens again on the same port', async () => {
  listener = new ReplaceableListener(open, undefined);
  const firstPort = port;
  listener.close();
  expect(listener.isClosed).toBe(true);
  await expect(ask()).rejects.toThrow();
  listener.reopen();
  expect([listener.isClosed, port]).toEqual([false, firstPort]);
  expect(await ask()).toBe(200);
});

test('a listener that is closed opens again with the certificate that it had last', async () => {
  const opened: (Certificate | undefined)[] = [];
  listener = new ReplaceableListener((certificate) => {
    opened.push(certificate);
    port = 0;
    return open(undefined);
  }, undefined);
  listener.replace(UNUSABLE);
  listener.close();
  listener.reopen();
  expect(opened).toEqual([undefined, UNUSABLE, UNUSABLE]);
});

test.if(isLinux).each(['127.0.0.1', '::1'])(
  'the open connections of a port on %s are counted',
  async (host) => {
    listener = new ReplaceableListener((certificate) => open(certificate, host), undefined);
    expect(await countConnections(port)).toBe(0);
    const sockets = [1, 2, 3].map(() => connect(port, host));
    await retryUntil(5_000, async () => expect(await countConnections(port)).toBe(3));
    for (const socket of sockets) socket.destroy();
    await retryUntil(5_000, async () => expect(await countConnections(port)).toBe(0));
  },
);
