import { afterEach, beforeEach, expect, test } from 'bun:test';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { spawnTenor, startTenorServer } from '../../support/run-tenor.ts';
import { spawnChild } from '../../support/spawn-child.ts';
import { createTempFolder } from '../../support/store.ts';

let folder: string;
beforeEach(() => {
  folder = createTempFolder();
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a server starts after earlier first starts were killed at any moment', async () => {
  const path = join(folder, 'x.db');
  const DATABASE_URL = `sqlite:${path}`;
  for (const delayMs of [30, 120, 250, 400, 700, 1_000]) {
    const child = spawnChild(['bin/tenor', 'serve'], {
      env: { ...process.env, DATABASE_URL, PORT: '0' },
      stdout: 'ignore',
      stderr: 'ignore',
    });
    await Bun.sleep(delayMs);
    child.kill('SIGKILL');
    await child.exited;
  }
  const server = await startTenorServer({ DATABASE_URL });
  const token = readFileSync(`${path}.private/local-token`, 'utf8').trim();
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${server.address}/2.0/bnb/quote?limit=5`, { headers });
  const body = (await response.json()) as { data: object[] };
  expect(body.data).toHaveLength(5);
  await server.stop('SIGKILL');
});

test('a server stops with status 0 when the signal arrives with its greeting', async () => {
  // Whether the signal comes too early depends on microseconds, so many try it at once.
  const exits = Array.from({ length: 16 }, async (_, index) => {
    const child = spawnTenor(['serve'], {
      DATABASE_URL: `sqlite:${join(folder, `${index}.db`)}`,
      SAMPLE_DATA: 'off',
      PORT: '0',
    });
    await child.stdout.getReader().read();
    child.kill('SIGINT');
    return child.exited;
  });
  expect(new Set(await Promise.all(exits))).toEqual(new Set([0]));
});
