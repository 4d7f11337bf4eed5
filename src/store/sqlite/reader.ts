import { readsOf, recordsIn } from '../sql/reads.ts';
import { secretIn } from '../sql/secret.ts';
import type { Reader } from '../store.ts';
import { readOnly } from './connection.ts';
import { readingSessionOn, sessionOn } from './session.ts';

/** A walk meets each page once: there is nothing to keep. */
const WALK_CACHE_KIB = 2_048;

/** A reader of the database at that path. */
export function sqliteReader(path: string): Reader {
  const database = readOnly(path);
  const session = readingSessionOn(database);
  return {
    ...readsOf(session),
    records: (dataset, asOf) => walked(path, dataset, asOf),
    secret: () => session.run(secretIn, true),
    close: () => database.close(),
  };
}

/** On a connection of its own, in a transaction: it sees one revision, however long it takes. */
async function* walked(
  path: string,
  ...[dataset, asOf]: Parameters<Reader['records']>
): ReturnType<typeof recordsIn> {
  using database = readOnly(path, WALK_CACHE_KIB);
  database.run('BEGIN');
  yield* recordsIn(sessionOn(database), dataset, asOf);
}
