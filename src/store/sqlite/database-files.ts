import { dirname } from 'node:path';
import { FOLDER_SUFFIXES, isInDatabaseFolder } from '../../shared/database-folders.ts';
import { findLocation, isSameFile } from '../../shared/same-file.ts';
import { InvalidTargetFileError } from '../errors.ts';
import { isSqliteFile } from './tenor-file.ts';

/** What follows the path of a database in the paths of the files beside it. */
const DATABASE_SUFFIXES = ['', '-wal', '-shm', '-journal', '-wal.replaced'];

/** Whether a file is one of a database, by whatever name and link it is called. */
export function isFileOf(database: string, file: string): boolean {
  return (
    isInDatabaseFolder(database, file) ||
    [database, findLocation(database)].some((path) =>
      DATABASE_SUFFIXES.some((suffix) => isSameFile(`${path}${suffix}`, file)),
    )
  );
}

/** Rejects a file that is a SQLite database, or is named like a file of one. */
export function assertNoDatabaseFile(file: string): void {
  const path = findLocation(file);
  const owners = [
    ...DATABASE_SUFFIXES.map((suffix) => [path, suffix] as const),
    ...FOLDER_SUFFIXES.map((suffix) => [dirname(path), suffix] as const),
  ];
  for (const [named, suffix] of owners) {
    const database = named.slice(0, named.length - suffix.length);
    if (named.endsWith(suffix) && isSqliteFile(database))
      throw new InvalidTargetFileError(
        `${file} belongs to the database ${database}, and is not replaced`,
      );
  }
}
