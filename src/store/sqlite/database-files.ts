import { findLocation, isSameFile } from '../../shared/same-file.ts';
import { InvalidTargetFileError } from '../errors.ts';
import { isSqliteFile } from './tenor-file.ts';

/** What follows the path of a database in the paths of its files, of which the local token is one. */
const DATABASE_SUFFIXES = [
  ...['', '-wal', '-shm', '-journal', '-wal.replaced', '-commit', '.token'],
  ...['-tokens', '-tokens-wal', '-tokens-shm', '-tokens-journal', '-tokens-reserve'],
  '-ledger-key',
];

/** Whether a file is one of a database, by whatever name and link it is called. */
export function isFileOf(database: string, file: string): boolean {
  return [database, findLocation(database)].some((path) =>
    DATABASE_SUFFIXES.some((suffix) => isSameFile(`${path}${suffix}`, file)),
  );
}

/** Rejects a file that is a SQLite database, or is named like a file of one. */
export function assertNoDatabaseFile(file: string): void {
  const path = findLocation(file);
  for (const suffix of DATABASE_SUFFIXES) {
    const database = path.slice(0, path.length - suffix.length);
    if (path.endsWith(suffix) && isSqliteFile(database))
      throw new InvalidTargetFileError(
        `${file} belongs to the database ${database}, and is not replaced`,
      );
  }
}
