/** The state of a copy, which `PATH.tenor.json` holds. */
export interface CopyState {
  readonly dataset: string;
  readonly revision: number;
  /** Number and instant of the last revision of the dataset: another database has others. */
  readonly lastChange: string;
  /** SHA-256 of the copy: one that was changed otherwise is copied again. */
  readonly digest: string;
}

/** The functions of Node that are needed; Bun and Deno have them too. */
interface FileSystem {
  readFile(path: string): Promise<Uint8Array<ArrayBuffer>>;
  writeFile(path: string, text: Uint8Array, options: { flush: boolean }): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  rm(path: string, options: { force: boolean }): Promise<void>;
  readdir(path: string): Promise<string[]>;
  stat(path: string): Promise<{ readonly mtimeMs: number }>;
}

const MAX_PART_AGE_MS = 24 * 60 * 60 * 1_000;

/** The state of an intact copy of a dataset, and its text. */
export async function readCopy(dataset: string, path: string) {
  const { readFile } = await importFileSystem();
  try {
    const decoder = new TextDecoder();
    const state = JSON.parse(decoder.decode(await readFile(getStatePath(path)))) as CopyState;
    const bytes = await readFile(path);
    const isIntact = state.dataset === dataset && state.digest === (await digest(bytes));
    return isIntact ? { state, text: decoder.decode(bytes) } : undefined;
  } catch {
    return undefined;
  }
}

/** Writes the copy before its state: after a crash in between, the digest does not fit. */
export async function writeCopy(
  path: string,
  text: string,
  state: Omit<CopyState, 'digest'>,
): Promise<void> {
  const bytes = new TextEncoder().encode(text);
  const complete: CopyState = { ...state, digest: await digest(bytes) };
  await replaceFile(path, bytes);
  await replaceFile(getStatePath(path), new TextEncoder().encode(`${JSON.stringify(complete)}\n`));
}

/** No other call writes to the same temporary file. */
async function replaceFile(path: string, bytes: Uint8Array): Promise<void> {
  const fileSystem = await importFileSystem();
  await removeOldParts(fileSystem, path);
  const part = `${path}.${crypto.randomUUID()}.part`;
  try {
    await fileSystem.writeFile(part, bytes, { flush: true });
    await fileSystem.rename(part, path);
  } finally {
    await fileSystem.rm(part, { force: true });
  }
}

/** A process that was killed leaves its part; it is removed a day later. */
async function removeOldParts(fileSystem: FileSystem, path: string): Promise<void> {
  const folder = path.replace(/[^/\\]*$/, '');
  const prefix = `${path.slice(folder.length)}.`;
  for (const name of await fileSystem.readdir(folder || '.')) {
    if (!name.startsWith(prefix) || !name.endsWith('.part')) continue;
    try {
      const { mtimeMs } = await fileSystem.stat(folder + name);
      if (Date.now() - mtimeMs > MAX_PART_AGE_MS)
        await fileSystem.rm(folder + name, { force: true });
    } catch {}
  }
}

function getStatePath(path: string): string {
  return `${path}.tenor.json`;
}

function importFileSystem(): Promise<FileSystem> {
  // A name that is not literal keeps bundlers and type checkers from resolving it.
  return import('node:fs/promises' as string);
}

async function digest(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
