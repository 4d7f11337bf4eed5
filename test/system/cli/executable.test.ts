import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENTRY_POINTS } from '../../../scripts/build.ts';
import { createDocsRoutes } from '../../../src/http/static/docs/routes.ts';
import { createExplorerRoutes } from '../../../src/http/static/explorer/routes.ts';
import { formatYears, ONLINE } from '../../cli/publishing-workspace.ts';
import { copyBuildContext } from '../../support/build-context.ts';
import { retryUntil } from '../../support/eventually.ts';
import { postMessage } from '../../support/mcp-client.ts';
import {
  ROOT,
  runTenorProcess,
  startTenorServer,
  type TenorServer,
} from '../../support/run-tenor.ts';
import { spawnChild } from '../../support/spawn-child.ts';
import { createTempFolder } from '../../support/store.ts';
import {
  findStartedWorkers,
  isLinux,
  readLog,
  readProcessId,
  requestFromAllWorkers,
} from '../../support/workers.ts';

const WORKERS = isLinux ? 2 : 1;
const hasGlibc = isLinux && Bun.which('getconf') && runGetconf('GNU_LIBC_VERSION').success;
const GLIBC_PATTERN = /^(ld-linux-.*|libc|libdl|libm|libpthread|linux-vdso)$/;

/** In the place of the program: writes its arguments to a file in the place of the socket. */
const NOTIFY_SCRIPT = '#!/bin/sh\necho "$@" > "$NOTIFY_SOCKET"\n';

