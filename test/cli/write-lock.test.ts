import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { publishRecords } from '../../src/publish/publish-records.ts';
import { openStore, StoreUnavailableError } from '../../src/store/open-store.ts';
import { quote } from '../support/quote-fixture.ts';
import { runTenor, spawnTenor, startTenorServer } from '../support/run-tenor.ts';
import { createTempFolder } from '../support/store.ts';

// Each test starts the command several times, on a machine that may have other things to do.
setDefaultTimeout(60_000);

const WAITING = 'tenor: waiting for another publisher to finish\n';

let folder: string;
let env: Record<string, string>;
let letGo: () => Promise<void>;
beforeEach(() => {
  folder = createTempFolder();
  env = { DATABASE_URL: `sqlite:${join(folder, 'x.db')}`, SAMPLE_DATA: 'off', TMPDIR: folder };
  letGo = async () => {};
});
afterEach(async () => {
  await letGo();
  rmSync(folder, { recursive: true });
});

/** Holds the database as a load does, until it is let go. */
async function hold(): Promise<void> {
  const publisher = (await openStore(env.DATABASE_URL ?? '', catalogue)).publisher();
  const held = Promise.withResolvers<void>();
  const isHeld = Promise.withResolvers<void>();
  const work = publisher.transaction(async (transaction) => {
    const records = [quote({ symbol: 'HELD' })];
    await publishRecords(transaction, { dataset: quotes, records, source: 'held', author: 'test' });
    isHeld.resolve();
    await held.promise;
  });
  letGo = async () => {
    letGo = async () => {};
    held.resolve();
    await work;
    publisher.close();
  };
  await isHeld.promise;
}

/** Starts a command that has to wait, and comes back when it says so. */
async function waiting(...args: string[]) {
  const child = spawnTenor(args, env);
  const err = child.stderr.getReader();
  const text = async () => new TextDecoder().decode((await err.read()).value);
  expect(await text()).toBe(WAITING);
  return { child, text, out: () => new Response(child.stdout).text() };
}

const made = async (name: string) =>
  JSON.parse((await runTenor(['token', 'create', '--name', name, '--json'], env)).out);

describe('while a load holds the database', () => {
  test('a server that has nothing to write starts, and answers', async () => {
    await (await startTenorServer(env)).stop();
    await hold();
    const server = await startTenorServer(env);
    const [, token] = /Token: (\S+)/.exec(server.out()) ?? [];
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${server.address}/2.0/bnb/quotes`, { headers });
    expect(await response.json()).toEqual({ status: 'ok', data: [] });
    expect(server.err()).not.toContain('waiting');
    expect((await server.stop()).status).toBe(0);
  });

  test.each([
    ['its token', {}],
    ['its token and the sample', { SAMPLE_DATA: 'on' }],
  ])('a server that has %s to write waits, says so, and then starts', async (_, settings) => {
    Object.assign(env, settings, { PORT: '0' });
    await hold();
    const { child } = await waiting('serve');
    await letGo();
    const greeting = await child.stdout.getReader().read();
    expect(new TextDecoder().decode(greeting.value)).toContain('listening on http://');
    child.kill();
    expect(await child.exited).toBe(0);
  });

  test('a server that has the schema to bring up to date waits as well', async () => {
    await (await startTenorServer(env)).stop();
    using database = new Database(join(folder, 'x.db'));
    database.run('DROP INDEX quotes_now_by_isin');
    database.run('BEGIN IMMEDIATE');
    const { child } = await waiting('serve');
    await Bun.sleep(1_000);
    expect(child.exitCode).toBeNull();
    database.run('COMMIT');
    const greeting = await child.stdout.getReader().read();
    expect(new TextDecoder().decode(greeting.value)).toContain('listening on http://');
    child.kill();
    expect(await child.exited).toBe(0);
  });

  test('tokens are listed at once, and made, rotated and revoked when it is done', async () => {
    const { id } = await made('a');
    const other = await made('b');
    await hold();
    expect((await runTenor(['token', 'list'], env)).out).toContain(id);
    const commands = await Promise.all([
      waiting('token', 'revoke', id),
      waiting('token', 'rotate', other.id),
      waiting('token', 'create', '--name', 'c'),
    ]);
    await letGo();
    expect(await Promise.all(commands.map(({ child }) => child.exited))).toEqual([0, 0, 0]);
    const listed = JSON.parse((await runTenor(['token', 'list', '--json'], env)).out);
    const states = listed.map(({ name, state }: Record<string, string>) => `${name} ${state}`);
    expect(states.toSorted()).toEqual(['a revoked', 'b live', 'b revoked', 'c live']);
  });

  test('a running server never waits to write down when a token was used', async () => {
    const { id } = await made('a');
    await hold();
    const tokens = (await openStore(env.DATABASE_URL ?? '', catalogue)).tokens();
    const started = performance.now();
    const touched = tokens.recordLastUsed(new Map([[id, new Date().toISOString()]]));
    await expect(touched).rejects.toBeInstanceOf(StoreUnavailableError);
    expect(performance.now() - started).toBeLessThan(5_000);
    tokens.close();
  });

  test.each(['SIGINT', 'SIGTERM'] as const)(
    '%s ends the wait of a token at once',
    async (signal) => {
      const { id } = await made('a');
      await hold();
      const { child } = await waiting('token', 'revoke', id);
      child.kill(signal);
      await child.exited;
      expect(child.signalCode).toBe(signal);
      await letGo();
      expect((await runTenor(['token', 'list'], env)).out).toMatch(/ a +live /);
    },
  );

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s ends the wait of a load at once, with status %d', async (signal, status) => {
    const path = join(folder, 'a.json');
    writeFileSync(path, JSON.stringify([quote({ symbol: 'LATE' })]));
    await hold();
    const { child, text } = await waiting('load', 'quotes', path);
    child.kill(signal);
    expect(await text()).toBe('tenor: interrupted; nothing was published\n');
    expect(await child.exited).toBe(status);
    await letGo();
    expect((await runTenor(['export', 'quotes'], env)).out).not.toContain('LATE');
  });
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s ends the reading of standard input at once', async (signal, status) => {
  const child = Bun.spawn(['bin/tenor', 'load', 'quotes', '-'], {
    env: { ...process.env, ...env },
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  child.stdin.write('[');
  child.stdin.flush();
  // Once there is a temporary file, what comes is being read into it.
  while (!readdirSync(folder).some((name) => name.startsWith('tenor-'))) await Bun.sleep(10);
  await Bun.sleep(100);
  child.kill(signal);
  expect(await child.exited).toBe(status);
  expect(await new Response(child.stderr).text()).toBe(
    'tenor: interrupted; nothing was published\n',
  );
  expect(readdirSync(folder)).toEqual([]);
});
