import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isRunning } from './temporary-folder.ts';

/**
 * The path of a temporary file in a folder, which gets its name when it is complete. Removes what
 * killed processes left there.
 */
export function createDraftPath(folder: string): string {
  for (const name of readdirSync(folder)) {
    const pid = Number(DRAFT_PATTERN.exec(name)?.groups?.pid);
    // This process has no other draft: one of its number is of an earlier process.
    if (pid === process.pid || (pid && !isRunning(pid))) removeIfAllowed(join(folder, name));
  }
  return join(folder, `.tenor-draft-${process.pid}-${randomBytes(4).toString('hex')}`);
}

/** Earlier releases called the drafts of backups by another name. */
const DRAFT_PATTERN = /^\.tenor-(?:draft|backup)-(?<pid>\d+)-[0-9a-f]{8}/;

/** Removes a draft, and the files that SQLite made next to it. */
export function removeDraft(draft: string): void {
  const folder = dirname(draft);
  for (const name of readdirSync(folder))
    if (name.startsWith(basename(draft))) rmSync(join(folder, name), { force: true });
}

/** Renames a file once all of it is on the disk. */
export function moveToDisk(from: string, to: string): void {
  syncToDisk(from);
  renameSync(from, to);
}

export function syncToDisk(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function removeIfAllowed(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch (cause) {
    // In a shared folder, that of another user stays.
    if (!/^(EPERM|EACCES)$/.test((cause as NodeJS.ErrnoException).code ?? '')) throw cause;
  }
}
