import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { CLIENT_PATH } from '../../scripts/clients/python-types.ts';
import { startTenorServer, type TenorServer } from '../support/run-tenor.ts';
import { createTempFolder } from '../support/store.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const TOKEN = 'python-client-test';
const PYTHON = process.env.PYTHON ?? 'python3';
const python = (...args: string[]) => Bun.spawnSync([PYTHON, ...args]);

/** Why Python or a module cannot be used; undefined if it can. */
function explainMissing(module?: string): string | undefined {
  if (!Bun.which(PYTHON)) return `${PYTHON} is not installed`;
  const isNew = python('-c', 'import sys; sys.exit(sys.version_info < (3, 9))').success;
  if (!isNew) return `${PYTHON} is older than 3.9`;
  const exists = !module || python('-c', `import ${module}`).success;
  return exists ? undefined : `${PYTHON} has no ${module}`;
}

const noPython = explainMissing();
const noMypy = explainMissing('mypy');
for (const reason of new Set([noPython, noMypy])) if (reason) console.log(`skipped: ${reason}`);

let folder: string;
let server: TenorServer;
beforeAll(async () => {
  if (noPython) return;
  folder = createTempFolder();
  server = await startTenorServer({
    DATABASE_URL: `sqlite:${join(folder, 'x.db')}`,
    API_TOKEN: TOKEN,
  });
});
afterAll(async () => {
  await server?.stop();
  if (folder) rmSync(folder, { recursive: true });
});

/** Runs a test file of the client, and logs what it skips. */
async function run(file: string): Promise<{ report: string; status: number }> {
  const child = Bun.spawn([PYTHON, '-m', 'unittest', '-v', `tests.${file}`], {
    cwd: join(ROOT, 'clients/python'),
    env: {
      ...process.env,
      PYTHONDONTWRITEBYTECODE: '1',
      no_proxy: '*',
      TENOR_URL: server.address,
      TENOR_TOKEN: TOKEN,
    },
    stderr: 'pipe',
  });
  const [report, status] = [await new Response(child.stderr).text(), await child.exited];
  for (const reason of new Set(report.match(/skipped '.*'/g))) console.log(`${file}: ${reason}`);
  return { report, status };
}

describe.skipIf(noPython !== undefined)('the Python client', () => {
  test.each([
    ['reads from a running service', 'test_live'],
    ['handles network failures and invalid responses', 'test_faults'],
    ['builds DataFrames with pandas', 'test_pandas'],
    ['runs the examples of its README', 'test_readme'],
  ])('%s', async (_, file) => {
    const { report, status } = await run(file);
    expect(report).toContain('\nOK');
    expect(report).not.toContain('Ran 0 tests');
    expect(status).toBe(0);
  });

  test.skipIf(noMypy !== undefined)('passes mypy --strict', () => {
    const { stdout } = python(
      '-m',
      'mypy',
      '--strict',
      '--cache-dir',
      join(folder, 'mypy'),
      join(ROOT, CLIENT_PATH),
    );
    expect(stdout.toString()).toStartWith('Success');
  });
});
