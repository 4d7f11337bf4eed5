import { copyFileSync, cpSync, readFileSync } from 'node:fs';
import { getPrivateFolder } from '../../src/shared/database-folders.ts';
import { getSignersFile } from '../../src/store/sqlite/signers-file.ts';
import { checkpoint, openDatabaseFile, type SqliteTestStore } from './store.ts';

/** Copies a database whose write-ahead log is empty, with its private folder. */
export function copyDatabase(from: string, to: string): void {
  copyFileSync(from, to);
  cpSync(getPrivateFolder(from), getPrivateFolder(to), { recursive: true });
}

/** A copy of a database with the private key of its log, which can be put back later. */
export async function copyStore({ path }: SqliteTestStore): Promise<SqliteTestStore> {
  checkpoint(path);
  const copy = await openDatabaseFile(readFileSync(path));
  copyFileSync(getSignersFile(path), getSignersFile(copy.path));
  return copy;
}
