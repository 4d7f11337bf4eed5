import type { Dataset } from '../catalogue/model/dataset.ts';
import type { StoreInspector } from './inspector.ts';
import { createPostgresScrubReader } from './postgres/inspector.ts';
import { openPostgresReader } from './postgres/open-postgres.ts';
import { readServerFingerprint } from './postgres/server-fingerprint.ts';
import type { ReaderSource, StoreReader } from './reader.ts';
import { readFileFingerprint } from './sqlite/file-fingerprint.ts';
import { createSqliteInspector } from './sqlite/inspector.ts';
import { createSqliteReader } from './sqlite/reader.ts';

/** Opens a reader of a store that is open already, in another thread of a server. */
export function openReader(source: ReaderSource): StoreReader {
  return 'path' in source
    ? createSqliteReader(source.path, { isServing: true }, source.file)
    : openPostgresReader(source);
}

/**
 * Text that stays the same while what is stored does, on every server that can be reached; undefined
 * where none can be. Calls `onFailure` for each that cannot be read.
 */
export async function readFingerprint(
  source: ReaderSource,
  catalogue: readonly Dataset[],
  onFailure: (cause: Error) => void,
): Promise<string | undefined> {
  if ('path' in source) return readFileFingerprint(source.path);
  const { urls, dialect } = source;
  const all = await Promise.all(
    urls.map((url) => readServerFingerprint(url, dialect, catalogue).catch(onFailure)),
  );
  return all.every((part) => part === undefined) ? undefined : all.join('\n');
}

/** The copies of a store that requests may read from: a file, or the servers one by one. */
export function listCopies(source: ReaderSource): ReaderSource[] {
  return 'path' in source ? [source] : source.urls.map((url) => ({ ...source, urls: [url] }));
}

/** Opens what a scrub reads from, in addition to a store that is open already. */
export function openScrubReader(
  source: ReaderSource,
  catalogue: readonly Dataset[],
): StoreInspector {
  return 'path' in source
    ? createSqliteInspector(source.path, catalogue, { isSliced: true })
    : createPostgresScrubReader(source.urls, source.dialect, catalogue);
}
