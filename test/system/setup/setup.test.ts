import { expect, setDefaultTimeout, test } from 'bun:test';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { spawnChild } from '../../support/spawn-child.ts';
import { createTempFolder } from '../../support/store.ts';

// Each test starts several processes, on a machine that may be busy.
setDefaultTimeout(120_000);

const ROOT = join(import.meta.dirname, '../../..');

/** Installs like npm, without a network: it logs its start and end, and fails on request. */
const FAKE_NPM = `#!/bin/sh
echo "start $1 $(echo "$@" | grep -o omit=dev)" >> npm.log
[ -n "$FAKE_NPM_FAILS" ] && exit 1
if [ "$1" = ci ]; then rm -rf node_modules; fi
mkdir -p node_modules/bun node_modules/.bin
sleep 0.2
printf '#!/bin/sh\\n' > node_modules/.bin/bun
chmod +x node_modules/.bin/bun
case "$*" in *omit=dev*) ;; *) mkdir -p node_modules/typescript ;; esac
echo '{}' > node_modules/.package-lock.json
echo end >> npm.log
`;

/** A clone without packages, where npm is a fake one. */
function createClone() {
  const parent = createTempFolder();
  const folder = join(parent, 'tenor');
  // A project of that name beside the clone is not the package.
  mkdirSync(join(parent, 'bun'));
  const inClone = (path: string) => join(folder, path);
  cpSync(join(ROOT, 'bin'), inClone('bin'), { recursive: true });
  const manifest = { dependencies: { bun: '1.0.0' }, devDependencies: { typescript: '1.0.0' } };
  writeFileSync(inClone('package.json'), JSON.stringify(manifest));
  writeFileSync(inClone('package-lock.json'), '{}');
  mkdirSync(inClone('path'));
  writeFileSync(inClone('path/npm'), FAKE_NPM, { mode: 0o755 });
  return {
    inClone,
    hasPackage: (name: string) => existsSync(inClone(`node_modules/${name}`)),
    /** What npm did since the last call. */
    takeNpmLog(): string[] {
      const log = inClone('npm.log');
      const lines = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
      rmSync(log, { force: true });
      return lines.map((line) => line.trim());
    },
    setUp(args: readonly string[] = [], env: Record<string, string> = {}) {
      return this.run(['node', 'bin/setup.mjs', ...args], env);
    },
    async run(command: readonly string[], env: Record<string, string> = {}) {
      const child = spawnChild([...command], {
        cwd: folder,
        env: { ...process.env, PATH: `${inClone('path')}:${process.env.PATH}`, ...env },
        stdout: 'pipe',
        stderr: 'pipe',
      });
      const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
      return { status: await child.exited, out, err };
    },
    [Symbol.dispose]: () => rmSync(parent, { recursive: true }),
  };
}

const READY = { status: 0, out: '', err: '' };

test.concurrent('starting installs no development dependencies, once, and prints nothing to standard output', async () => {
  using clone = createClone();
  const first = await clone.setUp();
  expect(first).toMatchObject({ status: 0, out: '' });
  expect(clone.takeNpmLog()).toEqual(['start ci omit=dev', 'end']);
  expect(clone.hasPackage('typescript')).toBe(false);
  expect(await clone.setUp()).toEqual(READY);
  expect(clone.takeNpmLog()).toEqual([]);
});

test.concurrent('a command of a clone that is ready starts without Node, until the dependencies change', async () => {
  using clone = createClone();
  const run = () => clone.run(['bin/tenor', '--version']);
  await clone.setUp();
  writeFileSync(clone.inClone('path/node'), '#!/bin/sh\necho node >&2; exit 1\n', { mode: 0o755 });
  expect(await run()).toEqual(READY);
  const later = new Date(Date.now() + 5_000);
  utimesSync(clone.inClone('package-lock.json'), later, later);
  expect(await run()).toEqual({ status: 1, out: '', err: 'node\n' });
  rmSync(clone.inClone('package-lock.json'));
  expect(await run()).toEqual(READY);
  rmSync(clone.inClone('node_modules/.bin/bun'));
  expect(await run()).toEqual({ status: 1, out: '', err: 'node\n' });
});

test.concurrent('testing adds the development dependencies to an install, and starting keeps them', async () => {
  using clone = createClone();
  await clone.setUp();
  clone.takeNpmLog();
  await clone.setUp(['--dev']);
  // `npm ci` would remove the packages under a running server.
  expect(clone.takeNpmLog()).toEqual(['start install', 'end']);
  expect(clone.hasPackage('typescript')).toBe(true);
  // As git does when the dependencies change.
  const later = new Date(Date.now() + 5_000);
  utimesSync(clone.inClone('package-lock.json'), later, later);
  await clone.setUp();
  expect(clone.takeNpmLog()).toEqual(['start install', 'end']);
  expect(clone.hasPackage('typescript')).toBe(true);
});

test.concurrent('an install that was interrupted is done again from scratch', async () => {
  using clone = createClone();
  await clone.setUp(['--dev']);
  rmSync(clone.inClone('node_modules/.package-lock.json'));
  clone.takeNpmLog();
  await clone.setUp(['--dev']);
  expect(clone.takeNpmLog()).toEqual(['start ci', 'end']);
});

test.concurrent('what npm cannot add leaves the existing install usable', async () => {
  using clone = createClone();
  await clone.setUp();
  const { status, err } = await clone.setUp(['--dev'], { FAKE_NPM_FAILS: 'yes' });
  expect(status).toBe(1);
  expect(err).toContain('npm install --no-save --no-audit --no-fund --loglevel=error failed');
  clone.takeNpmLog();
  expect(await clone.setUp()).toEqual(READY);
  expect(clone.takeNpmLog()).toEqual([]);
});

test.concurrent('several commands at once install one after the other, and only what is missing', async () => {
  using clone = createClone();
  const results = await Promise.all([
    clone.setUp(),
    clone.setUp(['--dev']),
    clone.setUp(),
    clone.setUp(),
  ]);
  expect(results.map(({ status }) => status)).toEqual([0, 0, 0, 0]);
  const log = clone.takeNpmLog();
  // An install without development dependencies first, if it comes first; never two at a time.
  expect(log.filter((line) => line === 'end').length * 2).toBe(log.length);
  expect(log.filter((_, index) => index % 2 === 1).every((line) => line === 'end')).toBe(true);
  expect(log.length).toBeLessThanOrEqual(4);
  expect(clone.hasPackage('typescript')).toBe(true);
  expect(existsSync(clone.inClone('.setup-lock'))).toBe(false);
});

test.concurrent('the lock of a process that is gone is removed', async () => {
  using clone = createClone();
  const dead = Bun.spawnSync(['true']).pid;
  writeFileSync(clone.inClone('.setup-lock'), String(dead));
  const results = await Promise.all([clone.setUp(), clone.setUp()]);
  expect(results.map(({ status }) => status)).toEqual([0, 0]);
  expect(clone.takeNpmLog()).toEqual(['start ci omit=dev', 'end']);
  expect(existsSync(clone.inClone('.setup-lock'))).toBe(false);
});

test.concurrent('the lock of an earlier process with the same id is removed', async () => {
  using clone = createClone();
  const command = 'printf $$ > .setup-lock; exec node bin/setup.mjs';
  expect(await clone.run(['timeout', '20', 'sh', '-c', command])).toMatchObject({ status: 0 });
  expect(clone.takeNpmLog()).toEqual(['start ci omit=dev', 'end']);
  expect(existsSync(clone.inClone('.setup-lock'))).toBe(false);
});
