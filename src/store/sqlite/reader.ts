import type { StoreReader } from '../reader.ts';
import { readSigningSecret } from '../sql/signing-secret.ts';
import { createStoreQueries, streamRecords } from '../sql/store-queries.ts';
import { openReadOnly } from './connection.ts';
import { createReadSession, createSession } from './session.ts';

/** A walk meets each page once: there is nothing to keep. */
const STREAM_CACHE_KIB = 2_048;

/** A reader of the database at that path. */
export function createSqliteReader(path: string): StoreReader {
  const database = openReadOnly(path);
  const session = createReadSession(database);
  return {
    ...createStoreQueries(session),
    records: (dataset, asOf) => streamRecordsOverConnection(path, dataset, asOf),
    secret: () => session.run(readSigningSecret, true),
    close: () => database.close(),
  };
}

/** On a connection of its own, in a transaction: it sees one revision, however long it takes. */
async function* streamRecordsOverConnection(
  path: string,
  ...[dataset, asOf]: Parameters<StoreReader['records']>
): ReturnType<typeof streamRecords> {
  using database = openReadOnly(path, STREAM_CACHE_KIB);
  database.run('BEGIN');
  yield* streamRecords(createSession(database), dataset, asOf);
}
