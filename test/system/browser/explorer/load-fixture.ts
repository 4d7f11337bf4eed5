import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Dataset } from '../../../../src/catalogue/model/dataset.ts';
import { loadFiles } from '../../../../src/publish/load/load-files.ts';
import type { TestStore } from '../../../support/store.ts';
import { createTempFolder } from '../../../support/store.ts';

/** Loads a file of that content; the number of the revision that it made. */
export async function loadContent(
  store: TestStore,
  dataset: Dataset,
  name: string,
  content: string,
): Promise<number> {
  const folder = createTempFolder();
  const publisher = store.publisher();
  try {
    const path = join(folder, name);
    writeFileSync(path, content);
    const files = [{ path, name }];
    const { revision } = await loadFiles(publisher, { dataset, files, mapping: {}, author: 'ann' });
    if (!revision) throw new Error(`${name} changes nothing`);
    return revision.revision;
  } finally {
    publisher.close();
    rmSync(folder, { recursive: true });
  }
}

/** The SHA-256 of a text, in hexadecimal. */
export function hashText(text: string): string {
  return new Bun.CryptoHasher('sha256').update(text).digest('hex');
}
