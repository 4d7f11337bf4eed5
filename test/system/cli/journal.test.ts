import { afterAll, expect, test } from 'bun:test';
import { closeSync, fstatSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { retryUntil } from '../../support/eventually.ts';
import { spawnTenor } from '../../support/run-tenor.ts';
import { createTempFolder } from '../../support/store.ts';
import { isLinux, TOKEN } from '../../support/workers.ts';

const folder = createTempFolder();
afterAll(() => rmSync(folder, { recursive: true }));

/** The log of a server that is stopped when a worker, or itself, has started. */
async function readServerLog(name: string, WORKERS: string, formatStream: (fd: number) => string) {
  const path = join(folder, `${name}.log`);
  const fd = openSync(path, 'w');
  const settings = {
    DATABASE_URL: `sqlite:${join(folder, `${name}.db`)}`,
    JOURNAL_STREAM: formatStream(fd),
    API_TOKEN: TOKEN,
    SAMPLE_DATA: 'off',
    PORT: '0',
    WORKERS,
  };
  const child = spawnTenor(['serve'], settings, fd);
  await retryUntil(20_000, async () =>
    expect(readFileSync(path, 'utf8')).toContain('service.started'),
  );
  child.kill('SIGTERM');
  await child.exited;
  closeSync(fd);
  return readFileSync(path, 'utf8').trimEnd().split('\n');
}

const formatOwn = (fd: number) => `${fstatSync(fd).dev}:${fstatSync(fd).ino}`;

test.each(isLinux ? ['1', '2'] : ['1'])(
  'a server with WORKERS=%s begins its lines with priorities if standard error is the journal',
  async (workers) => {
    const lines = await readServerLog(`own-${workers}`, workers, formatOwn);
    expect(lines.filter((line) => !/^<6>\{"time":/.test(line))).toEqual([]);
    expect(lines.join('\n')).toMatch(/service\.started[\s\S]*service\.stopping/);
  },
);

test('a server whose standard error is not the journal of its environment writes JSON alone', async () => {
  const lines = await readServerLog('other', '1', (fd) => `${formatOwn(fd)}1`);
  expect(lines.filter((line) => !line.startsWith('{"time":'))).toEqual([]);
});
