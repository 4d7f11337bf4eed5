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

/** The path of a draft in a folder; it is renamed once it is complete. */
export function createDraftPath(folder: string): string {
  return createTemporaryPath(folder, '.tenor-draft', MAX_FOREIGN_AGE_MS);
}

/** Commands in killed containers often have no successor in the same container to clean up. */
const MAX_FOREIGN_AGE_MS = 24 * 3_600_000;

/** Removes a draft, and the files and folders that belong to it as a database. */
export function removeDraft(draft: string): void {
  const folder = dirname(draft);
  for (const name of readdirSync(folder))
    if (name.startsWith(basename(draft)))
      rmSync(join(folder, name), { recursive: true, force: true });
}

/** Renames a file once it is completely on disk. */
export function moveToDisk(from: string, to: string): void {
  syncToDisk(from);
  renameSync(from, to);
}

/** Atomically replaces a file with one that only its owner can read. */
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
