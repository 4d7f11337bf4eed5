import { expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { startTenorServer } from '../../support/run-tenor.ts';
import { createTempFolder } from '../../support/store.ts';

test('npm start publishes the sample in an empty database, and says so', async () => {
  const folder = createTempFolder();
  const API_TOKEN = 'a-token-of-the-operator';
  const settings = { DATABASE_URL: `sqlite:${join(folder, 'x.db')}`, API_TOKEN };
  const server = await startTenorServer(settings, ['npm', 'start']);
  expect(server.out()).toContain('sample data');
  const headers = { authorization: `Bearer ${API_TOKEN}` };
  const response = await fetch(`${server.address}/2.0/bnb/quote`, { headers });
  const { data } = (await response.json()) as { data: { date: string }[] };
  expect(new Set(data.map(({ date }) => date))).toEqual(new Set(['2026-06-30']));
  await server.stop('SIGTERM');
  rmSync(folder, { recursive: true });
});
