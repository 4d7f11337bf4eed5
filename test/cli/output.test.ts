import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createPublishingWorkspace, ONLINE } from './publishing-workspace.ts';

const { workspace, run, writeFile, writeYears, publish } = createPublishingWorkspace();

const ROOT = join(import.meta.dirname, '../..');

test('with --json every error is printed as JSON too', async () => {
  await publish(writeYears('a.csv', { 2023: 5 }));
  const invalid = writeFile('invalid.json', '{"colums": {}}');
  const cases: [string[], number][] = [
    [['revert', '999'], 1],
    [['revert', 'last'], 2],
    [['retire', ONLINE, '1999'], 1],
    [['retire', ONLINE], 2],
    [['load', ONLINE, join(workspace.folder, 'none.csv')], 1],
    [['load', ONLINE, join(workspace.folder, 'a.csv'), '--mapping', invalid], 2],
    [['load', ONLINE, join(workspace.folder, 'a.csv'), '--colour'], 2],
    [['load', ONLINE, writeYears('b.csv', { 2024: 'x' })], 1],
  ];
  const results = await Promise.all(cases.map(([args]) => run(...args, '--json')));
  for (const [index, [, status]] of cases.entries()) {
    const { out, err, ...rest } = results[index] ?? { out: '', err: '' };
    expect(rest).toEqual({ status });
    const { status: outcome, message } = JSON.parse(out);
    expect(outcome).toBe('refused');
    // They run concurrently, so that one may have printed that it waits for another.
    expect(err).toEndWith(`tenor: ${message}\n`);
  }
});

test.skipIf(!existsSync('/dev/full'))(
  'standard output on a full disk is reported with exit status 1',
  async () => {
    await publish(writeYears('a.csv', { 2023: 5 }));
    const env = { ...process.env, ...workspace.env };
    for (const command of [`export ${ONLINE}`, 'check', 'revisions --json']) {
      const shell = ['sh', '-c', `bin/tenor ${command} > /dev/full`];
      const { exitCode, stderr } = Bun.spawnSync(shell, { cwd: ROOT, env });
      expect(exitCode).toBe(1);
      expect(stderr.toString()).toMatch(/^tenor: cannot write to standard output: ENOSPC.*\n$/);
    }
  },
);
