import type { Dataset } from '../../catalogue/model/dataset.ts';
import { StoreDamagedError, StoreUnavailableError } from '../errors.ts';
import type { ScrubReader } from '../scrub-reader.ts';
import type { Dialect } from '../sql/dialect.ts';
import { createScrubQueries } from '../sql/scrub-queries.ts';
import type { QuerySession } from '../sql/session.ts';
import { PooledSession } from './reader.ts';
import { findIndexFaults } from './server-fingerprint.ts';
import { ServerPool } from './server-pool/server-pool.ts';

/** Reads from replicas where there are some, on one connection at a time. */
export function createPostgresScrubReader(
  urls: readonly string[],
  dialect: Dialect,
  catalogue: readonly Dataset[],
): ScrubReader {
  const servers = new ServerPool(urls, { poolSize: 1, maxLongReads: 1, ...dialect });
  const { run } = new PooledSession(servers, dialect);
  const session: Pick<QuerySession, 'dialect' | 'run'> = {
    dialect,
    run: async (steps, options) => readWithRetries(async () => run(steps, options)),
  };
  return {
    ...createScrubQueries(session),
    async *structureFaults() {
      for (const url of urls) yield* findIndexFaults(url, dialect, catalogue);
    },
    indexFaults: async () => [],
    close: () => servers.close(),
  };
}

/** A restart takes this long, and a scrub longer: it does not start again for one. */
const MAX_RETRIES = 5;
const RETRY_DELAY_MS = 1_000;

async function readWithRetries<T>(read: () => Promise<T>): Promise<T> {
  for (let retries = 0; ; retries++) {
    try {
      return await read();
    } catch (cause) {
      if (!(cause instanceof StoreUnavailableError) || cause instanceof StoreDamagedError)
        throw cause;
      if (retries === MAX_RETRIES) throw cause;
      await Bun.sleep(RETRY_DELAY_MS);
    }
  }
}
