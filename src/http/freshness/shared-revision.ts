import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The newest revision of the responses of several processes that serve together. */
export interface SharedRevision {
  /** The part of it that is about the database with this secret. */
  select(secret: Uint8Array): DatabaseRevision;
}

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
  return { path: `/proc/${process.pid}/fd/${descriptor}`, close: () => closeSync(descriptor) };
}

function createTemporaryFolder(): string {
  try {
    return mkdtempSync(join(SHARED_MEMORY_FOLDER, 'tenor-'));
  } catch {
    return mkdtempSync(join(tmpdir(), 'tenor-'));
  }
}

/** Opens the number of such a file, which the processes have in memory together. */
export function openSharedRevision(path: string): SharedRevision {
  return createSharedRevision(new BigUint64Array(Bun.mmap(path, { shared: true }).buffer));
}

export function createSharedRevision(numbers: BigUint64Array): SharedRevision {
  return { select: (secret) => new DatabaseRevision(numbers, Bun.hash.xxHash32(secret)) };
}

/**
 * The shared number, as seen by a process that serves one database. Above the revision it has a hash
 * of the secret in that database, which every process reads alike: while some have not noticed yet
 * that another one has taken its place, neither follows the revisions of the other.
 */
export class DatabaseRevision {
  constructor(
    private readonly numbers: BigUint64Array,
    private readonly database: number,
  ) {}

  /** 0 if the number is one of another database. */
  get(): number {
    const shared = Atomics.load(this.numbers, 0);
    return Number(shared >> 32n) === this.database ? Number(shared & 0xffff_ffffn) : 0;
  }

  /** Whether a process that serves another database has set the number. */
  isOfOther(): boolean {
    const shared = Atomics.load(this.numbers, 0);
    return shared !== 0n && Number(shared >> 32n) !== this.database;
  }

  /** Raises it, unless it is as high already. */
  raise(revision: number): void {
    for (;;) {
      const shared = Atomics.load(this.numbers, 0);
      const next = this.#pack(revision);
      if (shared >> 32n === next >> 32n && shared >= next) return;
      if (Atomics.compareExchange(this.numbers, 0, shared, next) === shared) return;
    }
  }

  /** Takes back a revision that the database has not got, if the number is still that one. */
  takeBack(revision: number, newest: number): void {
    Atomics.compareExchange(this.numbers, 0, this.#pack(revision), this.#pack(newest));
  }

  #pack(revision: number): bigint {
    return (BigInt(this.database) << 32n) | BigInt(revision);
  }
}
