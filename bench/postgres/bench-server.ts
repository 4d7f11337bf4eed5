import { type PostgresServer, startPostgres } from '../../test/support/postgres.ts';

/**
 * The PostgreSQL server of this run. It does not wait for the disk, which is the same for all and
 * would hide differences.
 */
export function getBenchServer(): Promise<PostgresServer> {
  serverPromise ??= startPostgres({ settings: SETTINGS });
  return serverPromise;
}

let serverPromise: Promise<PostgresServer> | undefined;

const SETTINGS = {
  shared_buffers: '512MB',
  maintenance_work_mem: '256MB',
  // A checkpoint during a round would affect one side only.
  max_wal_size: '2GB',
  checkpoint_timeout: '1h',
  // Statistics are computed explicitly once the data is there.
  autovacuum: 'off',
};
