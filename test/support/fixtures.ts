import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnyRecord, Dataset } from '../../src/catalogue/model/dataset.ts';

/** The fixture of a dataset: a few records in no particular order. Each dataset has one. */
export function readFixture({ name }: Dataset): readonly AnyRecord[] {
  const file = join(import.meta.dirname, '..', 'fixtures', `${name}.json`);
  if (!existsSync(file)) throw new Error(`the dataset "${name}" needs test/fixtures/${name}.json`);
  return JSON.parse(readFileSync(file, 'utf8'));
}