describe('the executable, in an empty folder with an empty environment', () => {
  const folder = createTempFolder();
  const executable = join(folder, 'tenor');
  const cwd = join(folder, 'empty');
  const command = ['env', '-i', executable];
  const get = (path: string) =>
    fetch(server.address + path, { headers: { authorization: `Bearer ${token}` } });
  const run = (...args: string[]) => runTenorProcess(args, {}, { command, cwd });
  let server: TenorServer;
  let token: string;
  let leftByBuild: string[];

  beforeAll(async () => {
    mkdirSync(cwd);
    const args = ['scripts/build.ts', '--outfile', executable, '--commit', '0123456789ab'];
    const context = join(folder, 'context');
    copyBuildContext(context);
    const build = spawnChild([process.execPath, ...args], { cwd: context, stdout: 'ignore' });
    expect(await build.exited).toBe(0);
    rmSync(context, { recursive: true });
    leftByBuild = readdirSync(folder).sort();
    writeFileSync(join(folder, 'systemd-notify'), NOTIFY_SCRIPT, { mode: 0o755 });
    const systemd = [`PATH=${folder}`, `NOTIFY_SOCKET=${join(folder, 'notified')}`];
    const settings = ['PORT=0', `WORKERS=${WORKERS}`, 'SAMPLE_DATA=off', ...systemd];
    server = await startTenorServer({}, ['env', '-i', ...settings, executable, 'serve'], cwd);
    token = readFileSync(join(cwd, 'data/tenor.db.private/local-token'), 'utf8').trim();
  });
  afterAll(async () => {
    await server?.stop('SIGKILL');
    rmSync(folder, { recursive: true });
  });

  test('is all that the build leaves, and names no folder of the machine that built it', () => {
    expect(leftByBuild).toEqual(['empty', 'tenor']);
    const content = readFileSync(executable);
    expect(content.includes('src/cli/main.ts')).toBe(true);
    expect(content.includes(folder)).toBe(false);
  });

  test('prints and logs the version and the commit that it was built from', async () => {
    await retryUntil(10_000, async () =>
      expect(readLog(server, 'service.configured')).toMatchObject([{ commit: '0123456789ab' }]),
    );
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(await run('--version')).toEqual({
      status: 0,
      out: `${version} (0123456789ab)\n`,
      err: '',
    });
  });

  test.if(hasGlibc === true)('needs no library but the C library, which its image has', () => {
    const { stdout } = Bun.spawnSync(['ldd', executable]);
    const names = Array.from(
      stdout.toString().matchAll(/^\t(?:\S*\/)?([^\s/]+?)\.so/gm),
      ([, name = '']) => name,
    );
    expect(names).toContain('libc');
    expect(names.filter((name) => !GLIBC_PATTERN.test(name))).toEqual([]);
  });

  test('tells systemd that it is ready, if systemd waits for that', async () => {
    await retryUntil(10_000, async () =>
      expect(readFileSync(join(folder, 'notified'), 'utf8')).toBe('--ready\n'),
    );
  });

  test('rejects an invalid setting in one line', async () => {
    const invalid = { command: ['env', '-i', 'PORT=http', executable], cwd };
    expect(await runTenorProcess(['serve'], {}, invalid)).toEqual({
      status: 1,
      out: '',
      err: 'tenor: PORT must be a whole number from 0 to 65535, not "http"\n',
    });
  });

  test('ignores a .env file of the working directory', async () => {
    writeFileSync(join(cwd, '.env'), 'PORT=http\n');
    const { out } = await run('settings');
    rmSync(join(cwd, '.env'));
    expect(out).toContain('8080');
    expect(out).not.toContain('http\n');
  });

  test('knows no command "worker": that is for workers', async () => {
    expect(await run('worker')).toMatchObject({
      status: 2,
      err: expect.stringContaining('there is no command "worker"'),
    });
  });

  test('serves the pages and their files as the sources do', async () => {
    const routes = [...createExplorerRoutes(), ...createDocsRoutes()];
    expect(routes.map(({ path }) => path)).toContain('/explorer/main.js');
    for (const { path, getDocument } of routes) {
      const response = await get(path);
      expect(response.status).toBe(200);
      const { body } = await getDocument({ url: `http://localhost${path}` });
      expect(await response.text()).toBe(await new Response(body as Blob).text());
    }
  });

  test('speaks the Model Context Protocol', async () => {
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const response = await postMessage(server.address, list, { Authorization: `Bearer ${token}` });
    expect(await response.text()).toContain('"name":"get_quotes"');
  });

  test('loads a file, which every worker serves, and which check finds right', async () => {
    const file = join(folder, 'empty', 'years.csv');
    writeFileSync(file, formatYears({ 2023: 5, 2024: 6 }));
    // As in the image of a container, there is no other program.
    const alone = { command: ['env', '-i', 'PATH=/nowhere', executable], cwd };
    const load = await runTenorProcess(['load', ONLINE, file], {}, alone);
    expect(load).toMatchObject({ status: 0, err: '' });
    expect((await run('revisions')).out).toContain(`user ${process.getuid?.()}`);
    await retryUntil(10_000, async () => {
      const responses = await requestFromAllWorkers(server, `/3.0/alternate/${ONLINE}`, token);
      for (const { body } of responses) expect(JSON.parse(body).data).toHaveLength(2);
      expect(new Set(responses.map(readProcessId)).size).toBe(WORKERS);
    });
    expect(await run('check')).toMatchObject({ status: 0, err: '' });
  });

  test('runs an adapter of any folder, which imports the package that the executable has in itself', async () => {
    const adapter = join(folder, 'adapter.ts');
    writeFileSync(
      adapter,
      `import { parsePeriod, type OpenedDatabaseFile } from 'tenor';
       export default async function* (file: OpenedDatabaseFile) {
         for await (const row of file.table(['year']))
           yield Object.fromEntries(row.columns.map((name) =>
             [name, name === 'year' ? parsePeriod(row.get(name), 'year') : row.get(name)]));
       }`,
    );
    const file = join(folder, 'empty', 'more.csv');
    writeFileSync(file, formatYears({ '2025 (P)': 7 }));
    const load = await run('load', ONLINE, file, '--adapter', adapter, '--dry-run');
    expect(load).toMatchObject({ status: 0, err: '' });
    expect(load.out).toContain('1 added');
  });

  test('has the examples in itself, which inspect writes adapters from', async () => {
    const file = join(folder, 'empty', 'wide.csv');
    writeFileSync(file, 'Item,2023,2024\nCash withdrawal,1,2\nCash deposit,3,4\nTotal,4,6\n');
    const { out } = await run('inspect', file, '--for', ONLINE);
    const example = readFileSync(join(ROOT, 'examples/wide-table.ts'), 'utf8');
    const lastLines = example.slice(example.indexOf('  for await')).split('\n').slice(1);
    expect(out).toContain(lastLines.join('\n'));
  });

  test('has the files of the sample in itself, which a first start publishes', async () => {
    const first = join(folder, 'first');
    mkdirSync(first);
    const sampled = await startTenorServer({}, ['env', '-i', 'PORT=0', executable, 'serve'], first);
    expect(sampled.out()).toContain('This is sample data');
    const ready = await (await fetch(`${sampled.address}/ready`)).json();
    expect(ready).toMatchObject({ revision: 28 });
    await sampled.stop();
  });

  test('has the background thread in itself, which exports a dataset', async () => {
    const response = await get(`/exports/${ONLINE}.csv`);
    expect(response.status).toBe(200);
    expect((await response.text()).trim().split('\n')).toHaveLength(3);
  });

  test('has the thread in itself that follows another server, with workers and without', async () => {
    for (const workers of [1, WORKERS]) {
      const copy = join(folder, `copy-${workers}`);
      mkdirSync(copy);
      const followed = [`FOLLOW=${server.address}`, `FOLLOW_TOKEN=${token}`, `WORKERS=${workers}`];
      const settings = ['env', '-i', 'PORT=0', ...followed];
      const follower = await startTenorServer({}, [...settings, executable, 'serve'], copy);
      await retryUntil(20_000, async () => {
        const ready = await (await fetch(`${follower.address}/ready`)).json();
        expect(ready).toMatchObject({ revision: 1, follow: { state: 'following' } });
      });
      await follower.stop();
    }
  });

  test.if(isLinux)(
    'starts a worker by its own name, and anew though its file is gone',
    async () => {
      const [pid = 0] = findStartedWorkers(server);
      expect(readFileSync(`/proc/${pid}/comm`, 'utf8')).toBe('tenor\n');
      renameSync(executable, `${executable}.old`);
      process.kill(pid, 'SIGKILL');
      await retryUntil(10_000, async () =>
        expect(findStartedWorkers(server)).toHaveLength(WORKERS + 1),
      );
    },
  );

  test('stops on SIGTERM with exit status 0', async () => {
    expect((await server.stop()).status).toBe(0);
  });
});

test('every file that is started as a thread is an entry point of the executable', () => {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
  const threads = files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) =>
      [...readFileSync(join(ROOT, 'src', file), 'utf8').matchAll(THREAD_PATTERN)].map(
        ([, name = '']) => join('src', file, '..', name),
      ),
    );
  expect(threads.length).toBeGreaterThan(0);
  expect(ENTRY_POINTS).toEqual(expect.arrayContaining(threads));
});

function runGetconf(name: string) {
  return Bun.spawnSync(['getconf', name], { stderr: 'ignore' });
}

const THREAD_PATTERN = /new URL\('(\.[^']+\.ts)', import\.meta\.url\)/g;
