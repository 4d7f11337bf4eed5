import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { InvalidFileError, openFileInput } from '../../formats/read-contents.ts';
import type { SourceFile } from '../../store/open-store.ts';

/** A file to be loaded: where it is, and the name that reports give it. */
export interface FileToLoad {
  readonly path: string;
  readonly name: string;
}

/** What tells a file from every other, and a way to see whether it is still the same. */
export interface FileFingerprint extends SourceFile {
  /** Throws where the file was written to since. */
  assertUnchanged(): void;
}

/** Reads a file once for its size and SHA-256. */
export async function fingerprintFile({ path, name }: FileToLoad): Promise<FileFingerprint> {
  // What cannot be opened is refused in the words that all files are refused with.
  (await openFileInput(path)).close();
  const before = getFileState(path);
  const hasher = new Bun.CryptoHasher('sha256');
  let bytes = 0;
  for await (const chunk of Bun.file(path).stream()) {
    hasher.update(chunk);
    bytes += chunk.byteLength;
  }
  return {
    name: basename(name),
    bytes,
    sha256: hasher.digest('hex'),
    assertUnchanged() {
      if (getFileState(path) !== before) {
        throw new InvalidFileError(`${name} was written to while it was read; load it again`);
      }
    },
  };
}

function getFileState(path: string): string {
  const { size, mtimeMs, ino } = statSync(path);
  return `${size} ${mtimeMs} ${ino}`;
}
