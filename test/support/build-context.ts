import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './run-tenor.ts';

/** What `.dockerignore` leaves of the repository for the build of an image. */
export function listBuildContext(): string[] {
  const lines = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n');
  return lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
}

/** Copies it to a new folder, with the packages that are installed. */
export function copyBuildContext(folder: string): void {
  mkdirSync(folder);
  for (const path of listBuildContext()) {
    cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
}
