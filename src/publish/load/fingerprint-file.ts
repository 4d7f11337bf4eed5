import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { InvalidFileError, type NamedFile, openFileInput } from '../../formats/read-contents.ts';
import type { SourceFile } from '../../store/open-store.ts';

export interface FileFingerprint extends SourceFile {
  /** The reason not to publish, if the file has changed since it was read. */
  findChange(): InvalidFileError | undefined;
}

export async function fingerprintFile({ path, name }: NamedFile): Promise<FileFingerprint> {
  // Rejects files that cannot be opened, with the same message as all readers.
  (await openFileInput(path)).close();
  const state = getFileState(path);
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
    findChange() {
      if (getFileState(path) === state) return undefined;
      return new InvalidFileError(`${name} was written to while it was read; load it again`);
    },
  };
}

function getFileState(path: string): string {
  const { size, mtimeMs, ino } = statSync(path);
  return `${size} ${mtimeMs} ${ino}`;
}
