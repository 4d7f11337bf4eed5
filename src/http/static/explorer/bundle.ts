import { join } from 'node:path';
import { onceAsync } from '../../../memoize.ts';

/** Scripts and style of the explorer; charts in frames of other sites have a script of their own. */
export type Bundle = Readonly<Record<'main.js' | 'embed.js' | 'main.css', string>>;

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
  const { outputs } = await Bun.build({
    entrypoints: ['main.tsx', 'embed.tsx', 'style/main.css'].map((file) => join(sources, file)),
    target: 'browser',
    format: 'esm',
    minify: true,
    naming: '[name].[ext]',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const files = await Promise.all(outputs.map(async (o) => [o.path.slice(2), await o.text()]));
  process.stdout.write(JSON.stringify(Object.fromEntries(files)));
}
