import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createKiborStore } from '../../support/declared-rates.ts';
import { createFiscalStore } from '../../support/fiscal-store.ts';
import { mirrorTo } from '../../support/mirror-folder.ts';
import { createMirroredStore } from '../../support/mirrored-store.ts';
import { serveFolder } from '../../support/serve-folder.ts';
import { spawnChild } from '../../support/spawn-child.ts';
import { createTempFolder } from '../../support/store.ts';
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

const noPython = explainMissing();
const noMypy = explainMissing('mypy');
for (const reason of new Set([noPython, noMypy])) if (reason) console.log(`skipped: ${reason}`);

let workspace: ExampleWorkspace | undefined;
let mirror: ReturnType<typeof serveFolder> | undefined;
beforeAll(async () => {
  if (noPython) return;
  workspace = await createExampleWorkspace();
  await workspace.run(['bin/tenor', 'mirror', 'mirror']);
  mirror = serveFolder(join(workspace.folder, 'mirror'));
});
afterAll(async () => {
  await mirror?.stop(true);
  await workspace?.close();
});

/** Runs a test file of the client, and logs what it skips. */
async function run(
  file: string,
  env: Readonly<Record<string, string>> = {},
): Promise<{ report: string; status: number }> {
  const child = spawnChild([PYTHON, '-m', 'unittest', '-v', `tests.${file}`], {
    cwd: join(ROOT, 'clients/python'),
    env: { ...workspace?.env, TENOR_MIRROR: `${mirror?.url}`, ...env },
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
    ['takes lists of symbols and instants, and works with asyncio', 'test_arguments'],
    ['reads changes, and follows revisions', 'test_changes'],
    ['verifies the log of a service, and its data', 'test_verify'],
    ['holds nothing that is larger than it can be', 'test_bounds'],
    ['verifies signatures', 'test_ed25519'],
    ['builds DataFrames with pandas', 'test_pandas'],
    ['builds frames with polars and pyarrow', 'test_frames'],
    ['runs the examples of its README', 'test_readme'],
  ])('%s', async (_, file) => {
    const { report, status } = await run(file);
    expect(report).toContain('\nOK');
    expect(report).not.toContain('Ran 0 tests');
    expect(status).toBe(0);
  });

  test.each([
    ['reads datasets of the publisher by their names', 'test_datasets'],
    ['reads transforms, aligned tables and vintages', 'test_analysis'],
  ])('%s', async (_, file) => {
    const server = await startTestServer(await createKiborStore());
    const urlAndToken = { TENOR_URL: server.address, TENOR_TOKEN: TOKEN };
    const { report } = await run(file, urlAndToken);
    await server.stop();
    expect(report).toContain('\nOK');
  });

  test('reads mirrors as their service, and verifies them', async () => {
    const folder = createTempFolder();
    const store = await createMirroredStore();
    await mirrorTo(store, join(folder, 'all'));
    await mirrorTo(store, join(folder, 'part'), { scopes: ['quotes'], since: 10 });
    const server = await startTestServer(store);
    const files = serveFolder(folder);
    const { report } = await run('test_mirror', {
      TENOR_URL: server.address,
      TENOR_TOKEN: TOKEN,
      TENOR_MIRROR: `${files.url}all`,
      TENOR_MIRROR_PART: `${files.url}part`,
    });
    await files.stop(true);
    await server.stop();
    rmSync(folder, { recursive: true });
    expect(report).toContain('\nOK');
  });

  test('gives records the periods of their fiscal years, whatever way they come', async () => {
    const folder = createTempFolder();
    const store = await createFiscalStore();
    await mirrorTo(store, folder);
    const server = await startTestServer(store);
    const files = serveFolder(folder);
    const { report } = await run('test_fiscal', {
      TENOR_URL: server.address,
      TENOR_TOKEN: TOKEN,
      TENOR_MIRROR: `${files.url}`,
    });
    await files.stop(true);
    await server.stop();
    rmSync(folder, { recursive: true });
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
