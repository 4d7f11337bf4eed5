import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  atmTransactionsAnnualVolume as atm,
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
  // Each run says so, not only the one that has tried.
  for (const _ of [1, 2]) {
    const { status, out, err } = await run('publish', '--due');
    expect({ status, out }).toEqual({ status: 1, out: '' });
    expect(err).toMatch(/candidate 1: its instant has passed, and it is left alone: .*is stale/);
    expect(err).toContain('candidate 2: its instant has passed, and it is left alone: waits for');
    expect(err).toContain('2 candidates could not be published');
  }
  await run('candidate', 'show', '1', '--changes');
  await run('candidate', 'approve', '1');
  const { status, out } = await run('publish', '--due');
  expect(status).toBe(0);
  expect(out).toContain('Candidate 1 is published as revision 2');
  expect(out).toContain('Candidate 2 is published as revision 3');
});

test('publish --due names an overdue bundle whose other part was withdrawn or replaced, and why it is left', async () => {
  const dueMs = Date.now() + 4_000;
  const staging = ['--stage', '--at', new Date(dueMs).toISOString(), '--bundle', 'june'];
  const { cash_wtl, total } = online.example;
  const correct = (by: number) => ({
    ...online.example,
    cash_wtl: cash_wtl + by,
    total: total + by,
  });
  await load(ivr, ivr.example, ...staging);
  await load(online, online.example, ...staging);
  await load(atm, atm.example, ...staging);
  await load(online, correct(1));
  await Bun.sleep(dueMs - Date.now());
  const tried = await run('publish', '--due');
  expect(tried.err).toMatch(/candidate 1, 2, 3: nothing was published: candidate 2 is stale/);
  const later = ['--stage', '--at', new Date(Date.now() + 3_600_000).toISOString()];
  await load(online, correct(2), ...later, '--instead-of', '2');
  const left = await run('publish', '--due');
  expect(left).toMatchObject({ status: 1, out: '' });
  for (const id of [1, 3])
    expect(left.err).toContain(
      `candidate ${id}: its instant has passed, and it is left alone: candidate 2 of its bundle was withdrawn: look at it again`,
    );
  expect(left.err).not.toContain('candidate 2 is stale');
  await run('candidate', 'withdraw', '3');
  const listed = JSON.parse((await run('candidate', 'list', '--json')).out);
  expect(listed.map((each: { id: number; problem?: string }) => [each.id, each.problem])).toEqual([
    [1, expect.stringContaining('candidate 3 of its bundle was withdrawn')],
    [4, undefined],
  ]);
  await run('candidate', 'approve', '1');
  const { status, out } = await run('publish', '--due');
  expect({ status, out }).toEqual({
    status: 0,
    out: expect.stringMatching(/^Candidate 1 is published as revision 2, .* s late\.\n$/),
  });
});

test('publish --due publishes what it can of one instant if one of its candidates is left', async () => {
  const dueMs = Date.now() + 3_000;
  const staging = ['--stage', '--at', new Date(dueMs).toISOString()];
  await load(online, online.example, ...staging);
  await load(ivr, ivr.example, ...staging);
  await load(atm, atm.example, ...staging);
  await run('review', 'require', ivr.name, '1');
  await Bun.sleep(dueMs - Date.now());
  const { status, out, err } = await run('publish', '--due');
  expect(status).toBe(1);
  expect(out).toMatch(/^Candidate 1 is .*revision 1.*\nCandidate 3 is .*revision 2.*\n$/);
  expect(err).toContain('candidate 2 needs 1 more approval');
  expect(err).toContain('1 candidate could not be published');
});

test('the head of a revision names the accounts that released it before the author that somebody claims', async () => {
  await load(online, online.example, '--stage', '--author', 'mallory');
  await run('review', 'require', online.name, '2');
  await run('candidate', 'publish', '1', '--urgent', 'The law');
  const { stagedBy } = JSON.parse((await run('candidate', 'show', '1', '--json')).out);
  const [head] = (await run('revisions', '1')).out.split('\n');
  expect(head).toEndWith(` by ${stagedBy}, urgently (The law), staged by ${stagedBy}, for mallory`);
  await load(ivr, ivr.example, '--author', 'mallory', '--note', 'A note');
  expect((await run('revisions', '2')).out).toMatch(
    /^Revision 2 of \S+, published \S+ by mallory\n/,
  );
});
