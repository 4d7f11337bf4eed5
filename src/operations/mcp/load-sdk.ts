import { join } from 'node:path';

export type Sdk = typeof import('@modelcontextprotocol/server');

/** Where the SDK is loaded from. */
export interface SdkSource {
  importPackage(): Promise<Sdk>;
  /** Throws the cause if there is none. */
  importBundle(cause: unknown): Promise<Sdk>;
}

/**
 * Loads the SDK. A module that cannot be read once, while files are short or being replaced, fails
 * for as long as the process runs, and so does all that imports it: then a bundle is loaded, which
 * another process makes, and which shares no module with the one that failed.
 */
export async function loadSdk(source: SdkSource = INSTALLED_SDK): Promise<Sdk> {
  try {
    return await source.importPackage();
  } catch (cause) {
    return source.importBundle(cause);
  }
}

const INSTALLED_SDK: SdkSource = {
  importPackage: () => import('@modelcontextprotocol/server'),
  async importBundle(cause) {
    const bundle = await bundleSdk(cause);
    const url = URL.createObjectURL(new Blob([bundle], { type: 'text/javascript' }));
    try {
      return await import(url);
    } finally {
      URL.revokeObjectURL(url);
    }
  },
};

async function bundleSdk(cause: unknown): Promise<string> {
  const entry = join(import.meta.dirname, 'sdk.ts');
  const bundler = Bun.spawn([process.execPath, 'build', '--target=bun', entry], {
    // Not the user's working directory, whose bunfig.toml and .env Bun would apply.
    cwd: import.meta.dirname,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'ignore',
  });
  const [bundle, code] = await Promise.all([bundler.stdout.text(), bundler.exited]);
  if (code !== 0) throw cause;
  return bundle;
}
