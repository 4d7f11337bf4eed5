import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { createTemporaryPath } from './temporary-path.ts';

export function createTemporaryFolder(): string {
  const path = createTemporaryPath(tmpdir(), 'tenor', Number.POSITIVE_INFINITY);
  mkdirSync(path, { mode: 0o700 });
  return path;
}
