import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { publishRecords } from '../../src/publish/publish-records.ts';
import { openStore } from '../../src/store/open-store.ts';
import { hashTokenSecret } from '../../src/tokens/token-secret.ts';
import { findFreePort } from '../support/free-port.ts';
import { quote } from '../support/quote-fixture.ts';
import { runTenor, spawnTenor, startTenorServer, type TenorServer } from '../support/run-tenor.ts';
import { createTempFolder } from '../support/store.ts';

let folder: string;
let database: string;
let servers: TenorServer[] = [];
beforeEach(() => {
  folder = createTempFolder();
  database = join(folder, 'deep', 'x.db');
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

/** Runs the curl line that a start prints, as somebody would who copies it. */
async function curlLine(
  server: TenorServer,
  settings: Record<string, string> = {},
): Promise<unknown> {
  const line = /curl .*/.exec(server.out())?.[0] ?? '';
  const child = Bun.spawn(['sh', '-c', `${line} --silent`], {
    env: { ...process.env, ...settings },
  });
  return new Response(child.stdout).json();
}

const tokenIn = (text: string) => /tenor_[\w-]+/.exec(text)?.[0] ?? '';

/** The link that a start prints for those who would rather look. */
const linkIn = (text: string) => /^Explorer: (\S+)$/m.exec(text)?.[1] ?? '';

describe('the first start', () => {
  test('prints a token and a curl line that answers with the latest quotes, and says it is made up', async () => {
    const server = await start({}, ['npm', 'start']);
    expect(server.out()).toContain('sample data');
    const body = await curlLine(server);
    expect(body).toMatchObject({ status: 'ok' });
    const { data } = body as { data: { date: string }[] };
    expect(data.length).toBeGreaterThan(0);
    expect(new Set(data.map(({ date }) => date))).toEqual(new Set(['2026-06-30']));
    // npm hands the signal on, so that stopping it stops the server.
    await server.stop('SIGTERM');
    expect(fetch(server.address)).rejects.toThrow();
  });

  test('prints a link to a page that signs in with what stands behind #', async () => {
    const server = await start({ SAMPLE_DATA: 'off' });
    const link = linkIn(server.out());
    expect(link).toBe(`${server.address}/#token=${tokenIn(server.out())}`);
    const page = await fetch(link);
    expect(page.headers.get('content-type')).toStartWith('text/html');
    expect(await page.text()).toContain('explorer/main.js');
  });

  test('keeps its token in a file that only its owner reads, and prints it again later', async () => {
    const first = await start({ SAMPLE_DATA: 'off' });
    const token = tokenIn(first.out());
    const file = `${database}.token`;
    expect(readFileSync(file, 'utf8').trim()).toBe(token);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await first.stop();
    const second = await start({ SAMPLE_DATA: 'off' });
    expect(tokenIn(second.out())).toBe(token);
    expect(await curlLine(second)).toEqual({ status: 'ok', data: [] });
  });

  test('keeps the digest of its token only', async () => {
    const server = await start({ SAMPLE_DATA: 'off' });
    const token = tokenIn(server.out());
    await server.stop();
    const stored = readFileSync(database).toString('latin1');
    expect(stored).toContain(hashTokenSecret(token));
    expect(stored).not.toContain(token);
  });

  test('with its token revoked says so, and makes no other', async () => {
    const settings = { DATABASE_URL: `sqlite:${database}`, SAMPLE_DATA: 'off' };
    await (await start(settings)).stop();
    const { out } = await runTenor(['token', 'list', '--json'], settings);
    const [{ id }] = JSON.parse(out);
    await runTenor(['token', 'revoke', id], settings);
    const server = await start(settings);
    expect(server.out()).toContain('revoked');
    expect(tokenIn(server.out())).toBe('');
    expect(linkIn(server.out())).toBe(`${server.address}/`);
  });

  test('takes its kept token up again where the database was removed, or is half written', async () => {
    const settings = { SAMPLE_DATA: 'off' };
    const first = await start(settings);
    await first.stop();
    rmSync(database);
    const second = await start(settings);
    expect(tokenIn(second.out())).toBe(tokenIn(first.out()));
    expect(await curlLine(second)).toEqual({ status: 'ok', data: [] });
    await second.stop();
    writeFileSync(`${database}.token`, '');
    const third = await start(settings);
    expect(await curlLine(third)).toEqual({ status: 'ok', data: [] });
  });

  test('by several at once makes one token that all of them print', async () => {
    const settings = { SAMPLE_DATA: 'off' };
    const all = await Promise.all([start(settings), start(settings), start(settings)]);
    expect(new Set(all.map((server) => tokenIn(server.out()))).size).toBe(1);
    for (const server of all) expect(await curlLine(server)).toEqual({ status: 'ok', data: [] });
  });

  test('with SAMPLE_DATA=off leaves the database empty', async () => {
    const server = await start({ SAMPLE_DATA: 'off' });
    expect(server.out()).not.toContain('sample data');
    expect(await curlLine(server)).toEqual({ status: 'ok', data: [] });
  });

  test('that is killed at any moment leaves nothing, or a database that the next one uses', async () => {
    for (const delayMs of [30, 120, 250, 400, 700, 1_000]) {
      const child = Bun.spawn(['bin/tenor', 'serve'], {
        env: { ...process.env, DATABASE_URL: `sqlite:${database}`, PORT: '0' },
        stdout: 'ignore',
        stderr: 'ignore',
      });
      await Bun.sleep(delayMs);
      child.kill('SIGKILL');
      await child.exited;
    }
    const server = await start();
    const body = (await curlLine(server)) as { data: object[] };
    expect(body.data).toHaveLength(5);
  });
});

describe('the settings', () => {
  test('HOST, PORT, API_TOKEN and DATABASE_URL are obeyed', async () => {
    const port = String(findFreePort());
    const settings = {
      PORT: port,
      API_TOKEN: 'my.own~token',
      HOST: 'localhost',
      SAMPLE_DATA: 'off',
    };
    const server = await start(settings);
    expect(server.address).toBe(`http://localhost:${port}`);
    expect(existsSync(database)).toBe(true);
    const asked = await fetch(`${server.address}/2.0/bnb/quote`, {
      headers: { authorization: 'Bearer my.own~token' },
    });
    expect(asked.status).toBe(200);
    // The operator's own token is not printed, and no other is made.
    expect(server.out()).not.toContain('my.own~token');
    expect(linkIn(server.out())).toBe(`${server.address}/`);
    expect(existsSync(`${database}.token`)).toBe(false);
    expect(await curlLine(server, settings)).toEqual({ status: 'ok', data: [] });
  });

  test('RATE_LIMIT is obeyed', async () => {
    const server = await start({ RATE_LIMIT: '1/hour', SAMPLE_DATA: 'off' });
    expect(await curlLine(server)).toMatchObject({ status: 'ok' });
    expect(await curlLine(server)).toEqual({ status: 'error', message: 'too_many_requests' });
  });

  test.each([
    ['PORT', 'http'],
    ['PORT', '70000'],
    ['HOST', 'a b'],
    ['DATABASE_URL', 'mysql://x'],
    ['DATABASE_URL', 'sqlite:'],
    ['API_TOKEN', 'two words'],
    ['SAMPLE_DATA', 'yes'],
    ['RATE_LIMIT', '10 per minute'],
  ])(
    'a wrong %s (%s) stops the start with one line that says what is allowed',
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

  test('a port that is taken stops the start with one line', async () => {
    const server = await start({ SAMPLE_DATA: 'off' });
    const port = new URL(server.address).port;
    const { status, err } = await runTenor(['serve'], {
      DATABASE_URL: `sqlite:${database}`,
      PORT: port,
    });
    expect(status).toBe(1);
    expect(err).toMatch(/^tenor: .*in use.*\n$/);
  });

  test.each(['192.0.2.1', 'nope.invalid'])(
    'HOST=%s, which is not here, is refused with one line',
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

  test('a password in DATABASE_URL is never shown', async () => {
    const settings = { DATABASE_URL: 'postgres://me:hush@127.0.0.1:1/db' };
    for (const [command, shown] of [
      ['serve', 'cannot reach 127.0.0.1:1/db'],
      ['settings', 'postgres://***@127.0.0.1:1/db'],
    ] as const) {
      const { out, err } = await runTenor([command], settings);
      expect(out + err).toContain(shown);
      expect(out + err).not.toContain('hush');
    }
  });

  test('a database that is not ours stops the start with one line', async () => {
    const file = join(folder, 'notes.txt');
    writeFileSync(file, 'not a database at all');
    const { status, err } = await runTenor(['serve'], { DATABASE_URL: `sqlite:${file}` });
    expect(status).toBe(1);
    expect(err).toMatch(/^tenor: .*notes\.txt.*\n$/);
    expect(readFileSync(file, 'utf8')).toBe('not a database at all');
  });
});

describe('a running server', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('stops on %s with status 0, soon', async (signal) => {
    const server = await start({ SAMPLE_DATA: 'off' });
    // A connection that is kept alive and idle must not hold it up.
    await fetch(`${server.address}/openapi.json`);
    const { status, seconds } = await server.stop(signal);
    expect(status).toBe(0);
    expect(seconds).toBeLessThan(10);
    // A clean end leaves one file: everything in the log is written into it.
    expect(existsSync(`${database}-wal`)).toBe(false);
  });

  test('stops in order when the signal comes with its greeting', async () => {
    // Whether the signal comes too early is a matter of microseconds: many try it at once.
    const ended = Array.from({ length: 16 }, async (_, index) => {
      const child = spawnTenor(['serve'], {
        DATABASE_URL: `sqlite:${database}${index}`,
        SAMPLE_DATA: 'off',
        PORT: '0',
      });
      await child.stdout.getReader().read();
      child.kill('SIGINT');
      return child.exited;
    });
    expect(new Set(await Promise.all(ended))).toEqual(new Set([0]));
  });

  test('stops in order when the signal comes twice, as npm and a terminal send it', async () => {
    const server = await start({ SAMPLE_DATA: 'off' });
    process.kill(server.pid, 'SIGINT');
    expect((await server.stop('SIGINT')).status).toBe(0);
    expect(server.err()).toContain('service.stopped');
  });

  test('sends a reply that is under way to its end, to a reader who is slow', async () => {
    // More than the sockets of both sides hold, so that part of it is still to be sent.
    const publisher = (await openStore(`sqlite:${database}`, catalogue)).publisher();
    const long = '𝔸'.repeat(190);
    const records = Array.from({ length: 10_000 }, (_, at) =>
      quote({ symbol: `${long}${at}`, isin: long }),
    );
    await publishRecords(publisher, { dataset: quotes, records, source: 'test', author: 'test' });
    publisher.close();
    const server = await start({ SAMPLE_DATA: 'off' });
    const authorization = `Authorization: Bearer ${tokenIn(server.out())}`;
    const reading = slowReader(server.address, '/2.0/bnb/quote?limit=10000', authorization);
    await reading.begun;
    const stopped = server.stop();
    await Bun.sleep(300);
    const reply = await reading.rest();
    const head = reply.slice(0, reply.indexOf('\r\n\r\n'));
    expect(Number(/content-length: (\d+)/i.exec(head)?.[1])).toBe(reply.length - head.length - 4);
    expect(JSON.parse(reply.slice(head.length + 4)).data).toHaveLength(10_000);
    expect((await stopped).status).toBe(0);
  });

  test('logs one line of JSON for each request on standard error, without any secret', async () => {
    const server = await start({ SAMPLE_DATA: 'off' });
    const token = tokenIn(server.out());
    await curlLine(server);
    await fetch(`${server.address}/2.0/bnb/quote`, {
      headers: { authorization: 'Bearer wrong-one' },
    });
    await server.stop();
    const lines = server
      .err()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.filter(({ event }) => event === 'request')).toMatchObject([
      { route: '/2.0/bnb/quote', status: 200, token: expect.stringMatching(/^tk_/), revision: 0 },
      { route: '/2.0/bnb/quote', status: 401, token: null },
    ]);
    for (const secret of [
      token,
      hashTokenSecret(token),
      'wrong-one',
      hashTokenSecret('wrong-one'),
    ]) {
      expect(server.err()).not.toContain(secret);
    }
  });
});

/** Asks, stops reading at the first bytes of the reply, and reads the rest when it is told to. */
function slowReader(address: string, target: string, header: string) {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.setEncoding('latin1');
  const begun = new Promise<void>((resolve) => {
    socket.once('data', (chunk) => {
      text += chunk;
      socket.pause();
      resolve();
    });
  });
  socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${header}\r\n\r\n`);
  const rest = () =>
    new Promise<string>((resolve, reject) => {
      socket.on('data', (piece) => {
        text += piece;
      });
      socket.on('end', () => resolve(text)).on('error', reject);
      socket.resume();
    });
  return { begun, rest };
}
