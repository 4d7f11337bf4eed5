import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { retryUntil } from '../../support/eventually.ts';
import { ROOT } from '../../support/run-tenor.ts';
import { spawnChild } from '../../support/spawn-child.ts';
import { createTempFolder } from '../../support/store.ts';
import { isAlive, isLinux } from '../../support/workers.ts';

// Each test starts several processes, on a machine that may be busy.
setDefaultTimeout(120_000);

const HELPER = join(import.meta.dirname, '../../support/spawn-child.ts');

let folder: string;
beforeEach(() => {
  folder = createTempFolder();
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A process, and one that it has started in its group; both would run for long. */
const startBoth = () =>
  `spawnChild(['sh', '-c', 'sleep 1000 & echo $$ $! > ${folder}/pids; wait']);`;

/** A process that no other one would end: a worker that is stopped, whose supervisor is killed. */
const startStopped = () => `
  const { pid } = Bun.spawn(['sleep', '1000'], { detached: true });
  endWithThisProcess(pid);
  process.kill(pid, 'SIGSTOP');
  require('fs').writeFileSync('${folder}/pids', pid + '\\n');`;

const createScript = (code: string) =>
  `import { endWithThisProcess, spawnChild } from ${JSON.stringify(HELPER)};\n${code}`;

async function readPids(): Promise<number[]> {
  return await retryUntil(20_000, async () => {
    const text = readFileSync(join(folder, 'pids'), 'utf8');
    expect(text).toEndWith('\n');
    return text.trim().split(' ').map(Number);
  });
}

const awaitEnd = (pids: readonly number[]) =>
  retryUntil(20_000, async () => expect(pids.filter(isAlive)).toEqual([]));

describe.if(isLinux)('what a test has started ends with the process of the test', () => {
  test.each([
    ['which is killed', startBoth],
    ['which is killed, also if it is stopped', startStopped],
  ])('%s', async (_, getCode) => {
    const code = createScript(`${getCode()}\nsetInterval(() => {}, 1_000);`);
    const parent = spawnChild([process.execPath, '-e', code]);
    const pids = await readPids();
    expect(pids.every(isAlive)).toBeTrue();
    parent.kill('SIGKILL');
    await awaitEnd(pids);
  });

  test('which exits without ending it', async () => {
    const code = createScript(`${startBoth()}\nsetTimeout(() => process.exit(), 1_000);`);
    const parent = spawnChild([process.execPath, '-e', code]);
    const pids = await readPids();
    expect(await parent.exited).toBe(0);
    await awaitEnd(pids);
  });

  test('which ends with the run of tests that is killed', async () => {
    const file = join(folder, 'own.test.ts');
    const code = createScript(
      `test('own', async () => { ${startBoth()}\nawait Bun.sleep(60_000); });`,
    );
    writeFileSync(file, `import { test } from 'bun:test';\n${code}`);
    const options = { cwd: ROOT, stdout: 'ignore', stderr: 'ignore' } as const;
    const run = spawnChild([process.execPath, 'test/run.ts', 'system', file], options);
    const pids = await readPids();
    run.kill('SIGKILL');
    await awaitEnd(pids);
  });

  test('which times out, or fails before it ends it', async () => {
    const file = join(folder, 'own.test.ts');
    const timeout = `test('own', async () => { ${startBoth()}\nawait Bun.sleep(60_000); }, 2_000);`;
    const failure = `test('own', async () => { ${startBoth()}\nawait Bun.sleep(1_000); expect(1).toBe(2); });`;
    for (const code of [timeout, failure]) {
      rmSync(join(folder, 'pids'), { force: true });
      writeFileSync(file, `import { expect, test } from 'bun:test';\n${createScript(code)}`);
      const options = { cwd: folder, stdout: 'ignore', stderr: 'ignore' } as const;
      const parent = spawnChild([process.execPath, 'test', file], options);
      expect(await parent.exited).toBe(1);
      await awaitEnd(await readPids());
    }
  });
});

test('of the group of a process that a test has started nothing remains when it has exited', async () => {
  const child = spawnChild(['sh', '-c', 'sleep 1000 >/dev/null & echo $!']);
  const pid = Number(await new Response(child.stdout).text());
  expect(await child.exited).toBe(0);
  await awaitEnd([pid]);
});
