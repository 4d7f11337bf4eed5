import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { retryUntil } from '../../support/eventually.ts';
import { getRaw } from '../../support/raw-http.ts';
import { startTenorServer } from '../../support/run-tenor.ts';
import { createTempFolder } from '../../support/store.ts';
import { isLinux, TOKEN } from '../../support/workers.ts';

const CONNECTIONS = 60;
const REQUEST = `GET /2.0/bnb/quote HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`;

let folder: string;
beforeEach(() => {
  folder = createTempFolder();
});
afterEach(() => rmSync(folder, { recursive: true }));

describe.if(isLinux).each(['1', '2'])('SIGTERM under load, with WORKERS=%s', (WORKERS) => {
  test('loses no request of clients that obey Connection: close, and go elsewhere', async () => {
    const server = await start(WORKERS);
    const counts = { sent: 0, answered: 0, closing: 0 };
    const clients = Array.from({ length: CONNECTIONS }, () =>
      sendUntilClosed(server.address, counts),
    );
    while (counts.answered < 3_000) await Bun.sleep(5);
    expect(counts.closing).toBe(0);
    const { status } = await server.stop('SIGTERM');
    await Promise.all(clients);
    expect(status).toBe(0);
    expect(counts.answered).toBe(counts.sent);
    expect(counts.closing).toBe(CONNECTIONS);
  });

  test('answers new connections until no request comes any more, /ready with 503', async () => {
    const server = await start(WORKERS);
    const isReady = () => fetch(`${server.address}/ready`, { keepalive: false });
    expect((await isReady()).status).toBe(200);
    const stopped = server.stop('SIGTERM');
    const response = await retryUntil(2_000, async () => {
      const ready = await isReady();
      expect(ready.status).toBe(503);
      return ready;
    });
    expect(response.headers.get('connection')).toBe('close');
    expect(await response.json()).toMatchObject({ reasons: ['stopping'] });
    expect((await stopped).status).toBe(0);
  });

  test('with DRAIN_SECONDS only makes /ready 503, of every process, until these are over or a second signal comes', async () => {
    const server = await start(WORKERS, '60');
    const request = (path: string) =>
      getRaw(server.address, path, `Authorization: Bearer ${TOKEN}`);
    // As npm repeats a signal of the terminal: this is one.
    for (const signal of ['SIGTERM', 'SIGTERM'] as const) process.kill(server.pid, signal);
    await retryUntil(10_000, async () => {
      const all = await Promise.all(Array.from({ length: 20 }, () => request('/ready')));
      for (const { status, body } of all)
        expect([status, JSON.parse(body)]).toMatchObject([503, { reasons: ['stopping'] }]);
    });
    await Bun.sleep(1_500);
    const response = await fetch(`${server.address}/2.0/bnb/quote`, {
      headers: { Authorization: `Bearer ${TOKEN}` },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('connection')).not.toBe('close');
    const { status, seconds } = await server.stop('SIGTERM');
    expect(status).toBe(0);
    expect(seconds).toBeLessThan(30);
  }, 120_000);

  test('with DRAIN_SECONDS ends by itself when they are over', async () => {
    const server = await start(WORKERS, '1');
    const { status, seconds } = await server.stop('SIGTERM');
    expect(status).toBe(0);
    expect(seconds).toBeGreaterThan(1);
  });
});

function start(WORKERS: string, DRAIN_SECONDS = '0') {
  return startTenorServer({
    DATABASE_URL: `sqlite:${join(folder, 'x.db')}`,
    API_TOKEN: TOKEN,
    SAMPLE_DATA: 'off',
    RATE_LIMIT: 'off',
    WORKERS,
    DRAIN_SECONDS,
  });
}

interface Counts {
  sent: number;
  answered: number;
  /** Responses that said `Connection: close`. */
  closing: number;
}

/** Sends a request after each response, until one closes the connection. */
function sendUntilClosed(address: string, counts: Counts): Promise<void> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let text = '';
    const send = () => {
      counts.sent++;
      socket.write(REQUEST);
    };
    socket.on('connect', send);
    socket.on('data', (bytes) => {
      text += bytes;
      const head = text.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1]);
      if (head < 0 || text.length < head + 4 + length) return;
      counts.answered++;
      const isClosing = /connection: close/i.test(text.slice(0, head));
      text = '';
      if (!isClosing) return send();
      counts.closing++;
      socket.end();
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve());
  });
}
