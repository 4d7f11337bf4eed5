import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { type BucketTarget, openBucket } from '../../mirror/mirror-target.ts';
import { ensurePrivateFolder, getPrivateFolder } from '../../shared/database-folders.ts';
import { createTemporaryPath } from '../../shared/temporary-path.ts';
import { CommandError } from '../command.ts';
import { findNewestBackup, listBackupNames } from './backup-names.ts';

/** Runs a callback with a folder that only this user can read, and removes the folder. */
export async function withPrivateFolder<T>(callback: (folder: string) => Promise<T>): Promise<T> {
  const folder = createTemporaryPath(tmpdir(), '.tenor-backup', MAX_FOREIGN_AGE_MS);
  mkdirSync(folder, { mode: 0o700 });
  try {
    return await callback(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const MAX_FOREIGN_AGE_MS = 24 * 3_600_000;

/** The database is last: what is in the bucket without it is no backup. */
export async function uploadBackup(bucket: BucketTarget, file: string): Promise<void> {
  const folder = getPrivateFolder(file);
  for (const path of [...readdirSync(folder).map((name) => join(folder, name)), file])
    await bucket.write(path.slice(dirname(file).length + 1), Bun.file(path).stream());
}

/** Deletes all but the newest copies of a file; returns the deleted ones. */
export async function deleteOldUploads(
  bucket: BucketTarget,
  file: string,
  keep: number,
): Promise<string[]> {
  const paths = await bucket.list();
  const old = listBackupNames(file, paths).slice(0, -keep);
  for (const name of old)
    for (const path of [name, ...listPrivatePaths(name, paths)]) await bucket.remove(path);
  return old;
}

/** Copies a backup, or the newest one of a folder or bucket, to a folder; returns its origin and the copy. */
export async function fetchBackup(
  address: string,
  folder: string,
): Promise<{ origin: string; file: string }> {
  const bucket = openBucket(address);
  if (bucket) return fetchUpload(bucket, address, folder);
  if (!existsSync(address)) throw new CommandError(`there is no file or folder ${address}`);
  const newest = statSync(address).isDirectory() && requireNewest(address, readdirSync(address));
  const origin = newest ? join(address, newest) : address;
  const file = join(folder, basename(origin));
  cpSync(origin, file);
  const secrets = getPrivateFolder(origin);
  if (existsSync(secrets)) cpSync(secrets, getPrivateFolder(file), { recursive: true });
  return { origin, file };
}

async function fetchUpload(bucket: BucketTarget, address: string, folder: string) {
  const paths = await bucket.list();
  const name = requireNewest(address, paths);
  const file = join(folder, name);
  ensurePrivateFolder(getPrivateFolder(file));
  for (const path of [name, ...listPrivatePaths(name, paths)])
    await Bun.write(join(folder, path), await bucket.read(path));
  return { origin: `${address.replace(/\/*$/, '')}/${name}`, file };
}

function requireNewest(address: string, names: readonly string[]): string {
  const newest = findNewestBackup(names);
  if (newest !== undefined) return newest;
  throw new CommandError(
    `${address} has no backup with a name such as tenor-2026-11-16T104300Z-r123.db`,
  );
}

const listPrivatePaths = (name: string, paths: readonly string[]) =>
  paths.filter((path) => path.startsWith(`${getPrivateFolder(name)}/`));
