import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runTenor, startTenorServer, type TenorServer } from '../../support/run-tenor.ts';
import { serveFolder } from '../../support/serve-folder.ts';
import { spawnChild } from '../../support/spawn-child.ts';
import { createTempFolder } from '../../support/store.ts';

const ROOT = join(import.meta.dirname, '../../..');
const CLIENT = join(ROOT, 'clients/typescript');

/** The commands that install the package in an empty folder. */
const INSTALLERS = {
  npm: ['npm', 'install', '--silent', '--offline', '--no-audit'],
  bun: [process.execPath, 'install', '--silent'],
};
type Installer = keyof typeof INSTALLERS;
const installers = Object.keys(INSTALLERS) as Installer[];

let folder: string;
let packed: Packed;
let server: TenorServer;
let mirror: ReturnType<typeof serveFolder>;
beforeAll(async () => {
  folder = createTempFolder();
  packed = await pack(CLIENT);
  // An installer would build a linked folder with its own development dependencies.
  const hyparquet = await pack(join(ROOT, 'node_modules/hyparquet'), '--ignore-scripts');
  const dependencies = {
    'tenor-client': `file:${join(folder, packed.filename)}`,
    hyparquet: `file:${join(folder, hyparquet.filename)}`,
  };
  for (const installer of installers) {
    mkdirSync(toProject(installer));
    const manifest = JSON.stringify({ type: 'module', dependencies });
    writeFileSync(join(toProject(installer), 'package.json'), manifest);
    await run(INSTALLERS[installer], toProject(installer));
  }
  const env = { DATABASE_URL: `sqlite:${join(folder, 't.db')}` };
  server = await startTenorServer(env);
  expect(await runTenor(['mirror', join(folder, 'mirror')], env)).toMatchObject({ status: 0 });
  mirror = serveFolder(join(folder, 'mirror'));
});
afterAll(async () => {
  await mirror.stop(true);
  await server.stop('SIGKILL');
  rmSync(folder, { recursive: true });
});

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

async function pack(cwd: string, ...options: string[]): Promise<Packed> {
  const command = ['npm', 'pack', '--silent', '--json', '--pack-destination', folder, ...options];
  const [result] = JSON.parse(await run(command, cwd));
  return result;
}

/** A user's project, with the package installed. */
const toProject = (installer: Installer) => join(folder, installer);

/** What a command prints. One that fails is an error, with all that it said. */
async function run(command: string[], cwd: string): Promise<string> {
  // On a terminal, Bun passes FORCE_COLOR to the processes of its tests.
  const { FORCE_COLOR: _, ...env } = process.env;
  // The mirror is served by this process meanwhile.
  const child = spawnChild(command, { cwd, env, stderr: 'pipe' });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) === 0) return stdout;
  throw new Error(`${command.join(' ')}: ${stdout}${stderr}`);
}

/** The examples of the README: each is its first lines, which make the client, and a block. */
function examples(): { name: string; code: string; prints: string[] }[] {
  const readme = readFileSync(join(CLIENT, 'README.md'), 'utf8');
  const [first = '', ...blocks] = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(
    ([, code = '']) => code,
  );
  const token = /tenor_[\w-]+/.exec(server.out())?.[0] ?? '';
  const start = first.replace('http://127.0.0.1:8080', server.address).replace('your-token', token);
  return blocks.map((block, index) => ({
    name: `example-${index + 1}`,
    code: start + block.replace('https://data.example/tenor', String(mirror.url)),
    prints: [...block.matchAll(/console\.log\(.*\); \/\/ (.*)/g)].map(([, text = '']) => text),
  }));
}

/** Compiles every example as a user with strict settings would. */
async function compile(project: string, moduleResolution: string, module: string): Promise<void> {
  for (const { name, code } of examples()) writeFileSync(join(project, `${name}.ts`), code);
  const compilerOptions = {
    target: 'es2022',
    lib: ['esnext', 'dom', 'dom.asynciterable'],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    module,
    moduleResolution,
  };
  const config = { compilerOptions, include: ['*.ts'] };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(config));
  await run([join(ROOT, 'node_modules/.bin/tsc')], project);
}

