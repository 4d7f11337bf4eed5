import type { Dialect } from '../sql/dialect.ts';
import { read } from '../sql/read.ts';
import { readsOf, recordsIn } from '../sql/reads.ts';
import { secretIn } from '../sql/secret.ts';
import type { Steps } from '../sql/steps.ts';
import type { Reader } from '../store.ts';
import { StoreUnavailable } from '../store.ts';
import { ask, outOfReach } from './connection.ts';
import type { Server } from './server.ts';
import type { Servers } from './servers.ts';
import { SNAPSHOT, sessionOn, takeTogether } from './session.ts';

/** A reader of the store that the servers hold. */
export function postgresReader(servers: Servers, dialect: Dialect): Reader {
  const walk = () => {
    throw new Error('a walk has a connection of its own');
  };
  const run = <T>(work: () => Steps<T>) =>
    servers.reading(({ pool }) => takeTogether(pool, work, dialect));
  /** What tells of the present is never older than what any answer has told. */
  const runNow = <T>(work: () => Steps<T>) =>
    servers.reading(async (server, newest) => {
      const found = await takeTogether(server.pool, work, dialect);
      // A server may have been replaced by an older one since it was last heard of.
      if (isListing(found) && found.revision < newest) throw wentBack();
      servers.showed(server, newestIn(found));
      return found;
    });
  const past = readsOf({ dialect, run, walk });
  const now = readsOf({ dialect, run: runNow, walk });
  const at = (asOf: number | undefined) => (asOf === undefined ? now : past);
  return {
    ...now,
    revision: () => servers.newest(),
    read: (selection) =>
      servers.reading(async (server, newest) => {
        const reading = await takeTogether(server.pool, () => read(selection, dialect), dialect);
        if (reading.revision < Math.min(newest, selection.asOf ?? newest)) throw wentBack();
        servers.showed(server, reading.revision);
        return reading;
      }),
    records: (dataset, asOf) => walked(servers, dialect, dataset, asOf),
    coverage: (datasets, asOf) => at(asOf).coverage(datasets, asOf),
    securities: (dataset, asOf) => at(asOf).securities(dataset, asOf),
    funds: (dataset, asOf) => at(asOf).funds(dataset, asOf),
    secret: () => run(secretIn),
    close: servers.close,
  };
}

function wentBack(): StoreUnavailable {
  return new StoreUnavailable('a server has gone back in time');
}

function isListing(found: unknown): found is { revision: number } {
  return typeof found === 'object' && found !== null && 'entries' in found;
}

/** The newest revision that was found in an answer, which is alone or the first of several. */
function newestIn(found: unknown): number {
  const [first] = [found].flat() as ({ revision?: unknown } | undefined)[];
  return typeof first?.revision === 'number' ? first.revision : 0;
}

/** On a connection of its own, in a transaction: it sees one revision, however long it takes. */
async function* walked(
  servers: Servers,
  dialect: Dialect,
  ...[dataset, asOf]: Parameters<Reader['records']>
): ReturnType<typeof recordsIn> {
  const { connection, close } = await servers.reading(begun);
  try {
    yield* recordsIn(sessionOn(connection, dialect), dataset, asOf);
  } finally {
    close();
  }
}

async function begun(server: Server) {
  const { connection: pool, close } = server.connect('reading');
  try {
    // Reserved, so that a lost connection is not silently replaced by one without a transaction.
    const connection = await pool.reserve().catch((cause) => {
      throw outOfReach(cause);
    });
    await ask(connection, { sql: `BEGIN ${SNAPSHOT}`, values: [] });
    return { connection, close };
  } catch (cause) {
    close();
    throw cause;
  }
}
