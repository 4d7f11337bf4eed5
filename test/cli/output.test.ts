import { describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createPublishingWorkspace, ONLINE } from './publishing-workspace.ts';

const { workspace, run, writeFile, writeYears, publish } = createPublishingWorkspace();

const ROOT = join(import.meta.dirname, '../..');

test('every publishing command prints its help', async () => {
  const names = ['load', 'retire', 'revert', 'revisions', 'check', 'export'];
  const helps = await Promise.all(names.map((name) => run(name, '--help')));
  for (const [index, { status, out, err }] of helps.entries()) {
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(out).toStartWith(`tenor ${names[index]}`);
    expect(out).toContain('--help');
  }
});

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

describe('standard output', () => {
  const shell = (command: string) => {
    const { exitCode, stderr } = Bun.spawnSync(['sh', '-c', command], {
      cwd: ROOT,
      env: { ...process.env, ...workspace.env },
    });
    return { status: exitCode, err: stderr.toString() };
  };

  test.skipIf(!existsSync('/dev/full'))(
    'on a full disk is reported with exit status 1',
    async () => {
      await publish(writeYears('a.csv', { 2023: 5 }));
      for (const command of [`export ${ONLINE}`, 'check', 'revisions --json']) {
        expect(shell(`bin/tenor ${command} > /dev/full`)).toEqual({
          status: 1,
          err: expect.stringMatching(/^tenor: cannot write to standard output: ENOSPC.*\n$/),
        });
      }
    },
  );

  test('that is closed early is no failure', async () => {
    await publish(writeYears('a.csv', { 2023: 5 }));
    const { err } = shell(`{ bin/tenor export ${ONLINE}; echo "status $?" >&2; } | true`);
    expect(err).toBe('status 0\n');
  });
});
