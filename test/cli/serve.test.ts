import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { publishRecords } from '../../src/publish/publish-records.ts';
import { openStore } from '../../src/store/open-store.ts';
import { hashTokenSecret } from '../../src/tokens/token-secret.ts';
import { VERSION } from '../../src/version.ts';
import { retryUntil } from '../support/eventually.ts';
import { findFreePort } from '../support/free-port.ts';
import { quote } from '../support/quote-fixture.ts';
import { COMMAND, runTenor, startTenorServer, type TenorServer } from '../support/run-tenor.ts';
import { createSlowReader } from '../support/slow-reader.ts';
import { spawnChild } from '../support/spawn-child.ts';
import { createTempFolder } from '../support/store.ts';
import { openTerminal } from '../support/terminal.ts';
import { isLinux } from '../support/workers.ts';

let folder: string;
let database: string;
let servers: TenorServer[] = [];
beforeEach(() => {
  folder = createTempFolder();
  database = join(folder, 'x.db');
});
afterEach(async () => {
  await Promise.all(servers.map((server) => server.stop('SIGKILL')));
  servers = [];
  rmSync(folder, { recursive: true });
});

async function start(
  settings: Record<string, string> = {},
  command?: string[],
): Promise<TenorServer> {
  const server = await startTenorServer(
    { DATABASE_URL: `sqlite:${database}`, ...settings },
    command,
  );
  servers.push(server);
  return server;
}

/** Runs the curl line that the server prints. */
async function runCurlLine(
  server: TenorServer,
  settings: Record<string, string> = {},
): Promise<unknown> {
  const line = /curl .*/.exec(server.out())?.[0] ?? '';
  const child = spawnChild(['sh', '-c', `${line} --silent`], {
    env: { ...process.env, ...settings },
  });
  return new Response(child.stdout).json();
}

const findToken = (text: string) => /tenor_[\w-]+/.exec(text)?.[0] ?? '';

/** The link to the explorer that the server prints. */
const findLink = (text: string) => /^Explorer: (\S+)$/m.exec(text)?.[1] ?? '';

describe('tenor serve', () => {
  test('prints a token, and a curl line that reads quotes', async () => {
    const server = await start({ SAMPLE_DATA: 'off' }, ['npm', 'start']);
    expect(await runCurlLine(server)).toEqual({ status: 'ok', data: [] });
    // npm passes the signal on, so that stopping it stops the server.
    await server.stop('SIGTERM');
    await expect(fetch(server.address)).rejects.toThrow();
  });

  test('prints a link to the explorer, and how to load data into an empty database', async () => {
    const server = await start({ SAMPLE_DATA: 'off' });
    expect(server.out()).toContain(
      'The database is empty. To publish data: tenor load quotes FILE',
    );
    const link = findLink(server.out());
    // What is no terminal may be kept as a log, and copied from there.
    expect(link).toBe(`${server.address}/`);
    const page = await fetch(link);
    expect(page.headers.get('content-type')).toStartWith('text/html');
    expect(await page.text()).toContain('explorer/main.js');
  });

  test('stores its token in a file that only its owner can read and only its digest in the database', async () => {
    const first = await start({ SAMPLE_DATA: 'off' });
    const token = findToken(first.out());
    const file = `${database}.private/local-token`;
    expect(readFileSync(file, 'utf8').trim()).toBe(token);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await first.stop();
    const stored = readFileSync(`${database}.private/tokens`).toString('latin1');
    expect(stored).toContain(hashTokenSecret(token));
    expect(stored).not.toContain(token);
  });

  test('prints its token again on a terminal only; elsewhere it names the file', async () => {
    database = join(folder, "the owner's", 'x.db');
    mkdirSync(dirname(database));
    const settings = { SAMPLE_DATA: 'off' };
    const first = await start(settings);
    const token = findToken(first.out());
    await first.stop();
    const second = await start(settings);
    expect(second.out()).toContain(`Token: kept in ${database}.private/local-token\n`);
    expect(second.out()).not.toContain(token);
    expect(findLink(second.out())).toBe(`${second.address}/`);
    expect(await runCurlLine(second)).toEqual({ status: 'ok', data: [] });
    const third = await start({ ...settings, WORKERS: '2' });
    expect([third.out().includes(token), findLink(third.out())]).toEqual([
      false,
      `${third.address}/`,
    ]);
    // Its workers would outlive a kill, and remove files while the folder is removed.
    await third.stop();
    const env = { ...settings, DATABASE_URL: `sqlite:${database}`, PORT: '0' };
    using terminal = openTerminal(['serve'], { env });
    await terminal.waitFor('/openapi.json');
    expect(terminal.screen()).toContain(`Token: ${token}`);
    expect(terminal.screen()).toContain(`/#token=${token}`);
  });

  test('says that its token is revoked, and creates no other', async () => {
    const settings = { DATABASE_URL: `sqlite:${database}`, SAMPLE_DATA: 'off' };
    await (await start(settings)).stop();
    const { out } = await runTenor(['token', 'list', '--json'], settings);
    const [{ id }] = JSON.parse(out);
    await runTenor(['token', 'revoke', id], settings);
    const server = await start(settings);
    expect(server.out()).toContain('revoked');
    expect(findToken(server.out())).toBe('');
    expect(findLink(server.out())).toBe(`${server.address}/`);
  });

  test('reuses its stored token after the database was deleted, and replaces an empty token file', async () => {
    const settings = { SAMPLE_DATA: 'off' };
    const first = await start(settings);
    await first.stop();
    rmSync(database);
    rmSync(`${database}.private/tokens`);
    const second = await start(settings);
    expect(readFileSync(`${database}.private/local-token`, 'utf8').trim()).toBe(
      findToken(first.out()),
    );
    expect(await runCurlLine(second)).toEqual({ status: 'ok', data: [] });
    await second.stop();
    writeFileSync(`${database}.private/local-token`, '');
    const third = await start(settings);
    expect(await runCurlLine(third)).toEqual({ status: 'ok', data: [] });
  });

  test('makes and prints one token if several servers start at once', async () => {
    const settings = { SAMPLE_DATA: 'off' };
    const all = await Promise.all([start(settings), start(settings), start(settings)]);
    const stored = readFileSync(`${database}.private/local-token`, 'utf8').trim();
    expect(all.map((server) => findToken(server.out())).toSorted()).toEqual(['', '', stored]);
    for (const server of all) expect(await runCurlLine(server)).toEqual({ status: 'ok', data: [] });
  });
});

