import { afterAll, expect, test } from 'bun:test';
import { getOwnUrl } from '../../src/cli/commands/health.ts';
import { runTenor } from '../support/run-tenor.ts';
import { createStore } from '../support/store.ts';
import { useTestServer } from '../support/use-test-server.ts';

const server = useTestServer(createStore);
const faulty = Bun.serve({
  port: 0,
  routes: {
    '/ready': Response.json({ status: 'unavailable', reasons: ['stopping'] }, { status: 503 }),
  },
  fetch: () => new Response(),
});
afterAll(() => faulty.stop(true));

const askPort = (port: number | undefined, url?: string) =>
  runTenor(url === undefined ? ['health'] : ['health', url], {
    PORT: String(port),
    // Nobody listens there.
    HTTP_PROXY: 'http://127.0.0.1:9',
  });

test('health finds the server of HOST and PORT ready, whatever proxy is set', async () => {
  const { port } = new URL(server.address);
  expect(await askPort(Number(port))).toEqual({
    status: 0,
    out: `http://127.0.0.1:${port} is ready\n`,
    err: '',
  });
});

test('health says why a server is not ready, or cannot be reached', async () => {
  const [stopping, unreachable, invalid, unknown] = await Promise.all([
    askPort(faulty.port),
    askPort(9),
    askPort(8080, 'ftp://127.0.0.1'),
    askPort(0),
  ]);
  expect(stopping.err).toBe(`tenor: http://127.0.0.1:${faulty.port} is not ready: stopping\n`);
  expect(unreachable.err).toBe('tenor: cannot reach http://127.0.0.1:9: ECONNREFUSED\n');
  expect([stopping.status, unreachable.status]).toEqual([1, 1]);
  expect(invalid.err).toContain('URL must be the URL of a server');
  expect(unknown.err).toContain('PORT is 0');
  expect([invalid.status, unknown.status]).toEqual([2, 2]);
});

test('a server that listens on all addresses is reached on that of the machine itself', () => {
  expect(getOwnUrl({ host: '0.0.0.0', port: 80, tlsCert: '' })).toBe('http://127.0.0.1:80');
  expect(getOwnUrl({ host: '::', port: 80, tlsCert: '' })).toBe('http://[::1]:80');
  expect(getOwnUrl({ host: '192.0.2.7', port: 80, tlsCert: '' })).toBe('http://192.0.2.7:80');
  expect(getOwnUrl({ host: '192.0.2.7', port: 80, tlsCert: 'x' })).toBe('https://192.0.2.7:80');
});
