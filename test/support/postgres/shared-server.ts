import { explainMissingPostgres } from './availability.ts';
import { createDatabaseManager } from './databases.ts';
import { startPostgres } from './server.ts';
import type { PostgresServer } from './types.ts';

const absent = explainMissingPostgres();
if (absent) console.warn(`The PostgreSQL tests are skipped: ${absent}.`);

let shared: Promise<PostgresServer> | undefined;

/** The URL of the server that the processes of a run share, if their parent started one. */
const SHARED_VARIABLE = 'TENOR_TEST_SHARED_POSTGRES';

/**
 * The one server that all tests of a run may make databases on: the one that
 * `TENOR_TEST_POSTGRES` names, that of the run, or one that is started when first asked for.
 */
export function getSharedPostgres(): Promise<PostgresServer> {
  const named = process.env.TENOR_TEST_POSTGRES || process.env[SHARED_VARIABLE];
  shared ??= named ? Promise.resolve(connectToNamedServer(named)) : startPostgres();
  // After a failure, perhaps in a test that timed out, the next test tries again.
  shared.catch(() => {
    shared = undefined;
  });
  return shared;
}

/** No standby follows it, and its databases are small and soon gone. */
const SHARED_SETTINGS = {
  max_connections: '400',
  autovacuum: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
};

/** Starts the server of a run, and returns the environment that tells its processes of it. */
export async function startSharedPostgres(): Promise<
  { environment: Record<string, string>; stop(): Promise<void> } | undefined
> {
  if (process.env.TENOR_TEST_POSTGRES || absent) return undefined;
  const server = await startPostgres({ settings: SHARED_SETTINGS });
  // On a machine without free cores, a connection may take seconds.
  const address = `${server.url()}?connect_timeout=60`;
  return { environment: { [SHARED_VARIABLE]: address }, stop: server.stop };
}

/** A server that others use too: tests only create databases on it. */
function connectToNamedServer(address: string): PostgresServer {
  if (!URL.canParse(address) || !/^postgres(ql)?:$/.test(new URL(address).protocol)) {
    throw new Error('TENOR_TEST_POSTGRES must be like postgres://user:password@host:port/database');
  }
  const refuse = (): never => {
    throw new Error('the shared server is not for a test to start, stop or change');
  };
  const refused = async () => refuse();
  return {
    ...createDatabaseManager(address),
    port: Number(new URL(address).port || 5432),
    get pid() {
      return refuse();
    },
    standby: refused,
    promote: refused,
    pauseReplay: refused,
    resumeReplay: refused,
    pause: refused,
    resume: refused,
    kill: refused,
    restart: refused,
    stop: refused,
  };
}
