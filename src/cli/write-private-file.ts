import { existsSync, realpathSync } from 'node:fs';
import { replacePrivateFile } from '../shared/draft-file.ts';
import { explainFileError } from '../shared/file-error.ts';
import { CommandError } from './command.ts';

/** Atomically replaces a file with one that only its owner can read; a symbolic link to it stays. */
export function writePrivateFile(path: string, text: string): void {
  try {
    replacePrivateFile(existsSync(path) ? realpathSync(path) : path, text);
  } catch (cause) {
    const reason = explainFileError(cause as Error, path);
    throw new CommandError(`cannot write ${path}: ${reason}`, false, 2);
  }
}