describe('the package', () => {
  test('contains only the compiled modules and their types', () => {
    const files = packed.files.map(({ path }) => path);
    const entry = 'dist/clients/typescript/src/index';
    const expected = ['LICENSE', 'README.md', 'package.json', `${entry}.js`, `${entry}.d.ts`];
    expect(files).toEqual(expect.arrayContaining(expected));
    for (const file of files)
      expect(file).toMatch(
        /^(LICENSE|README\.md|package\.json|dist\/(clients\/typescript\/src|src\/(client|ledger|formats\/parquet))\/(mirror\/)?[\w-]+\.(js|d\.ts))$/,
      );
  });

  test('has no dependencies but those of mirrors, and uses only browser APIs but for copies in files', () => {
    const manifest = JSON.parse(readFileSync(join(CLIENT, 'package.json'), 'utf8'));
    const optional = { optional: true };
    expect(manifest.peerDependenciesMeta).toEqual({ fzstd: optional, hyparquet: optional });
    const others = Object.keys(manifest).filter((key) => /^(?!peer).*dependencies/i.test(key));
    expect(others).toEqual([]);
    const { compilerOptions } = JSON.parse(readFileSync(join(CLIENT, 'tsconfig.json'), 'utf8'));
    expect(compilerOptions.types).toEqual([]);
    const installed = join(toProject('npm'), 'node_modules/tenor-client');
    const entries = Object.values<{ default?: string }>(manifest.exports);
    const loaded = new Set(entries.flatMap((entry) => entry.default ?? []));
    expect(loaded.size).toBe(3);
    for (const path of loaded) {
      const code = readFileSync(join(installed, path), 'utf8');
      for (const [, imported = ''] of code.matchAll(/from '([^']+)'/g)) {
        expect(imported).toMatch(/^\.{1,2}\//);
        loaded.add(join(path, '..', imported));
      }
    }
    expect(loaded.size).toBeGreaterThan(40);
  });

  test.each(installers)(
    'installed by %s has types for bundlers and for Node',
    async (installer) => {
      await compile(toProject(installer), 'bundler', 'esnext');
      await compile(toProject(installer), 'nodenext', 'nodenext');
    },
  );
});

/** Whether a runtime reads Parquet files without another package. */
function canDecompress(command: string): boolean {
  const check =
    "process.exit('zstdDecompressSync' in process.getBuiltinModule('node:zlib') ? 0 : 1)";
  return Bun.spawnSync([command, '-e', check]).success;
}

describe.each(installers)(
  'the examples of the README print what they say, installed by %s',
  (installer) => {
    const runtimes = { bun: process.execPath, node: 'node', deno: 'deno' };

    for (const [name, command] of Object.entries(runtimes)) {
      test.skipIf(Bun.which(command) === null)(`on ${name}`, async () => {
        const project = toProject(installer);
        await compile(project, 'bundler', 'esnext');
        // One process for all: starting each takes longer than what it does.
        const isRun = ({ code }: { code: string }) =>
          canDecompress(command) || !code.includes('tenor-client/mirror');
        const runnable = examples().filter(isRun);
        const lines = runnable.map(
          ({ name: file }) => `console.log('${file}');\nawait import('./${file}.js');\n`,
        );
        writeFileSync(join(project, 'all.js'), lines.join(''));
        const permitted = name === 'deno' ? ['run', '--allow-net'] : [];
        const printed = await run([command, ...permitted, 'all.js'], project);
        for (const { prints } of examples()) expect(prints.length).toBeGreaterThan(0);
        const expected = runnable.flatMap(({ name: file, prints }) => [file, ...prints]);
        expect(printed.trimEnd().split('\n')).toEqual(expected);
      });
    }
  },
);
