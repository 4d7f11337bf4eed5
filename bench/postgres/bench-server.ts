import { type PostgresServer, startPostgres } from '../../test/support/postgres.ts';

/**
 * A server for whatever is measured in this run, which ends with it. It does not wait for the disk:
 * that is the same for everybody who asks it, and would only hide what differs.
 */
export function benchServer(): Promise<PostgresServer> {
  started ??= startPostgres({ settings: SETTINGS });
  return started;
}

let started: Promise<PostgresServer> | undefined;

const SETTINGS = {
  shared_buffers: '512MB',
  maintenance_work_mem: '256MB',
  // No checkpoint in the midst of a round: it would meet one side only.
  max_wal_size: '2GB',
  checkpoint_timeout: '1h',
  // Statistics are made when the data is there. Made by itself, that begins whenever it likes.
  autovacuum: 'off',
};
