import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createTemporaryPath } from './temporary-path.ts';

/** The path of a file in a folder, which gets its name when it is complete. */
export function createDraftPath(folder: string): string {
  return createTemporaryPath(folder, '.tenor-draft', MAX_FOREIGN_AGE_MS);
}

/** A command in a container that was killed is often not followed by one of the same container. */
const MAX_FOREIGN_AGE_MS = 24 * 3_600_000;

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

/** Replaces a file in one step by one that only its owner can read. */
export function replacePrivateFile(path: string, text: string): void {
  const folder = dirname(path);
  const draft = createDraftPath(folder);
  try {
    writeFileSync(draft, text, { flag: 'wx', mode: 0o600 });
    moveToDisk(draft, path);
    syncToDisk(folder);
  } finally {
    removeDraft(draft);
  }
}

export function syncToDisk(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
