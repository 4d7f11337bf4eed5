import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { CLIENT_PATH } from '../../scripts/clients/python-types.ts';
import {
  canRun,
  createExampleWorkspace,
  type ExampleWorkspace,
  PYTHON,
} from '../docs/example-workspace.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** Why Python or a module cannot be used; undefined if it can. */
function explainMissing(module?: string): string | undefined {
  if (!Bun.which(PYTHON)) return `${PYTHON} is not installed`;
  const isNew = canRun(PYTHON, '-c', 'import sys; sys.exit(sys.version_info < (3, 9))');
  if (!isNew) return `${PYTHON} is older than 3.9`;
  const exists = !module || canRun(PYTHON, '-c', `import ${module}`);
  return exists ? undefined : `${PYTHON} has no ${module}`;
}

const noPython = explainMissing();
const noMypy = explainMissing('mypy');
for (const reason of new Set([noPython, noMypy])) if (reason) console.log(`skipped: ${reason}`);

let workspace: ExampleWorkspace | undefined;
beforeAll(async () => {
  if (!noPython) workspace = await createExampleWorkspace();
});
afterAll(() => workspace?.close());

/** Runs a test file of the client, and logs what it skips. */
async function run(file: string): Promise<{ report: string; status: number }> {
  const child = Bun.spawn([PYTHON, '-m', 'unittest', '-v', `tests.${file}`], {
    cwd: join(ROOT, 'clients/python'),
    env: workspace?.env ?? {},
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

  test.skipIf(noMypy !== undefined)('passes mypy --strict', async () => {
    const checked = workspace?.run([PYTHON, '-m', 'mypy', '--strict', join(ROOT, CLIENT_PATH)]);
    expect(await checked).toStartWith('Success');
  });
});
