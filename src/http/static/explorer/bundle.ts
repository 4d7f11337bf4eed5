import { join } from 'node:path';

/** What the page loads. */
export type Bundle = Readonly<Record<'main.js' | 'main.css', string>>;

let bundlePromise: Promise<Bundle> | undefined;

/** Makes the page's script and style out of their sources, once. */
export function getExplorerBundle(): Promise<Bundle> {
  bundlePromise ??= buildExplorerBundle(join(import.meta.dirname, '../../../explorer')).catch(
    (cause) => {
      bundlePromise = undefined;
      throw cause;
    },
  );
  return bundlePromise;
}

/**
 * Makes them out of the sources in a folder, in a process of its own: what a bundler takes of
 * memory is given back when it ends.
 */
export async function buildExplorerBundle(sources: string): Promise<Bundle> {
  const bundler = Bun.spawn([process.execPath, import.meta.filename, sources], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [output, said, code] = await Promise.all([
    bundler.stdout.text(),
    bundler.stderr.text(),
    bundler.exited,
  ]);
  if (code !== 0) throw new Error(`the explorer cannot be bundled: ${said.trim()}`);
  return JSON.parse(output) as Bundle;
}

if (import.meta.main) {
  const [sources = ''] = process.argv.slice(2);
  const { outputs } = await Bun.build({
    entrypoints: ['main.tsx', 'style/main.css'].map((file) => join(sources, file)),
    target: 'browser',
    format: 'esm',
    minify: true,
    naming: '[name].[ext]',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const files = await Promise.all(outputs.map(async (o) => [o.path.slice(2), await o.text()]));
  process.stdout.write(JSON.stringify(Object.fromEntries(files)));
}
