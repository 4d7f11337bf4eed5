import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildTypeScriptClient } from '../../../scripts/clients/build-typescript.ts';
import { runTenor, startTenorServer, type TenorServer } from '../../support/run-tenor.ts';
import { serveFolder } from '../../support/serve-folder.ts';
import { spawnChild } from '../../support/spawn-child.ts';
import { createTempFolder } from '../../support/store.ts';

const ROOT = join(import.meta.dirname, '../../..');
const CLIENT = join(ROOT, 'clients/typescript');

/** A project of a user's, with the package installed from its folder. */
let project: string;
let server: TenorServer;
let mirror: ReturnType<typeof serveFolder>;
beforeAll(async () => {
  project = createTempFolder();
  writeFileSync(join(project, 'package.json'), '{"type":"module"}');
  await run(['npm', 'install', '--silent', '--offline', '--no-audit', CLIENT], project);
  const env = { DATABASE_URL: `sqlite:${join(project, 't.db')}` };
  server = await startTenorServer(env);
  expect(await runTenor(['mirror', join(project, 'mirror')], env)).toMatchObject({ status: 0 });
  mirror = serveFolder(join(project, 'mirror'));
});
afterAll(async () => {
  await mirror.stop(true);
  await server.stop('SIGKILL');
  rmSync(project, { recursive: true });
});

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
async function compile(moduleResolution: string, module: string): Promise<void> {
  for (const { name, code } of examples()) writeFileSync(join(project, `${name}.ts`), code);
  const compilerOptions = {
    ...{ target: 'es2022', lib: ['esnext', 'dom', 'dom.asynciterable'], types: [] },
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
    ...{ module, moduleResolution },
  };
  const config = { compilerOptions, include: ['*.ts'] };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(config));
  await run([join(ROOT, 'node_modules/.bin/tsc')], project);
}

describe('the package', () => {
  test('contains only the compiled modules and their types', async () => {
    const [packed] = JSON.parse(await run(['npm', 'pack', '--dry-run', '--json'], CLIENT));
    const files = packed.files.map(({ path }: { path: string }) => path);
    const expected = ['LICENSE', 'README.md', 'package.json', 'dist/index.js', 'dist/index.d.ts'];
    expect(files).toEqual(expect.arrayContaining([...expected, 'dist/cjs/package.json']));
    for (const file of files) {
      expect(file).toMatch(
        /^(LICENSE|README\.md|(dist\/cjs\/)?package\.json|dist\/(cjs\/)?((ledger|mirror)\/)?[\w-]+\.(js|d\.ts))$/,
      );
    }
  });

  test('has compiled modules that are up to date (npm run docs)', () => {
    const modules = buildTypeScriptClient();
    const names = readdirSync(join(CLIENT, 'dist'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.includes('.'))
      .map((name) => join('clients/typescript/dist', name));
    expect(names.sort()).toEqual(Object.keys(modules).sort());
    for (const [path, text] of Object.entries(modules)) {
      expect(readFileSync(join(ROOT, path), 'utf8')).toBe(text);
    }
  });

  test('has no dependencies but those of mirrors, and uses only browser APIs but for copies in files', () => {
    const manifest = JSON.parse(readFileSync(join(CLIENT, 'package.json'), 'utf8'));
    const optional = { optional: true };
    expect(manifest.peerDependenciesMeta).toEqual({ fzstd: optional, hyparquet: optional });
    const required = Object.keys(manifest).filter((key) => /^(?!peer).*dependencies/i.test(key));
    expect(required).toEqual([]);
    const { compilerOptions } = JSON.parse(readFileSync(join(CLIENT, 'tsconfig.json'), 'utf8'));
    expect(compilerOptions.types).toEqual([]);
    const files = readdirSync(join(CLIENT, 'src'), { recursive: true, encoding: 'utf8' });
    const imported = files
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => {
        const code = readFileSync(join(CLIENT, 'src', file), 'utf8');
        return [...code.matchAll(/from '([^']+)'/g)].map(([, path]) => `${file} ${path}`);
      });
    const others = imported.filter(
      (text) => !/ \.{1,2}\/((ledger|mirror)\/)?[\w-]+\.ts$/.test(text),
    );
    // These are imported with the optional package itself, when a mirror is read.
    for (const text of others)
      expect(text).toMatch(/^mirror\/(page|encoding)-bounds\.ts hyparquet(\/src\/\w+\.js)?$/);
  });

  test('has types for bundlers and for Node', async () => {
    await compile('bundler', 'esnext');
    await compile('nodenext', 'nodenext');
  });

  test.skipIf(Bun.which('node') === null)(
    'is required by CommonJS modules, with types',
    async () => {
      const program = join(project, 'required.cts');
      const code = `import { Tenor, TenorError, type QuotesRecord } from 'tenor-client';
      import { Mirror } from 'tenor-client/mirror';
      import { syncCopy } from 'tenor-client/sync';
      const day = (quote: QuotesRecord): string => quote.date;
      const required = require('tenor-client').Tenor === Tenor;
      console.log(required, TenorError.name, Mirror.name, typeof syncCopy, day.length);`;
      writeFileSync(program, `declare const require: (name: string) => any;\n${code}`);
      const options = ['--strict', '--types', '', '--module', 'node16', '--ignoreConfig'];
      await run([join(ROOT, 'node_modules/.bin/tsc'), ...options, program], project);
      expect(await run(['node', 'required.cjs'], project)).toBe(
        'true TenorError Mirror function 1\n',
      );
    },
  );
});

/** Whether a runtime reads Parquet files without another package. */
function canDecompress(command: string): boolean {
  const check =
    "process.exit('zstdDecompressSync' in process.getBuiltinModule('node:zlib') ? 0 : 1)";
  return Bun.spawnSync([command, '-e', check]).success;
}

describe('the examples of the README print what they say', () => {
  const runtimes = { bun: process.execPath, node: 'node', deno: 'deno' };

  for (const [name, command] of Object.entries(runtimes)) {
    test.skipIf(Bun.which(command) === null)(`on ${name}`, async () => {
      await compile('bundler', 'esnext');
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
});
