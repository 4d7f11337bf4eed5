import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { startTenorServer } from '../../support/run-tenor.ts';
import { createTempFolder } from '../../support/store.ts';

const ROOT = join(import.meta.dirname, '../../..');

let folder: string;
let files: string[];
beforeAll(() => {
  folder = createTempFolder();
  const pack = ['npm', 'pack', '--json', '--pack-destination', folder];
  const { stdout } = Bun.spawnSync(pack, { cwd: ROOT, stderr: 'ignore' });
  const [{ filename, files: packed }] = JSON.parse(stdout.toString());
  files = packed.map(({ path }: { path: string }) => path);
  // As `npm install` does in a project: what the package needs is put beside it.
  mkdirSync(join(folder, 'node_modules/tenor'), { recursive: true });
  const extract = ['tar', 'xzf', filename, '--strip-components=1', '-C', 'node_modules/tenor'];
  expect(Bun.spawnSync(extract, { cwd: folder }).exitCode).toBe(0);
  const manifest = require(join(ROOT, 'package.json'));
  for (const name of ['.bin', ...Object.keys(manifest.dependencies)]) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), link);
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

test('npm pack makes a package of the command, without tests, documentation or benchmarks', () => {
  const folders = new Set(files.map((path) => path.split('/')[0]));
  expect([...folders].sort()).toEqual(
    [
      ...['LICENSE', 'README.md', 'bin', 'examples'],
      ...['package.json', 'src', 'tsconfig.json'],
    ].sort(),
  );
  const sample = readdirSync(join(ROOT, 'examples/sample'), { encoding: 'utf8' });
  expect(files).toEqual(expect.arrayContaining(sample.map((name) => `examples/sample/${name}`)));
});

test('the installed package serves data and the explorer from another folder', async () => {
  const command = [join(folder, 'node_modules/tenor/bin/tenor'), 'serve'];
  const settings = { DATABASE_URL: `sqlite:${join(folder, 'x.db')}`, SAMPLE_DATA: 'off' };
  const server = await startTenorServer(settings, command);
  try {
    expect(server.out()).toContain('tenor load quotes FILE');
    let characters = 0;
    for (const name of ['main.js', 'shared.js']) {
      const script = await fetch(`${server.address}/explorer/${name}`);
      expect(script.status).toBe(200);
      characters += (await script.text()).length;
    }
    expect(characters).toBeGreaterThan(100_000);
    expect((await fetch(`${server.address}/docs/swagger-ui.css`)).status).toBe(200);
  } finally {
    await server.stop();
  }
});