describe('settings of tenor serve', () => {
  test('HOST, PORT, API_TOKEN and DATABASE_URL are used', async () => {
    const port = String(findFreePort());
    const settings = {
      PORT: port,
      API_TOKEN: 'my.own~token-of-mine',
      HOST: 'localhost',
      SAMPLE_DATA: 'off',
    };
    const server = await start(settings);
    expect(server.address).toBe(`http://localhost:${port}`);
    expect(existsSync(database)).toBe(true);
    const response = await fetch(`${server.address}/2.0/bnb/quote`, {
      headers: { authorization: 'Bearer my.own~token-of-mine' },
    });
    expect(response.status).toBe(200);
    // The token of the operator is not printed, and no other is created.
    expect(server.out()).not.toContain('my.own~token');
    expect(findLink(server.out())).toBe(`${server.address}/`);
    expect(existsSync(`${database}.private/local-token`)).toBe(false);
    expect(await runCurlLine(server, settings)).toEqual({ status: 'ok', data: [] });
    const { err } = await server.stop().then(() => ({ err: server.err() }));
    expect(err).not.toContain('my.own~token');
    const [configured] = err
      .split('\n')
      .filter((line) => line.includes('"service.configured"'))
      .map((line) => JSON.parse(line));
    expect(configured).toMatchObject({
      ...{ version: VERSION, bun: Bun.version, pid: server.pid, engine: 'SQLite' },
      schema: expect.any(Number),
      settings: {
        ...{ HOST: 'localhost', PORT: port, WORKERS: '1', API_TOKEN: '(hidden)' },
        DATABASE_URL: `sqlite:${database}`,
      },
    });
  });

  test('an API_TOKEN of fewer than 16 characters is warned of on a loopback HOST, and rejected on any other', async () => {
    const API_TOKEN = 'fifteen-letters';
    const server = await start({ API_TOKEN, HOST: '127.0.0.1', SAMPLE_DATA: 'off' });
    expect(server.err()).toContain('tenor: API_TOKEN is shorter than 16 characters');
    expect(await runCurlLine(server, { API_TOKEN })).toEqual({ status: 'ok', data: [] });
    const env = { DATABASE_URL: `sqlite:${join(folder, 'other.db')}`, HOST: '0.0.0.0', API_TOKEN };
    const { status, out, err } = await runTenor(['serve'], env);
    expect([status, out]).toEqual([1, '']);
    expect(err).toMatch(/^tenor: API_TOKEN is shorter than 16 characters .*\n$/);
    expect(err).not.toContain(API_TOKEN);
    expect(existsSync(join(folder, 'other.db'))).toBe(false);
  });

  test('RATE_LIMIT is applied', async () => {
    const server = await start({ RATE_LIMIT: '1/hour', SAMPLE_DATA: 'off' });
    expect(await runCurlLine(server)).toMatchObject({ status: 'ok' });
    expect(await runCurlLine(server)).toEqual({ status: 'error', message: 'too_many_requests' });
  });

  test.each([
    ['PORT', '70000'],
    ['API_TOKEN', 'two words'],
  ])(
    'an invalid %s (%s) is rejected with one line that says what is allowed',
    async (name, value) => {
      const { status, out, err } = await runTenor(['serve'], {
        DATABASE_URL: `sqlite:${database}`,
        [name]: value,
      });
      expect([status, out]).toEqual([1, '']);
      expect(err).toMatch(new RegExp(`^tenor: ${name} must be .+\n$`));
      if (name === 'API_TOKEN') expect(err).not.toContain(value);
      expect(existsSync(database)).toBe(false);
    },
  );

  test('a port in use is rejected with one line', async () => {
    const server = await start({ SAMPLE_DATA: 'off' });
    const port = new URL(server.address).port;
    const { status, err } = await runTenor(['serve'], {
      DATABASE_URL: `sqlite:${database}`,
      SAMPLE_DATA: 'off',
      PORT: port,
    });
    expect(status).toBe(1);
    expect(err).toMatch(/^tenor: .*in use.*\n$/);
  });

  test.each(['192.0.2.1', 'nope.invalid'])(
    'HOST=%s of another machine is rejected with one line',
    async (host) => {
      const { status, err } = await runTenor(['serve'], {
        DATABASE_URL: `sqlite:${database}`,
        SAMPLE_DATA: 'off',
        PORT: '0',
        HOST: host,
      });
      expect(status).toBe(1);
      expect(err).toMatch(/^tenor: cannot listen on .*\n$/);
    },
  );

  test('a file that is not a database is rejected with one line', async () => {
    const file = join(folder, 'notes.txt');
    writeFileSync(file, 'not a database at all');
    const { status, err } = await runTenor(['serve'], { DATABASE_URL: `sqlite:${file}` });
    expect(status).toBe(1);
    expect(err).toMatch(/^tenor: .*notes\.txt.*\n$/);
    expect(readFileSync(file, 'utf8')).toBe('not a database at all');
  });
});

