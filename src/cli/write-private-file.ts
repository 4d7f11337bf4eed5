import { existsSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createDraftPath, moveToDisk, removeDraft } from '../shared/draft-file.ts';
import { explainFileError } from '../shared/file-error.ts';
import { CommandError } from './command.ts';

/** Replaces a file in one step by one that only its owner can read; a link to it stays. */
export function writePrivateFile(path: string, text: string): void {
  try {
    const target = existsSync(path) ? realpathSync(path) : path;
    const draft = createDraftPath(dirname(target));
    try {
      writeFileSync(draft, text, { flag: 'wx', mode: 0o600 });
      moveToDisk(draft, target);
    } finally {
      removeDraft(draft);
    }
  } catch (cause) {
    const reason = explainFileError(cause as Error, path);
    throw new CommandError(`cannot write ${path}: ${reason}`, false, 2);
  }
}
