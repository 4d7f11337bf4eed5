import { join } from 'node:path';
import { onceAsync } from '../../../memoize.ts';

/**
 * Scripts and style of the explorer. Views that are not the first are in a script of their own, and
 * what they share with the first in another; so are charts in frames of other sites.
 */
export type Bundle = Readonly<
  Record<'main.js' | 'shared.js' | 'other-views.js' | 'embed.js' | 'main.css', string>
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
  ];
  process.stdout.write(JSON.stringify(nameChunks(files)));
}

/**
 * Gives chunks names without their hash, which scripts then request as a version: a page that was
 * opened before an upgrade must not mix the scripts of two versions.
 */
function nameChunks(files: readonly (readonly [name: string, content: string])[]) {
  const rename = (text: string) =>
    text
      .replace(/\bmain-(\w{8})\.js/g, 'shared.js?v=$1')
      .replace(/\bother-views-(\w{8})\.js/g, 'other-views.js?v=$1');
  return Object.fromEntries(
    files.map(([name, content]) => [rename(name).replace(/\?.*/, ''), rename(content)]),
  );
}
