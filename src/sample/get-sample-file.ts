import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../../examples/sample');

/** The path of a file of the sample, which the executable has in itself (`scripts/build.ts`). */
export function getSampleFile(name: string): string {
  return join(FOLDER, name);
}
