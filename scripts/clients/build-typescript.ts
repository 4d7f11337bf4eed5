import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');

/** The folder of the TypeScript client in the repository. */
export const CLIENT_FOLDER = 'clients/typescript';

/**
 * The modules of the client for `import` (in `dist`) and `require` (in `dist/cjs`), with a
 * declaration for each, by their paths in the repository. They are committed, so that the
 * package can be installed from its folder without a build.
 */
export function buildTypeScriptClient(): Readonly<Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'tenor-client-'));
  try {
    compile(folder);
    // A module for `require` may not keep the syntax of the source.
    compile(join(folder, 'cjs'), '--module', 'commonjs', '--verbatimModuleSyntax', 'false');
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const modules = names.filter((name) => /\.(js|ts)$/.test(name)).sort();
    const files = modules.map((name) => [toPath(name), readFileSync(join(folder, name), 'utf8')]);
    return {
      ...Object.fromEntries(files),
      [toPath('cjs/package.json')]: '{ "type": "commonjs" }\n',
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function toPath(name: string): string {
  return `${CLIENT_FOLDER}/dist/${name}`;
}

function compile(outFolder: string, ...options: readonly string[]): void {
  const command = [join(ROOT, 'node_modules/.bin/tsc'), '--outDir', outFolder, ...options];
  const { success, stdout } = Bun.spawnSync(command, { cwd: join(ROOT, CLIENT_FOLDER) });
  if (!success) throw new Error(`the TypeScript client does not compile:\n${stdout}`);
}
