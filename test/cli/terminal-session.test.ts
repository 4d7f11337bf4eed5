import { afterEach, beforeEach, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runTenor, runTenorInTerminal } from '../support/run-tenor.ts';
import { createEmptyDatabase, createTempFolder } from '../support/store.ts';

let folder: string;
let env: Record<string, string>;
beforeEach(async () => {
  folder = createTempFolder();
  await createEmptyDatabase(join(folder, 'x.db'));
  env = { DATABASE_URL: `sqlite:${join(folder, 'x.db')}`, USER: 'ann' };
});
afterEach(() => rmSync(folder, { recursive: true }));

const SERIES = 'online-banking-annual-volume';

function csvFile(): string {
  const path = join(folder, 'years.csv');
  writeFileSync(path, 'year,cash_wtl,cash_deposit,funds_transfer,total\n2024,5,1,1,7\n');
  return path;
}

test('tenor load on a terminal draws a progress bar, clears it and publishes', async () => {
  const { status, screen } = await runTenorInTerminal(['load', SERIES, csvFile()], env);
  expect(screen).toContain('100 %');
  expect(screen).toContain('\r\u001b[K');
  expect(screen).toContain('Published revision 1: 1 added');
  expect(status).toBe(0);
});

test('tenor load without a terminal draws no progress bar', async () => {
  const { status, err } = await runTenor(['load', SERIES, csvFile()], env);
  expect(err).toBe('');
  expect(status).toBe(0);
});
