import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { spawnChild } from '../../support/spawn-child.ts';

const SCRIPT = join(import.meta.dirname, '../../support/post-without-files.ts');

test('/mcp works once files can be opened again, after its library could not be loaded', async () => {
  // The shell sets how many files the process may open.
  const command = ['sh', '-c', 'ulimit -n 100; exec "$0" "$1"', process.execPath, SCRIPT];
  const child = spawnChild(command, { stdout: 'pipe', stderr: 'inherit' });
  const [first = '', second = ''] = (await child.stdout.text()).split('\n');
  expect(first).toStartWith('failed: ');
  expect(first).toContain('EMFILE');
  expect(second).toStartWith('200 ');
  expect(second).toContain('"name":"get_quotes"');
});
