import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { retryUntil } from '../../support/eventually.ts';
import { createSampleDatabase } from '../../support/explorer.ts';
import { findFreePort } from '../../support/free-port.ts';
import { sendRaw } from '../../support/raw-http.ts';
import type { TenorServer } from '../../support/run-tenor.ts';
import { ROOT, runTenor, spawnTenor } from '../../support/run-tenor.ts';
import { createSlowReader } from '../../support/slow-reader.ts';
import {
  findLiveWorkers,
  isAlive,
  isLinux,
  readLog,
  TOKEN,
  useWorkerServers,
  waitForExit,
} from '../../support/workers.ts';

const QUOTES = '/2.0/bnb/quote';
const { settings, file, start } = useWorkerServers();

const pickPort = () => String(findFreePort());
const isUnreachable = ({ address }: TenorServer) =>
  fetch(address).then(
    () => false,
    () => true,
  );

test.if(isLinux)('SIGHUP stops a supervisor as SIGTERM does, and none of its workers', async () => {
  const server = await start();
  const workers = findLiveWorkers(server);
  for (const pid of workers) process.kill(pid, 'SIGHUP');
  expect(await server.stop('SIGHUP')).toMatchObject({ status: 0 });
  expect(server.err()).toContain('"service.stopping","signal":"SIGHUP"');
  const stopped = readLog(server).filter(({ event }) => event === 'service.stopped');
  expect(stopped).toHaveLength(workers.length);
  expect(server.err()).not.toContain('worker.died');
});

describe.if(isLinux)('the port of several workers', () => {
  const startAndFail = async (extra: Record<string, string>) => {
    const { status, out, err } = await runTenor(['serve'], settings(extra));
    expect([status, out]).toEqual([1, '']);
    return err;
  };

  test.each([true, false])(
    'is rejected if another server listens on it, with reusePort %p',
    async (reusePort) => {
      const hostname = '127.0.0.1';
      const other = Bun.serve({ hostname, port: 0, reusePort, fetch: () => new Response() });
      const PORT = String(other.port);
      const line = `tenor: port ${PORT} on 127.0.0.1 is in use; set PORT to another, or 0 for any free one\n`;
      expect(await startAndFail({ PORT })).toBe(line);
      await other.stop(true);
    },
  );

  test('is rejected for a second server with any number of workers', async () => {
    const { address } = await start();
    const PORT = new URL(address).port;
    for (const WORKERS of ['1', '2', '3']) {
      expect(await startAndFail({ PORT, WORKERS })).toMatch(/^tenor: .*in use.*\n$/);
    }
  });

  test('is claimed by one of several servers that start at once', async () => {
    const PORT = pickPort();
    const children = [1, 2, 3].map(() => spawnTenor(['serve'], settings({ PORT })));
    const greeted = children.map(async (child) => {
      for await (const chunk of child.stdout) if (chunk.length > 0) return child;
      return undefined;
    });
    const servers = (await Promise.all(greeted)).filter((child) => child !== undefined);
    for (const child of servers) child.kill('SIGTERM');
    const statuses = await Promise.all(children.map(({ exited }) => exited));
    expect(servers).toHaveLength(1);
    expect(statuses.toSorted()).toEqual([0, 1, 1]);
  });

  test('on an address of another machine is rejected', async () => {
    const line = /^tenor: cannot listen on .*EADDRNOTAVAIL.*\n$/;
    expect(await startAndFail({ HOST: '192.0.2.1', PORT: '0' })).toMatch(line);
    expect(await startAndFail({ HOST: '192.0.2.1', PORT: pickPort() })).toMatch(line);
  });
});

describe.if(isLinux)('stopping several workers', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    'by %s to every process completes responses and leaves no process and no write-ahead log',
    async (signal) => {
      await createSampleDatabase(file('x.db'));
      const server = await start();
      const reader = createSlowReader(server.address, '/exports/quotes.ndjson', TOKEN);
      await reader.hasStarted;
      const workers = findLiveWorkers(server);
      expect(workers).toHaveLength(2);
      for (const pid of workers) process.kill(pid, signal);
      const stopped = server.stop(signal);
      await retryUntil(30_000, async () => expect(await isUnreachable(server)).toBe(true));
      const response = await reader.readRest();
      // The empty chunk ends a complete response.
      expect(response.slice(-7)).toBe('\r\n0\r\n\r\n');
      expect((await stopped).status).toBe(0);
      expect(workers.some(isAlive)).toBe(false);
      expect(readLog(server, 'service.stopped')).toHaveLength(2);
      expect(readLog(server, 'worker.died')).toEqual([]);
      expect(existsSync(file('x.db-wal'))).toBe(false);
    },
  );

  test('by killing the supervisor ends the workers and frees the port', async () => {
    const server = await start();
    const workers = findLiveWorkers(server);
    expect(workers.map(isAlive)).toEqual([true, true]);
    await server.stop('SIGKILL');
    await Promise.all(workers.map(waitForExit));
    expect(await isUnreachable(server)).toBe(true);
  });
});

describe('an invalid WORKERS', () => {
  const values = ['0', '65', '1.5', '-1', 'many', '02', ...(isLinux ? [] : ['2'])];
  test.each(values)('(%s) is rejected with one line', async (WORKERS) => {
    const { status, out, err } = await runTenor(['serve'], settings({ WORKERS }), {
      isRejected: true,
    });
    expect([status, out]).toEqual([1, '']);
    expect(err).toMatch(/^tenor: WORKERS must be a whole number from 1 to 64.*\n$/);
    expect(existsSync(file('x.db'))).toBe(false);
  });
});

describe.if(isLinux)('the log of several workers', () => {
  test('logs complete lines, one for each request of all processes', async () => {
    const server = await start();
    const request = `GET ${QUOTES} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TOKEN}\r\n`;
    const pipelined = `${`${request}\r\n`.repeat(199)}${request}Connection: close\r\n\r\n`;
    for (let round = 0; round < 5; round++) {
      const replies = Array.from({ length: 20 }, () => sendRaw(server.address, pipelined));
      await Bun.sleep(10);
      // Nobody reads the log now, so that writing blocks in the middle of a batch.
      Bun.sleepSync(200);
      await Promise.all(replies);
    }
    await server.stop();
    expect(readLog(server, 'request')).toHaveLength(20_000);
    expect(server.err()).not.toContain(TOKEN);
  });
});

test.if(isLinux)(
  'workers of bin/tenor serve apply no bunfig.toml of the working directory',
  async () => {
    writeFileSync(file('bunfig.toml'), 'preload = ["./evil.ts"]\n');
    writeFileSync(file('evil.ts'), "await Bun.write('evil.txt', 'x')\n");
    const options = { cwd: file(''), command: [join(ROOT, 'bin/tenor')] };
    const child = spawnTenor(['serve'], settings({ PORT: '0' }), 'pipe', options);
    const greeting = await child.stdout.getReader().read();
    expect(new TextDecoder().decode(greeting.value)).toContain('listening on http://');
    child.kill('SIGTERM');
    expect(await child.exited).toBe(0);
    expect(readdirSync(file(''))).not.toContain('evil.txt');
  },
);
