import { renameSync, rmSync, type Stats, statSync } from 'node:fs';
import { StoreUnavailableError } from '../errors.ts';
import type { FileIdentity } from '../reader.ts';

/** The file that a path led to when this was called. */
export class OpenedDatabaseFile {
  readonly identity: FileIdentity;
  /** The write-ahead log and its index, which are opened with the first statement. */
  readonly #sidecars = new Map<string, FileIdentity>();

  /** Throws if it is not the expected one. */
  constructor(
    private readonly path: string,
    expected?: FileIdentity,
  ) {
    const { dev, ino } = readStatus(path);
    this.identity = { dev, ino };
    if (expected && !isSame(this.identity, expected))
      throw new StoreUnavailableError(`the database file ${path} was replaced`);
  }

  /** Whether the path still leads to it. */
  isAtPath(): boolean {
    return isSame(this.#find(''), this.identity);
  }

  /** Remembers which files next to it belong to it. */
  rememberSidecars(): void {
    for (const suffix of ['-wal', '-shm']) {
      const status = this.#find(suffix);
      if (status) this.#sidecars.set(suffix, status);
    }
  }

  /** Whether the files next to it are still those that belong to it. */
  hasSidecars(): boolean {
    return [...this.#sidecars].every(([suffix, identity]) => isSame(this.#find(suffix), identity));
  }

  /** Whether its write-ahead log holds anything. */
  hasLog(): boolean {
    return (this.#find('-wal')?.size ?? 0) > 0;
  }

  /**
   * Once another file has its path, or was copied over it: SQLite would apply a write-ahead log that still lies there to
   * that file, and damage it. The log is kept under another name, as it may hold revisions.
   */
  moveSidecarsAside(): void {
    for (const [suffix, identity] of this.#sidecars) {
      const file = `${this.path}${suffix}`;
      const status = this.#find(suffix);
      if (!status || !isSame(status, identity)) continue;
      if (suffix === '-wal' && status.size > 0) renameSync(file, `${file}.replaced`);
      else rmSync(file, { force: true });
    }
  }

  #find(suffix: string): Stats | undefined {
    return statSync(`${this.path}${suffix}`, { throwIfNoEntry: false });
  }
}

function isSame(one: FileIdentity | undefined, other: FileIdentity): boolean {
  return one?.ino === other.ino && one.dev === other.dev;
}

/** The state of a database file; throws a StoreUnavailableError if there is none. */
export function readStatus(path: string): Stats {
  const status = statSync(path, { throwIfNoEntry: false });
  if (!status) throw new StoreUnavailableError(`the database file ${path} is gone`);
  return status;
}
