import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ivrBankingAnnualValue as ivr,
  onlineBankingAnnualVolume as online,
} from '../../src/catalogue/datasets/series/index.ts';
import { runTenor } from '../support/run-tenor.ts';
import { createEmptyDatabase, createTempFolder } from '../support/store.ts';

setDefaultTimeout(60_000);

let folder: string;
beforeEach(async () => {
  folder = createTempFolder();
  await createEmptyDatabase(join(folder, 'x.db'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const run = (...args: string[]) =>
  runTenor(args, { DATABASE_URL: `sqlite:${join(folder, 'x.db')}` });

async function load(dataset: { readonly name: string }, record: object, ...options: string[]) {
  const path = join(folder, 'a.json');
  writeFileSync(path, JSON.stringify([record]));
  return run('load', dataset.name, path, ...options);
}

test('publish --due leaves a bundle alone until somebody looked at each candidate that was not published', async () => {
  const dueMs = Date.now() + 3_000;
  const staging = ['--stage', '--at', new Date(dueMs).toISOString(), '--bundle', 'june'];
  const { cash_wtl, total } = online.example;
  const corrected = { ...online.example, cash_wtl: cash_wtl + 1, total: total + 1 };
  await load(online, online.example, ...staging);
  await load(ivr, ivr.example, ...staging);
  await load(online, corrected);
  await Bun.sleep(dueMs - Date.now());
  expect(await run('publish', '--due')).toMatchObject({ status: 1, out: '' });
  await run('candidate', 'approve', '2');
  expect(await run('publish', '--due')).toEqual({ status: 0, out: '', err: '' });
  await run('candidate', 'show', '1', '--changes');
  await run('candidate', 'approve', '1');
  const { status, out } = await run('publish', '--due');
  expect(status).toBe(0);
  expect(out).toContain('Candidate 1 is published as revision 2');
  expect(out).toContain('Candidate 2 is published as revision 3');
});
