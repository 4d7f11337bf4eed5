import { StoreDamagedError, StoreUnavailableError } from '../errors.ts';
import type { ScrubReader } from '../scrub-reader.ts';
import type { Dialect } from '../sql/dialect.ts';
import { createScrubQueries } from '../sql/scrub-queries.ts';
import type { QuerySession } from '../sql/session.ts';
import { getSqlState } from './errors.ts';
import { PooledSession } from './reader.ts';
import { ServerPool } from './server-pool/server-pool.ts';

/** Reads from replicas where there are some, on one connection at a time. */
export function createPostgresScrubReader(urls: readonly string[], dialect: Dialect): ScrubReader {
  const servers = new ServerPool(urls, { poolSize: 1, maxLongReads: 1, ...dialect });
  const { run } = new PooledSession(servers, dialect);
  const session: Pick<QuerySession, 'dialect' | 'run'> = {
    dialect,
    run: async (steps, options) => readWithRetries(async () => run(steps, options)),
  };
  return {
    ...createScrubQueries(session),
    // PostgreSQL has pg_amcheck for its indexes.
    async *structureFaults() {},
    indexFaults: async () => [],
    close: () => servers.close(),
  };
}

/** Messages of a server about a damaged page or index. */
const DAMAGE_SQLSTATES = /^XX00[12]$/;
/** A failover takes this long, and a scrub hours: it does not start again for one. */
const MAX_RETRIES = 30;
const RETRY_DELAY_MS = 1_000;

async function readWithRetries<T>(read: () => Promise<T>): Promise<T> {
  for (let retries = 0; ; retries++) {
    try {
      return await read();
    } catch (cause) {
      if (!(cause instanceof StoreUnavailableError)) throw cause;
      if (DAMAGE_SQLSTATES.test(getSqlState(cause.cause) ?? ''))
        throw new StoreDamagedError(cause.message, { cause });
      if (retries === MAX_RETRIES) throw cause;
      await Bun.sleep(RETRY_DELAY_MS);
    }
  }
}
