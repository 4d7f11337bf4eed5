import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, truncate, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { EVERYTHING } from '../../http/scrub/known-damage.ts';
import { getCacheFile } from '../../shared/database-folders.ts';
import { getLocalName } from '../../shared/postgres-url.ts';
import { system } from '../../shared/system.ts';
import type { ReaderSource } from '../../store/open-store.ts';
import { readChunks, type StoredFile } from './export-file.ts';

const DIGEST_BYTES = 32;
/** Of a file that is being created; a killed process leaves it behind. */
const PART = /\.part$/;
const MAX_PART_AGE_MS = 600_000;

/** The cache by its setting, which may leave the folder to the database; undefined if it is off. */
export function openExportCache(
  setting: { readonly folder: string | undefined; readonly maxBytes: number } | null | undefined,
  source: ReaderSource | undefined,
): ExportCache | undefined {
  const { maxBytes } = setting ?? {};
  const folder = setting?.folder ?? (source && getFolder(source));
  return folder && maxBytes ? new ExportCache({ folder, maxBytes }) : undefined;
}

function getFolder(source: ReaderSource): string {
  return getCacheFile('path' in source ? source.path : getLocalName(source.urls.join()), 'exports');
}

interface ExportCacheOptions {
  readonly folder: string;
  readonly maxBytes: number;
}

/** A file that is being created. */
export interface PartFile {
  readonly path: string;
  write(bytes: Uint8Array): Promise<void>;
  /** Gives it the digest of its bytes and its name. */
  complete(digest: Uint8Array): Promise<void>;
  discard(): Promise<void>;
}

/**
 * Complete exports as files that processes share. A file has its name once it is complete, and ends
 * with the SHA-256 digest of what is before that. Those that were not used for longest are removed.
 */
export class ExportCache {
  constructor(private readonly options: ExportCacheOptions) {}

  /** Undefined if there is no such file. */
  async open(name: string): Promise<StoredFile | undefined> {
    const path = join(this.options.folder, name);
    const handle = await open(path, 'r').catch(() => undefined);
    if (!handle) return undefined;
    try {
      const now = system.now() / 1_000;
      await utimes(path, now, now).catch(() => {});
      const bytes = (await handle.stat()).size - DIGEST_BYTES;
      const digest = new Uint8Array(DIGEST_BYTES);
      const { bytesRead } = await handle.read(digest, 0, DIGEST_BYTES, Math.max(0, bytes));
      if (bytesRead === DIGEST_BYTES)
        return {
          bytes,
          digest,
          read: (span) => readChunks(handle, span),
          close: () => handle.close(),
        };
    } catch {
      // It is created again.
    }
    await handle.close();
    return undefined;
  }

  /** Throws if no file can be created. */
  async create(name: string): Promise<PartFile> {
    const { folder } = this.options;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await this.#makeRoom();
    const path = join(folder, `${name}.${randomBytes(8).toString('hex')}.part`);
    const handle = await open(path, 'wx', 0o600);
    let unchecked = 0;
    return {
      path,
      write: async (bytes) => {
        for (let from = 0; from < bytes.length; )
          from += (await handle.write(bytes, from)).bytesWritten;
        unchecked += bytes.length;
        if (unchecked < this.options.maxBytes / 64) return;
        unchecked = 0;
        if (!(await this.#makeRoom())) throw new Error('it is larger than the cache');
      },
      complete: async (digest) => {
        await handle.write(digest);
        // Otherwise a power cut could leave a name with other bytes.
        await handle.datasync();
        await handle.close();
        await rename(path, join(folder, name));
      },
      discard: async () => {
        await handle.close().catch(() => {});
        await rm(path, { force: true });
      },
    };
  }

  /** Removes the files of datasets that are damaged; what is being sent of them breaks off. */
  async drop(datasets: readonly string[]): Promise<void> {
    const isDropped = (name: string) =>
      datasets.includes(EVERYTHING) || datasets.includes(name.slice(0, name.indexOf('.')));
    for (const { path, name } of await this.#list()) {
      if (PART.test(name) || !isDropped(name)) continue;
      await truncate(path).catch(() => {});
      await rm(path, { force: true });
    }
  }

  /** Returns whether what is being created leaves no more than the maximum. */
  async #makeRoom(): Promise<boolean> {
    const files = (await this.#list()).sort((a, b) => a.usedMs - b.usedMs);
    let bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    for (const file of files) {
      const isAbandoned = file.usedMs < system.now() - MAX_PART_AGE_MS;
      if (PART.test(file.name) ? !isAbandoned : bytes <= this.options.maxBytes) continue;
      await rm(file.path, { force: true });
      bytes -= file.bytes;
    }
    return bytes <= this.options.maxBytes;
  }

  async #list() {
    const { folder } = this.options;
    const names = await readdir(folder).catch(() => []);
    const files = names.map(async (name) => {
      const path = join(folder, name);
      // Another process may have removed it.
      const status = await stat(path).catch(() => undefined);
      return status?.isFile() ? [{ name, path, bytes: status.size, usedMs: status.mtimeMs }] : [];
    });
    return (await Promise.all(files)).flat();
  }
}
