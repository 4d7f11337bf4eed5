import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashTokenSecret } from '../../src/tokens/token-secret.ts';
import { VERSION } from '../../src/version.ts';
import { findFreePort } from '../support/free-port.ts';
import { runTenor } from '../support/run-tenor.ts';
import {
  findLink,
  findToken,
  runCurlLine,
  useServingWorkspace,
} from '../support/serving-workspace.ts';

const { workspace, start } = useServingWorkspace();

test('tenor serve prints a token, a curl line, a link, and how to load data, and keeps the digest of the token', async () => {
  const server = await start();
  expect(await runCurlLine(server)).toEqual({ status: 'ok', data: [] });
  expect(server.out()).toContain('The database is empty. To publish data: tenor load quotes FILE');
  const link = findLink(server.out());
  // What is no terminal may be kept as a log, and copied from there.
  expect(link).toBe(`${server.address}/`);
  const page = await fetch(link);
  expect(page.headers.get('content-type')).toStartWith('text/html');
  expect(await page.text()).toContain('explorer/main.js');
  const token = findToken(server.out());
  const file = `${workspace.database}.private/local-token`;
  expect(readFileSync(file, 'utf8').trim()).toBe(token);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect((await server.stop()).status).toBe(0);
  const stored = readFileSync(`${workspace.database}.private/tokens`).toString('latin1');
  expect(stored).toContain(hashTokenSecret(token));
  expect(stored).not.toContain(token);
});

describe('settings of tenor serve', () => {
  test('HOST, PORT, API_TOKEN, RATE_LIMIT and DATABASE_URL are used', async () => {
    const port = String(findFreePort());
    const settings = {
      PORT: port,
      API_TOKEN: 'my.own~token-of-mine',
      HOST: 'localhost',
      RATE_LIMIT: '2/hour',
    };
    const server = await start(settings);
    expect(server.address).toBe(`http://localhost:${port}`);
    expect(existsSync(workspace.database)).toBe(true);
    const response = await fetch(`${server.address}/2.0/bnb/quote`, {
      headers: { authorization: 'Bearer my.own~token-of-mine' },
    });
    expect(response.status).toBe(200);
    // The token of the operator is not printed, and no other is created.
    expect(server.out()).not.toContain('my.own~token');
    expect(findLink(server.out())).toBe(`${server.address}/`);
    expect(existsSync(`${workspace.database}.private/local-token`)).toBe(false);
    expect(await runCurlLine(server, settings)).toEqual({ status: 'ok', data: [] });
    expect(await runCurlLine(server, settings)).toMatchObject({ message: 'too_many_requests' });
    const { err } = await server.stop().then(() => ({ err: server.err() }));
    expect(err).not.toContain('my.own~token');
    const [configured] = err
      .split('\n')
      .filter((line) => line.includes('"service.configured"'))
      .map((line) => JSON.parse(line));
    expect(configured).toMatchObject({
      version: VERSION,
      bun: Bun.version,
      pid: server.pid,
      engine: 'SQLite',
      schema: expect.any(Number),
      settings: {
        HOST: 'localhost',
        PORT: port,
        WORKERS: '1',
        API_TOKEN: '(hidden)',
        DATABASE_URL: `sqlite:${workspace.database}`,
      },
    });
  });

  test('an API_TOKEN of fewer than 16 characters is warned of on a loopback HOST, and rejected on any other', async () => {
    const API_TOKEN = 'fifteen-letters';
    const server = await start({ API_TOKEN, HOST: '127.0.0.1' });
    expect(server.err()).toContain('tenor: API_TOKEN is shorter than 16 characters');
    expect(await runCurlLine(server, { API_TOKEN })).toEqual({ status: 'ok', data: [] });
    const env = {
      DATABASE_URL: `sqlite:${join(workspace.folder, 'other.db')}`,
      HOST: '0.0.0.0',
      API_TOKEN,
    };
    const { status, out, err } = await runTenor(['serve'], env, { isRejected: true });
    expect([status, out]).toEqual([1, '']);
    expect(err).toMatch(/^tenor: API_TOKEN is shorter than 16 characters .*\n$/);
    expect(err).not.toContain(API_TOKEN);
    expect(existsSync(join(workspace.folder, 'other.db'))).toBe(false);
  });

  test.each([
    ['PORT', '70000'],
    ['API_TOKEN', 'two words'],
  ])(
    'an invalid %s (%s) is rejected with one line that says what is allowed',
    async (name, value) => {
      const env = { DATABASE_URL: `sqlite:${workspace.database}`, [name]: value };
      const { status, out, err } = await runTenor(['serve'], env, { isRejected: true });
      expect([status, out]).toEqual([1, '']);
      expect(err).toMatch(new RegExp(`^tenor: ${name} must be .+\n$`));
      if (name === 'API_TOKEN') expect(err).not.toContain(value);
      expect(existsSync(workspace.database)).toBe(false);
    },
  );

  test('a port in use is rejected with one line', async () => {
    const other = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() });
    const { status, err } = await runTenor(['serve'], {
      DATABASE_URL: `sqlite:${workspace.database}`,
      SAMPLE_DATA: 'off',
      PORT: String(other.port),
    });
    await other.stop(true);
    expect(status).toBe(1);
    expect(err).toMatch(/^tenor: .*in use.*\n$/);
  });

  test.each(['192.0.2.1', 'nope.invalid'])(
    'HOST=%s of another machine is rejected with one line',
    async (host) => {
      const { status, err } = await runTenor(['serve'], {
        DATABASE_URL: `sqlite:${workspace.database}`,
        SAMPLE_DATA: 'off',
        PORT: '0',
        HOST: host,
      });
      expect(status).toBe(1);
      expect(err).toMatch(/^tenor: cannot listen on .*\n$/);
    },
  );

  test('a file that is not a database is rejected with one line', async () => {
    const file = join(workspace.folder, 'notes.txt');
    writeFileSync(file, 'not a database at all');
    const env = { DATABASE_URL: `sqlite:${file}` };
    const { status, err } = await runTenor(['serve'], env, { isRejected: true });
    expect(status).toBe(1);
    expect(err).toMatch(/^tenor: .*notes\.txt.*\n$/);
    expect(readFileSync(file, 'utf8')).toBe('not a database at all');
  });
});
