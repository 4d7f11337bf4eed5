import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { findLocation } from './same-file.ts';

/*
 * Beside a database are two folders: one with what belongs to it and is secret, such as tokens and the
 * key of its ledger, and one with what can be computed again. For a database on a server they have its
 * name, and are in `data` on each machine.
 */

const PRIVATE_SUFFIX = '.private';
const CACHE_SUFFIX = '.cache';
export const FOLDER_SUFFIXES = [PRIVATE_SUFFIX, CACHE_SUFFIX];

export function getPrivateFolder(database: string): string {
  return followLink(database) + PRIVATE_SUFFIX;
}

/** By whatever symbolic link a database is called, it has the same files. */
export function getPrivateFile(database: string, name: string): string {
  return join(getPrivateFolder(database), name);
}

export function getCacheFile(database: string, name: string): string {
  return join(followLink(database) + CACHE_SUFFIX, name);
}

/** The file with the token for the user who starts a server on this machine. */
export function getLocalTokenFile(database: string): string {
  return getPrivateFile(database, 'local-token');
}

/** Whether a file is in a folder of a database, or is one. */
export function isInDatabaseFolder(database: string, file: string): boolean {
  const location = `${findLocation(file)}${sep}`;
  return FOLDER_SUFFIXES.some((suffix) =>
    location.startsWith(`${findLocation(followLink(database) + suffix)}${sep}`),
  );
}

const OWNER_ONLY = 0o700;

/** Makes a folder that its owner alone can use, whatever the umask; one that exists keeps its mode. */
export function ensurePrivateFolder(folder: string): void {
  if (mkdirSync(folder, { recursive: true, mode: OWNER_ONLY })) chmodSync(folder, OWNER_ONLY);
}

function followLink(path: string): string {
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink();
  return isLink ? findLocation(path) : path;
}
