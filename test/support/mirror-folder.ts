import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Catalogues } from '../../src/catalogue/catalogues.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { type Manifest, readManifest } from '../../src/client/mirror/mirror-files.ts';
import { readFileRecords } from '../../src/client/mirror/open-mirror.ts';
import { openMirrorTarget } from '../../src/mirror/mirror-target.ts';
import { writeMirror } from '../../src/mirror/write-mirror.ts';
import type { Store } from '../../src/store/open-store.ts';

interface MirrorFolderOptions {
  readonly scopes?: readonly string[];
  readonly since?: number;
}

/** Mirrors a store to a folder, or to another target. */
export async function mirrorTo(
  store: Store,
  address: string,
  { scopes = ['*'], since }: MirrorFolderOptions = {},
) {
  const reader = store.reader();
  try {
    return await writeMirror({
      target: openMirrorTarget(address),
      reader,
      catalogue,
      scopes,
      since,
    });
  } finally {
    reader.close();
  }
}

/** The bytes of all files, by their paths. */
export function readFiles(folder: string): ReadonlyMap<string, Buffer> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
  const files = paths.filter((path) => statSync(join(folder, path)).isFile());
  return new Map(files.map((path) => [path, readFileSync(join(folder, path))]));
}

/** The manifest of a revision, and its records by dataset. */
export async function readRevision(address: string, revision: number) {
  const { read } = openMirrorTarget(address);
  const manifest: Manifest = await readManifest(read, revision);
  const records: Record<string, unknown[]> = {};
  // Newest first, as exports have them; each file is in that order.
  for (const [name, { files }] of Object.entries(manifest.datasets))
    records[name] = (await Array.fromAsync(readFileRecords(read, name, files))).reverse().flat();
  return { manifest, records };
}

/** The records of all datasets that a store has as of a revision, as exports have them. */
export async function readExports(store: Store, revision: number) {
  const reader = store.reader();
  try {
    const { datasets } = await new Catalogues(catalogue, reader).prepare(revision);
    const records: Record<string, unknown[]> = {};
    for (const dataset of datasets) {
      const batches = await Array.fromAsync(reader.records(dataset, revision));
      records[dataset.name] = batches.flat().map((text) => JSON.parse(text));
    }
    return records;
  } finally {
    reader.close();
  }
}

/** Records in an order that does not depend on their dataset. */
export function sortByText(records: readonly unknown[] = []): string[] {
  return records.map((record) => JSON.stringify(record)).toSorted();
}
