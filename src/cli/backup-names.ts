import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';

/** The name of a copy among others: `tenor-2026-11-16T104300Z-r123.db` for `tenor.db`. */
export function formatBackupName(file: string, instant: Date, revision: number): string {
  const time = `${instant.toISOString().slice(0, 19).replaceAll(':', '')}Z`;
  const { stem, extension } = splitName(file);
  return `${stem}-${time}-r${revision}${extension}`;
}

/** Deletes all but the newest copies, one of which was just written; returns what it deleted. */
export function deleteOldBackups(file: string, written: string, keep: number): string[] {
  const folder = dirname(file);
  const earlier = readdirSync(folder)
    .filter((name) => isBackupName(file, name) && name !== basename(written))
    .toSorted()
    .map((name) => join(folder, name));
  const old = earlier.slice(0, Math.max(0, earlier.length - (keep - 1)));
  for (const name of old) {
    rmSync(name, { force: true });
    rmSync(`${name}-tokens`, { force: true });
  }
  return old;
}

function isBackupName(file: string, name: string): boolean {
  const { stem, extension } = splitName(file);
  if (!name.startsWith(`${stem}-`) || !name.endsWith(extension)) return false;
  const middle = name.slice(stem.length, name.length - extension.length);
  return /^-\d{4}-\d\d-\d\dT\d{6}Z-r\d+$/.test(middle);
}

function splitName(file: string) {
  const extension = extname(file);
  return { stem: basename(file, extension), extension };
}
