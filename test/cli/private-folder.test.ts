import { expect, test } from 'bun:test';
import { copyFileSync, cpSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { runTenor } from '../support/run-tenor.ts';
import { checkpoint } from '../support/store.ts';
import { createPublishingWorkspace, ONLINE } from './publishing-workspace.ts';

const { workspace, run, writeYears, publish } = createPublishingWorkspace();

test('the database and its folder are a whole copy, by which the publisher goes on', async () => {
  const state = join(workspace.folder, 'state.json');
  await publish(writeYears('a.csv', { 2023: 5 }));
  await run('token', 'create', '--name', 'ann');
  expect((await run('verify', '--state', state)).status).toBe(0);
  const copy = join(workspace.folder, 'copy.db');
  // As the last process that uses it does.
  checkpoint(join(workspace.folder, 'x.db'));
  copyFileSync(join(workspace.folder, 'x.db'), copy);
  cpSync(join(workspace.folder, 'x.db.private'), `${copy}.private`, { recursive: true });
  const runOnCopy = (...args: string[]) => runTenor(args, { DATABASE_URL: `sqlite:${copy}` });
  expect((await runOnCopy('token', 'list')).out).toContain('ann');
  const loaded = await runOnCopy('load', ONLINE, writeYears('b.csv', { 2024: 6 }));
  expect([loaded.status, loaded.err]).toEqual([0, '']);
  const verified = await runOnCopy('verify', '--state', state);
  expect([verified.status, verified.err]).toEqual([0, '']);
  expect((await runOnCopy('check')).status).toBe(0);
});

test('a database without its folder is used by no command, which says what is missing and how to go on', async () => {
  await publish(writeYears('a.csv', { 2023: 5 }));
  const folder = join(workspace.folder, 'x.db.private');
  renameSync(folder, join(workspace.folder, 'lost'));
  const change = writeYears('b.csv', { 2024: 6 });
  const backup = join(workspace.folder, 'backup.db');
  const commands = [['serve'], ['load', ONLINE, change], ['token', 'list'], ['backup', backup]];
  for (const command of commands)
    expect([command, await runTenor(command, workspace.env, { isRejected: true })]).toEqual([
      command,
      {
        status: 1,
        out: '',
        err: `tenor: cannot use ${join(workspace.folder, 'x.db')} as the database: the folder ${folder} is missing, which has its tokens and the private key of its ledger. Copy it from where the database is from, or from a backup. If it is lost, make an empty one (mkdir -m 700), issue new tokens, and let a new log begin: tenor ledger restart --lost-key\n`,
      },
    ]);
  mkdirSync(folder, { mode: 0o700 });
  expect((await run('load', ONLINE, change)).err).toContain('tenor ledger restart --lost-key');
  expect((await run('ledger', 'restart', '--lost-key')).status).toBe(0);
  expect((await run('load', ONLINE, change)).status).toBe(0);
});
