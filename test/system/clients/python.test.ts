import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { createKiborStore } from '../../support/declared-rates.ts';
import { createFiscalStore } from '../../support/fiscal-store.ts';
import { spawnChild } from '../../support/spawn-child.ts';
import { startTestServer, TOKEN } from '../../support/test-server.ts';
import {
  canRun,
  createExampleWorkspace,
  type ExampleWorkspace,
  PYTHON,
} from '../docs/example-workspace.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** Why Python or a module cannot be used; undefined if it can. */
function explainMissing(module?: string): string | undefined {
  if (!Bun.which(PYTHON)) return `${PYTHON} is not installed`;
  const isNew = canRun(PYTHON, '-c', 'import sys; sys.exit(sys.version_info < (3, 9))');
  if (!isNew) return `${PYTHON} is older than 3.9`;
  const exists = !module || canRun(PYTHON, '-c', `import ${module}`);
  return exists ? undefined : `${PYTHON} has no ${module}`;
}

const noPython = explainMissing() ?? explainMissing('httpx');
const noMypy = explainMissing('mypy');
for (const reason of new Set([noPython, noMypy])) if (reason) console.log(`skipped: ${reason}`);

let workspace: ExampleWorkspace | undefined;
beforeAll(async () => {
  if (noPython) return;
  workspace = await createExampleWorkspace();
});
afterAll(async () => {
  await workspace?.close();
});

/** Most tests make clients that they do not close. */
const IGNORED = ['-W', 'ignore::ResourceWarning'];

/** Runs a test file of the client, and logs what it skips. */
async function run(
  file: string,
  env: Readonly<Record<string, string>> = {},
): Promise<{ report: string; status: number }> {
  const child = spawnChild([PYTHON, ...IGNORED, '-m', 'unittest', '-v', `tests.${file}`], {
    cwd: join(ROOT, 'clients/python'),
    env: { ...workspace?.env, ...env },
    stderr: 'pipe',
  });
  const [report, status] = [await new Response(child.stderr).text(), await child.exited];
  for (const reason of new Set(report.match(/skipped '.*'/g))) console.log(`${file}: ${reason}`);
  return { report, status };
}

describe.skipIf(noPython !== undefined)('the Python client', () => {
  test.each([
    ['reads from a running service, as its README says', 'test_live'],
    ['handles network failures and invalid responses, and follows revisions', 'test_faults'],
    ['takes lists of symbols and instants, and works with asyncio', 'test_arguments'],
    ['builds frames with pandas, polars and pyarrow', 'test_frames'],
  ])('%s', async (_, file) => {
    const { report, status } = await run(file);
    expect(report).toContain('\nOK');
    expect(report).not.toContain('Ran 0 tests');
    expect(status).toBe(0);
  });

  test.each([
    [
      'reads datasets of the publisher, aligned tables and vintages',
      'test_datasets',
      createKiborStore,
    ],
    ['gives records the periods of their fiscal years', 'test_fiscal', createFiscalStore],
  ])('%s', async (_, file, createFilled) => {
    const server = await startTestServer(await createFilled());
    const { report } = await run(file, { TENOR_URL: server.address, TENOR_TOKEN: TOKEN });
    await server.stop();
    expect(report).toContain('\nOK');
  });

  test.skipIf(noMypy !== undefined)('passes mypy --strict', async () => {
    const client = join(ROOT, 'clients/python/tenor_client');
    const checked = workspace?.run([PYTHON, '-m', 'mypy', '--strict', client]);
    expect(await checked).toStartWith('Success');
  });

  const noWheel = noMypy ?? explainMissing('setuptools');
  if (noWheel && noWheel !== noMypy) console.log(`skipped: ${noWheel}`);
  test.skipIf(noWheel !== undefined)(
    'has types that mypy --strict uses when installed',
    async () => {
      if (!workspace) throw new Error('no workspace');
      const { folder, run: runCommand } = workspace;
      await runCommand(['cp', '-r', join(ROOT, 'clients/python'), join(folder, 'client')]);
      const wheel = ['wheel', '-q', '--no-build-isolation', '--no-deps', '-w', folder];
      await runCommand([PYTHON, '-m', 'pip', ...wheel, join(folder, 'client')]);
      await runCommand([PYTHON, '-m', 'venv', '--without-pip', join(folder, 'env')]);
      const python = join(folder, 'env/bin/python');
      const unpack = [
        'import glob, sys, sysconfig, zipfile',
        'file = glob.glob(sys.argv[1] + "/tenor_client-*.whl")[0]',
        'zipfile.ZipFile(file).extractall(sysconfig.get_path("purelib"))',
      ];
      await runCommand([python, '-c', unpack.join('\n'), folder]);
      const check = async (field: string) => {
        await Bun.write(join(folder, 'user.py'), userProgram(field));
        // Only what is installed counts.
        const mypy = ['env', '-u', 'PYTHONPATH', PYTHON, '-m', 'mypy', '--strict'];
        return runCommand([...mypy, '--python-executable', python, join(folder, 'user.py')]);
      };
      expect(await check('lastPrice')).toStartWith('Success');
      await expect(check('lastPrize')).rejects.toThrow('has no key "lastPrize"');
    },
  );
});

const userProgram = (field: string) => `
from tenor_client import AsyncTenor, Quote, Records, Tenor

def read(tenor: Tenor) -> float:
    page: Records[Quote] = tenor.quotes(['A', 'B'], limit=5)
    accounts: int = tenor.series('mobile-money-accounts-male')[0]['national']
    return page[0]['${field}'] + accounts

async def read_async(tenor: AsyncTenor) -> float:
    async for quote in tenor.quotes_all(type='bond'):
        return quote['ytm']
    return (await tenor.quotes('A'))[0]['ytm']
`;
