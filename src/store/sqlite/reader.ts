import type { StoreReader } from '../reader.ts';
import { createStoreQueries, readSigningSecret, streamRecords } from '../sql/store-queries.ts';
import { openReadOnly } from './connection.ts';
import { createReadSession, createSession } from './session.ts';

/** A stream reads each page once: a cache has no use. */
const STREAM_CACHE_KIB = 2_048;

export function createSqliteReader(path: string): StoreReader {
  const database = openReadOnly(path);
  const session = createReadSession(database);
  return {
    ...createStoreQueries(session),
    records: (dataset, asOf) => streamOnOwnConnection(path, dataset, asOf),
    secret: () => session.run(readSigningSecret, true),
    close: () => database.close(),
  };
}

/** In a transaction on its own connection, so that it sees one revision, however long it takes. */
async function* streamOnOwnConnection(
  path: string,
  ...[dataset, asOf]: Parameters<StoreReader['records']>
): ReturnType<typeof streamRecords> {
  using database = openReadOnly(path, STREAM_CACHE_KIB);
  database.run('BEGIN');
  yield* streamRecords(createSession(database), dataset, asOf);
}