describe('a running server', () => {
  test.each(['SIGTERM', 'SIGINT', ...(isLinux ? (['SIGHUP'] as const) : [])] as const)(
    'stops on %s with status 0 within seconds',
    async (signal) => {
      const server = await start({ SAMPLE_DATA: 'off' });
      // An idle keep-alive connection must not delay it.
      await fetch(`${server.address}/openapi.json`);
      const { status, seconds } = await server.stop(signal);
      expect(status).toBe(0);
      expect(seconds).toBeLessThan(10);
      // A clean shutdown leaves no write-ahead log.
      expect(existsSync(`${database}-wal`)).toBe(false);
    },
  );

  test.if(isLinux)('goes on after SIGHUP if nohup started it', async () => {
    const server = await start({ SAMPLE_DATA: 'off' }, ['nohup', ...COMMAND, 'serve']);
    process.kill(server.pid, 'SIGHUP');
    // Handled in the order in which they arrive.
    expect(await server.stop('SIGTERM')).toMatchObject({ status: 0 });
    expect(server.err()).toContain('"service.stopping","signal":"SIGTERM"');
  });

  test('stops with status 0 when the signal arrives twice, as npm and a terminal send it', async () => {
    const server = await start({ SAMPLE_DATA: 'off' });
    process.kill(server.pid, 'SIGINT');
    expect((await server.stop('SIGINT')).status).toBe(0);
    expect(server.err()).toContain('service.stopped');
  });

  test('completes a response to a slow reader before it stops', async () => {
    // More than the socket buffers of both sides hold, so that part of it is still unsent.
    const publisher = (await openStore(`sqlite:${database}`, catalogue)).publisher();
    const text = '𝔸'.repeat(190);
    const records = Array.from({ length: 10_000 }, (_, index) =>
      quote({ symbol: `${text}${index}`, isin: text }),
    );
    await publishRecords(publisher, { dataset: quotes, records, source: 'test', author: 'test' });
    publisher.close();
    const server = await start({ SAMPLE_DATA: 'off' });
    const token = findToken(server.out());
    const reader = createSlowReader(server.address, '/2.0/bnb/quote?limit=10000', token);
    await reader.hasStarted;
    const stopped = server.stop();
    await retryUntil(30_000, async () => {
      await expect(fetch(server.address)).rejects.toThrow();
    });
    const response = await reader.readRest();
    const head = response.slice(0, response.indexOf('\r\n\r\n'));
    expect(Number(/content-length: (\d+)/i.exec(head)?.[1])).toBe(
      response.length - head.length - 4,
    );
    expect(JSON.parse(response.slice(head.length + 4)).data).toHaveLength(10_000);
    expect((await stopped).status).toBe(0);
  });
});
