import type { Dialect } from '../sql/dialect.ts';
import { read } from '../sql/read.ts';
import { readsOf, recordsIn } from '../sql/reads.ts';
import { secretIn } from '../sql/secret.ts';
import type { Steps } from '../sql/steps.ts';
import type { Reader } from '../store.ts';
import { StoreUnavailable } from '../store.ts';
import { ask } from './connection.ts';
import type { Servers } from './servers.ts';
import { SNAPSHOT, sessionOn, takeTogether } from './session.ts';

/** A reader of the store that the servers hold. */
export function postgresReader(servers: Servers, dialect: Dialect): Reader {
  const run = <T>(work: () => Steps<T>) => servers.reading(({ pool }) => takeTogether(pool, work));
  const walk = () => {
    throw new Error('a walk has a connection of its own');
  };
  return {
    ...readsOf({ dialect, run, walk }),
    revision: () => servers.newest(),
    read: (selection) =>
      servers.reading(async ({ pool }, newest) => {
        const reading = await takeTogether(pool, () => read(selection, dialect));
        // A server may have been replaced by an older one since it was last heard of.
        if (reading.revision >= Math.min(newest, selection.asOf ?? newest)) return reading;
        throw new StoreUnavailable('a server has gone back in time');
      }),
    records: (dataset, asOf) => walked(servers, dialect, dataset, asOf),
    secret: () => run(secretIn),
    close: servers.close,
  };
}

/** On a connection of its own, in a transaction: it sees one revision, however long it takes. */
async function* walked(
  servers: Servers,
  dialect: Dialect,
  ...[dataset, asOf]: Parameters<Reader['records']>
): ReturnType<typeof recordsIn> {
  const connection = await servers.reading(async (server) => {
    const own = server.connect();
    await ask(own, { sql: `BEGIN ${SNAPSHOT}`, values: [] });
    return own;
  });
  try {
    yield* recordsIn(sessionOn(connection, dialect), dataset, asOf);
  } finally {
    connection.close({ timeout: 0 }).catch(() => {});
  }
}
