import { join } from 'node:path';
import { onceAsync } from '../../../shared/memoize.ts';

/**
 * Scripts and style of the explorer. Views that are not the first are in a script of their own, and
 * what they share with the first in another; so are charts in frames of other sites, and what writes
 * a chart as a workbook.
 */
export type Bundle = Readonly<
  Record<
    'main.js' | 'shared.js' | 'other-views.js' | 'write-workbook.js' | 'embed.js' | 'main.css',
    string
  >
>;

export const getExplorerBundle = onceAsync(() =>
  buildExplorerBundle(join(import.meta.dirname, '../../../explorer')),
);

/** Bundles a source directory, in a process of its own, so that its memory is freed. */
export async function buildExplorerBundle(sources: string): Promise<Bundle> {
  const bundler = Bun.spawn([process.execPath, import.meta.filename, sources], {
    // Not the user's working directory, whose bunfig.toml and .env Bun would apply.
    cwd: sources,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [output, stderr, code] = await Promise.all([
    bundler.stdout.text(),
    bundler.stderr.text(),
    bundler.exited,
  ]);
  if (code !== 0) throw new Error(`the explorer cannot be bundled: ${stderr.trim()}`);
  return JSON.parse(output) as Bundle;
}

if (import.meta.main) {
  const [sources = ''] = process.argv.slice(2);
  const build = async (entrypoints: readonly string[], splitting: boolean) => {
    const { outputs } = await Bun.build({
      entrypoints: entrypoints.map((file) => join(sources, file)),
      target: 'browser',
      format: 'esm',
      minify: true,
      splitting,
      external: ['*/write-workbook.ts'],
      naming: { entry: '[name].[ext]', chunk: '[name]-[hash].[ext]' },
      define: { 'process.env.NODE_ENV': '"production"' },
    });
    return Promise.all(
      outputs.map(async (output) => [output.path.slice(2), await output.text()] as const),
    );
  };
  const files = [
    ...(await build(['main.tsx', 'style/main.css'], true)),
    ...(await build(['embed.tsx'], false)),
    ...(await build(['export/write-workbook.ts'], false)),
  ];
  process.stdout.write(JSON.stringify(nameChunks(files)));
}

type BundledFile = readonly [name: string, content: string];

/**
 * Gives chunks fixed names, which scripts request with a version: a page that was opened before an
 * upgrade must not mix the scripts of two versions. The version follows from the contents alone,
 * because each process bundles by itself.
 */
function nameChunks(files: readonly BundledFile[]) {
  const rename = (text: string, version: string) =>
    text
      .replace(/\bwrite-workbook\.ts/g, `write-workbook.js?v=${version}`)
      .replace(/\bmain-\w{8}\.js/g, `shared.js?v=${version}`)
      .replace(/\bother-views-\w{8}\.js/g, `other-views.js?v=${version}`);
  const numbered = files.map(([name, content]) => [name, numberChunks(content)] as const);
  const contents = numbered.map(([, content]) => rename(content, '')).toSorted();
  const version = Bun.hash(contents.join()).toString(36);
  return Object.fromEntries(
    numbered.map(([name, content]) => [
      rename(name, version).replace(/\?.*/, ''),
      rename(content, version),
    ]),
  );
}

/** Scripts refer to chunks by hashes that depend on where the sources are; numbers do not. */
function numberChunks(script: string): string {
  const [, list = ''] = /\(import\.meta\.url,\[((?:"\w{8}",?)+)\]/.exec(script) ?? [];
  return list
    .split(',')
    .filter(Boolean)
    .reduce((text, hash, index) => text.replaceAll(hash, `"${index}"`), script);
}
