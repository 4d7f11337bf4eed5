import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { createTemporaryPath } from './temporary-path.ts';

/** Creates a folder for temporary files of this process. */
export function createTemporaryFolder(): string {
  const path = createTemporaryPath(tmpdir(), 'tenor', Number.POSITIVE_INFINITY);
  mkdirSync(path, { mode: 0o700 });
  return path;
}
