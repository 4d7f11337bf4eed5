import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { getPrivateFile } from '../../shared/database-folders.ts';
import { replacePrivateFile } from '../../shared/draft-file.ts';
import { explainFileError } from '../../shared/file-error.ts';
import { StoreUnavailableError } from '../errors.ts';

/**
 * The private keys of the ledger's log, a line each: who reads the database need not read them. They
 * may be behind a link.
 */
export function getSignersFile(path: string): string {
  const file = getPrivateFile(path, 'ledger-key');
  return existsSync(file) ? realpathSync(file) : file;
}

export function readSigners(path: string): string[] {
  try {
    return readFileSync(getSignersFile(path), 'utf8').split(/\r?\n/).filter(Boolean);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return [];
    const { message } = cause as Error;
    const file = getSignersFile(path);
    throw new StoreUnavailableError(
      `cannot read the private key of the ledger in ${file}: ${message}`,
      { cause },
    );
  }
}

/** The file is as it was, or has all lines. */
export function writeSigners(path: string, lines: readonly string[]): void {
  const file = getSignersFile(path);
  try {
    replacePrivateFile(file, [...new Set(lines)].map((line) => `${line}\n`).join(''));
  } catch (cause) {
    throw new StoreUnavailableError(explainFileError(cause as Error, file), { cause });
  }
}
