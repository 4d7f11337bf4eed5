import type { Dialect } from '../sql/dialect.ts';
import { newestRevision } from '../sql/ledger.ts';
import { isShort, read } from '../sql/read.ts';
import { readsOf, recordsIn } from '../sql/reads.ts';
import { secretIn } from '../sql/secret.ts';
import type { Steps } from '../sql/steps.ts';
import type { Reader } from '../store.ts';
import { StoreUnavailable } from '../store.ts';
import { ask, reserved } from './connection.ts';
import type { Server } from './servers/server.ts';
import type { Servers } from './servers/servers.ts';
import { SNAPSHOT, sessionOn, take, takeTogether } from './session.ts';

/** A reader of the store that the servers hold. */
export function postgresReader(servers: Servers, dialect: Dialect): Reader {
  const walk = () => {
    throw new Error('a walk has a connection of its own');
  };
  const run = <T>(work: () => Steps<T>) =>
    servers.reading((server, newest) =>
      takeTogether(server.pool, () => notBehind(servers, server, newest, work), dialect),
    );
  return {
    ...readsOf({ dialect, run, walk }),
    revision: () => servers.newest(),
    read: (selection) =>
      servers.reading(async (server, newest) => {
        const work = () => read(selection, dialect);
        const reading = await takeTogether(server.pool, work, dialect, isShort(selection));
        if (reading.revision < Math.min(newest, selection.asOf ?? newest)) throw wentBack();
        servers.showed(server, reading.revision);
        return reading;
      }),
    records: (dataset, asOf) => walked(servers, dialect, dataset, asOf),
    secret: () => servers.reading(({ pool }) => take(pool, secretIn())),
    close: servers.close,
  };
}

/** The work, once the server has shown that it has what any answer has told of before. */
function* notBehind<T>(
  servers: Servers,
  server: Server,
  newest: number,
  work: () => Steps<T>,
): Steps<T> {
  const revision = yield* newestRevision();
  if (revision < newest) throw wentBack();
  servers.showed(server, revision);
  return yield* work();
}

/** A server may have been replaced by an older one since it was last heard of. */
function wentBack(): StoreUnavailable {
  return new StoreUnavailable('a server has gone back in time');
}

/** On a connection of its own, in a transaction: it sees one revision, however long it takes. */
async function* walked(
  servers: Servers,
  dialect: Dialect,
  ...[dataset, asOf]: Parameters<Reader['records']>
): ReturnType<typeof recordsIn> {
  const { connection, close } = await servers.reading((server, newest) =>
    begun(servers, server, newest),
  );
  try {
    yield* recordsIn(sessionOn(connection, dialect), dataset, asOf);
  } finally {
    close();
  }
}

async function begun(servers: Servers, server: Server, newest: number) {
  const { connection: pool, close } = server.connect('reading');
  try {
    const connection = await reserved(pool);
    await ask(connection, { sql: `BEGIN ${SNAPSHOT}`, values: [] });
    await take(connection, notBehind(servers, server, newest, nothingMore));
    return { connection, close };
  } catch (cause) {
    close();
    throw cause;
  }
}

function* nothingMore(): Steps<void> {}
