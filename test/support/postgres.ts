// PostgreSQL servers for tests and bench: real ones, from npm, that end with the process.
export { explainMissingBinaries, explainMissingPostgres } from './postgres/availability.ts';
export { startPostgres } from './postgres/server.ts';
export { getSharedPostgres } from './postgres/shared-server.ts';
export type { PostgresDatabases, PostgresOptions, PostgresServer } from './postgres/types.ts';
