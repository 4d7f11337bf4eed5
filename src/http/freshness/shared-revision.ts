import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The newest revision of the responses of several processes that serve together. */
export type SharedRevision = ReturnType<typeof openSharedRevision>;

/** A number that other processes of this user can open, on Linux, until it is closed. */
export interface SharedNumberFile {
  readonly path: string;
  close(): void;
}

const BYTES = 8;
/** In memory, and writable where the other folders may not be. */
const SHARED_MEMORY_FOLDER = '/dev/shm';

/** Creates a file without a name, so that nothing is left of it when the process ends. */
export function createSharedNumberFile(): SharedNumberFile {
  const folder = createTemporaryFolder();
  const descriptor = openSync(join(folder, 'number'), 'wx+', 0o600);
  rmSync(folder, { recursive: true });
  ftruncateSync(descriptor, BYTES);
  return {
    path: `/proc/${process.pid}/fd/${descriptor}`,
    close: () => closeSync(descriptor),
  };
}

function createTemporaryFolder(): string {
  try {
    return mkdtempSync(join(SHARED_MEMORY_FOLDER, 'tenor-'));
  } catch {
    return mkdtempSync(join(tmpdir(), 'tenor-'));
  }
}

/**
 * Opens the number of such a file, which the processes have in memory together. Above the revision
 * it has a count of the databases that were served: a process that has not noticed a new one yet
 * neither changes its revision nor follows it.
 */
export function openSharedRevision(path: string) {
  const numbers = new BigInt64Array(Bun.mmap(path, { shared: true }).buffer);
  const load = () => unpack(Atomics.load(numbers, 0));
  const replace = (known: DatabaseRevision, next: DatabaseRevision) =>
    Atomics.compareExchange(numbers, 0, pack(known), pack(next)) === pack(known);
  let { database } = load();
  return {
    get(): number {
      const known = load();
      return known.database === database ? known.revision : 0;
    },
    /** Raises it, unless it is as high already. */
    raise(revision: number) {
      for (;;) {
        const known = load();
        if (known.database !== database || known.revision >= revision) return;
        if (replace(known, { database, revision })) return;
      }
    },
    /** Forgets it, because another database has taken the place of the one that was served. */
    restart() {
      for (;;) {
        const known = load();
        const isNoticed = known.database > database;
        const next = { database: known.database + 1, revision: 0 };
        if (!isNoticed && !replace(known, next)) continue;
        database = isNoticed ? known.database : next.database;
        return;
      }
    },
  };
}

interface DatabaseRevision {
  readonly database: number;
  readonly revision: number;
}

function pack({ database, revision }: DatabaseRevision): bigint {
  return (BigInt(database) << 32n) | BigInt(revision);
}

function unpack(packed: bigint): DatabaseRevision {
  return { database: Number(packed >> 32n), revision: Number(packed & 0xffff_ffffn) };
}
