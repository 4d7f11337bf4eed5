// PostgreSQL servers for tests and bench: real ones, from npm, that end with the process.
export { postgresAbsent, serverAbsent } from './postgres/availability.ts';
export { startPostgres } from './postgres/server.ts';
export { sharedPostgres } from './postgres/shared-server.ts';
export type { PostgresDatabases, PostgresOptions, PostgresServer } from './postgres/types.ts';
