import { copyFileSync, readFileSync } from 'node:fs';
import { getSignersFile } from '../../src/store/sqlite/signers-file.ts';
import { checkpoint, openDatabaseFile, type SqliteTestStore } from './store.ts';

/** Copies a file whose write-ahead log is empty, with the private key of its log. */
export function copyDatabase(from: string, to: string): void {
  for (const getFile of [(path: string) => path, getSignersFile])
    copyFileSync(getFile(from), getFile(to));
}

/** A copy of a database with the private key of its log, which can be put back later. */
export async function copyStore({ path }: SqliteTestStore): Promise<SqliteTestStore> {
  checkpoint(path);
  const copy = await openDatabaseFile(readFileSync(path));
  copyFileSync(getSignersFile(path), getSignersFile(copy.path));
  return copy;
}
