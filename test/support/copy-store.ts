import { copyFileSync, readFileSync } from 'node:fs';
import { getSignersFile } from '../../src/store/sqlite/signers-file.ts';
import { checkpoint, openDatabaseFile, type SqliteTestStore } from './store.ts';

/** A copy of a database with the private key of its log, which can be put back later. */
export async function copyStore({ path }: SqliteTestStore): Promise<SqliteTestStore> {
  checkpoint(path);
  const copy = await openDatabaseFile(readFileSync(path));
  copyFileSync(getSignersFile(path), getSignersFile(copy.path));
  return copy;
}
