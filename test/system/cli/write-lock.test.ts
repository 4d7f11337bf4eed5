import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quotes } from '../../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../../src/catalogue/index.ts';
import { publishRecords } from '../../../src/publish/publish-records.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { retryUntil } from '../../support/eventually.ts';
import { quote } from '../../support/quote-fixture.ts';
import { runTenor, spawnTenor, startTenorServer } from '../../support/run-tenor.ts';
import { spawnChild } from '../../support/spawn-child.ts';
import { createEmptyDatabase, createTempFolder } from '../../support/store.ts';

// Each test starts the command several times, on a machine that may be busy.
setDefaultTimeout(120_000);

const WAITING = 'tenor: waiting for another publisher to finish\n';

let folder: string;
let env: Record<string, string>;
let releaseLock: () => Promise<void>;
beforeEach(async () => {
  folder = createTempFolder();
  await createEmptyDatabase(join(folder, 'x.db'));
  env = { DATABASE_URL: `sqlite:${join(folder, 'x.db')}`, SAMPLE_DATA: 'off', TMPDIR: folder };
  releaseLock = async () => {};
});
afterEach(async () => {
  await releaseLock();
  rmSync(folder, { recursive: true });
});

/** Holds the write lock as a load does, until `releaseLock`. */
async function acquireLock(): Promise<void> {
  const publisher = (await openStore(env.DATABASE_URL ?? '', catalogue)).publisher();
  const released = Promise.withResolvers<void>();
  const acquired = Promise.withResolvers<void>();
  const transaction = publisher.transaction(async (publication) => {
    const records = [quote({ symbol: 'HELD' })];
    await publishRecords(publication, { dataset: quotes, records, source: 'held', author: 'test' });
    acquired.resolve();
    await released.promise;
  });
  releaseLock = async () => {
    releaseLock = async () => {};
    released.resolve();
    await transaction;
    publisher.close();
  };
  await acquired.promise;
}

/** Starts a command that has to wait, and returns when it says so. */
async function startWaiting(...args: string[]) {
  const child = spawnTenor(args, env);
  const err = child.stderr.getReader();
  const readStderr = async () => new TextDecoder().decode((await err.read()).value);
  expect(await readStderr()).toBe(WAITING);
  return { child, readStderr };
}

const createToken = async (name: string) =>
  JSON.parse((await runTenor(['token', 'create', '--name', name, '--json'], env)).out);

describe('while a load holds the write lock', () => {
  test('a server that has nothing to write starts and responds', async () => {
    await (await startTenorServer(env)).stop();
    await acquireLock();
    const server = await startTenorServer(env);
    const token = readFileSync(join(folder, 'x.db.private/local-token'), 'utf8').trim();
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${server.address}/2.0/bnb/quotes`, { headers });
    expect(await response.json()).toEqual({ status: 'ok', data: [] });
    expect(server.err()).not.toContain('waiting');
    expect((await server.stop()).status).toBe(0);
  });

  test('a server that has to write the sample prints that it waits, and then starts', async () => {
    Object.assign(env, { SAMPLE_DATA: 'on', PORT: '0' });
    await acquireLock();
    const { child } = await startWaiting('serve');
    await releaseLock();
    const greeting = await child.stdout.getReader().read();
    expect(new TextDecoder().decode(greeting.value)).toContain('listening on http://');
    child.kill();
    expect(await child.exited).toBe(0);
  });

  test('a server that has to migrate the schema waits', async () => {
    await (await startTenorServer(env)).stop();
    using database = new Database(join(folder, 'x.db'));
    database.run('DROP INDEX quotes_now_by_isin');
    database.run('BEGIN IMMEDIATE');
    const { child } = await startWaiting('serve');
    expect(child.exitCode).toBeNull();
    database.run('COMMIT');
    const greeting = await child.stdout.getReader().read();
    expect(new TextDecoder().decode(greeting.value)).toContain('listening on http://');
    child.kill();
    expect(await child.exited).toBe(0);
  });

  test('tokens are created, listed, rotated and revoked at once', async () => {
    const { id } = await createToken('a');
    const other = await createToken('b');
    await acquireLock();
    const commands = [['revoke', id], ['rotate', other.id], ['create', '--name', 'c'], ['list']];
    for (const args of commands)
      expect(await runTenor(['token', ...args], env)).toMatchObject({ status: 0, err: '' });
    const tokens = JSON.parse((await runTenor(['token', 'list', '--json'], env)).out);
    const states = tokens.map(({ name, state }: Record<string, string>) => `${name} ${state}`);
    expect(states.toSorted()).toEqual(['a revoked', 'b live', 'b revoked', 'c live']);
  });

  test('a running server records the last use of a token', async () => {
    const { id } = await createToken('a');
    await acquireLock();
    const tokens = (await openStore(env.DATABASE_URL ?? '', catalogue)).tokens();
    const lastUsedAt = new Date().toISOString();
    await tokens.recordLastUsed(new Map([[id, lastUsedAt]]));
    expect(await tokens.all()).toMatchObject([{ id, lastUsedAt }]);
    tokens.close();
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s ends the wait of a load at once with status %d', async (signal, status) => {
    const path = join(folder, 'a.json');
    writeFileSync(path, JSON.stringify([quote({ symbol: 'LATE' })]));
    await acquireLock();
    const { child, readStderr } = await startWaiting('load', 'quotes', path);
    child.kill(signal);
    expect(await readStderr()).toBe('tenor: interrupted; nothing was published\n');
    expect(await child.exited).toBe(status);
    await releaseLock();
    expect((await runTenor(['export', 'quotes'], env)).out).not.toContain('LATE');
  });
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s ends a load from standard input at once', async (signal, status) => {
  const child = spawnChild(['bin/tenor', 'load', 'quotes', '-'], {
    env: { ...process.env, ...env },
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  child.stdin.write('[');
  child.stdin.flush();
  // Standard input is being read once its first byte is in a temporary file.
  await retryUntil(20_000, async () => {
    const spool = readdirSync(folder).find((name) => name.startsWith('tenor-')) ?? 'none';
    expect(readFileSync(join(folder, spool, 'data'), 'utf8')).toBe('[');
  });
  child.kill(signal);
  expect(await child.exited).toBe(status);
  expect(await new Response(child.stderr).text()).toBe(
    'tenor: interrupted; nothing was published\n',
  );
  expect(readdirSync(folder).toSorted()).toEqual(['x.db', 'x.db.private']);
});
