import type { Dataset } from '../catalogue/model/dataset.ts';
import type { StoreInspector } from './inspector.ts';
import { createPostgresInspector } from './postgres/inspector.ts';
import { openPostgresReader } from './postgres/open-postgres.ts';
import type { ReaderSource, StoreReader } from './reader.ts';
import { createSqliteInspector } from './sqlite/inspector.ts';
import { createSqliteReader } from './sqlite/reader.ts';

/** Opens a reader of a store that is open already, in another thread of a server. */
export function openReader(source: ReaderSource): StoreReader {
  return 'path' in source
    ? createSqliteReader(source.path, { isServing: true }, source.file)
    : openPostgresReader(source);
}

/** The copies of a store that requests may read from: a file, or the servers one by one. */
export function listCopies(source: ReaderSource): ReaderSource[] {
  return 'path' in source ? [source] : source.urls.map((url) => ({ ...source, urls: [url] }));
}

/** Opens an inspector of one copy, in addition to a store that is open already. */
export function openCopyInspector(
  copy: ReaderSource,
  catalogue: readonly Dataset[],
): StoreInspector {
  return 'path' in copy
    ? createSqliteInspector(copy.path, catalogue)
    : createPostgresInspector(copy.urls[0] ?? '', copy.dialect, catalogue);
}
