import { getPostgresTokenFile } from '../shared/postgres-url.ts';
import type { ReaderSource } from './reader.ts';

/** The folder of what can be computed again: beside the database, or the token of its first server. */
export function getCacheFolder(source: ReaderSource): string {
  return 'path' in source
    ? `${source.path}.cache`
    : getPostgresTokenFile(source.urls.join()).replace(/token$/, 'cache');
}
