import type { Dataset } from '../../../catalogue/model/dataset.ts';
import { system } from '../../../shared/system.ts';
import { StoreUnusableError } from '../../errors.ts';
import { LOG_TABLES, listDatasetTables } from '../../sql/stored-tables.ts';
import { execute, type SqlExecutor } from '../query.ts';
import {
  createStagingIndexSql,
  createStagingTableSql,
  getStagingIndex,
  getStagingTable,
  listStagedTables,
} from './staged-operations.ts';

/** The table of ledger entries whose records are not yet visible on every node. */
export const PENDING_REVISIONS_TABLE = 'tenor_unsettled';

export async function isDistributed(executor: SqlExecutor): Promise<boolean> {
  // All tables are distributed in one transaction: one of the shared tables is enough to know.
  return (await findPlacedTables(executor)).has('revisions');
}

/**
 * Statements that distribute the tables which are not distributed yet: tables with a distribution
 * column are colocated with each other, all others become reference tables. They belong into one
 * transaction. Rows that a table had before are removed from the coordinator.
 */
export async function buildDistributeStatements(
  executor: SqlExecutor,
  catalogue: readonly Dataset[],
): Promise<string[]> {
  const placedTables = await findPlacedTables(executor);
  const staged = listStagedTables(catalogue);
  const missingStagingTables = staged.filter((table) => !placedTables.has(getStagingTable(table)));
  const tables = [
    ...listDatasetTables(catalogue),
    ...staged.map((table) => ({ ...table, name: getStagingTable(table) })),
  ];
  const distributed = tables.filter(({ distributionColumn }) => distributionColumn !== undefined);
  const reference = tables.filter(({ distributionColumn }) => distributionColumn === undefined);
  const colocationTable = (distributed.find(({ name }) => placedTables.has(name)) ?? distributed[0])
    ?.name;
  const placements = [
    ...distributed.map(({ name, distributionColumn }) => {
      const colocateWith = name === colocationTable ? 'none' : colocationTable;
      const call = `create_distributed_table('${name}', '${distributionColumn}', colocate_with => '${colocateWith}')`;
      return { name, call };
    }),
    ...[...SHARED_TABLES, ...reference.map(({ name }) => name)].map((name) => ({
      name,
      call: `create_reference_table('${name}')`,
    })),
  ];
  const relations = await findRelations(executor, [
    PENDING_REVISIONS_TABLE,
    ...staged.map(getStagingIndex),
  ]);
  return [
    ...(relations.has(PENDING_REVISIONS_TABLE) ? [] : [CREATE_PENDING_REVISIONS]),
    ...missingStagingTables.map(createStagingTableSql),
    ...placements
      .filter(({ name }) => !placedTables.has(name))
      .flatMap(({ name, call }) => [
        `SELECT ${call}`,
        `SELECT truncate_local_data_after_distributing_table('${name}')`,
      ]),
    ...staged.filter((table) => !relations.has(getStagingIndex(table))).map(createStagingIndexSql),
  ];
}

const CREATE_PENDING_REVISIONS = `CREATE TABLE ${PENDING_REVISIONS_TABLE} (revision INTEGER PRIMARY KEY, entry JSON NOT NULL)`;

/** Must come first in a transaction that changes tables of a cluster and their rows. */
export const SET_SEQUENTIAL_MODE = "SET LOCAL citus.multi_shard_modify_mode = 'sequential'";

const SHARED_TABLES = ['revisions', 'tokens', 'secrets', 'tenor_schema', ...LOG_TABLES];

async function findPlacedTables(executor: SqlExecutor): Promise<ReadonlySet<string>> {
  if (!(await hasCitusExtension(executor))) return new Set();
  const sql = `SELECT relname AS name FROM pg_dist_partition JOIN pg_class ON pg_class.oid = logicalrelid
      WHERE relnamespace = to_regnamespace(current_schema())`;
  return new Set(await queryNames(executor, sql));
}

/** Rejects a database that cannot be distributed as it is, and says what to do about it. */
export async function assertCitusReady(executor: SqlExecutor): Promise<void> {
  if (!(await hasCitusExtension(executor))) {
    const sql = "SELECT name FROM pg_available_extensions WHERE name = 'citus'";
    const [available] = await queryNames(executor, sql);
    throw new StoreUnusableError(available ? NOT_CREATED : NOT_INSTALLED);
  }
  const [localGroup] = await execute<{ id: number }>(
    executor,
    'SELECT groupid AS id FROM pg_dist_local_group',
  );
  if (localGroup?.id !== 0) throw new StoreUnusableError(NOT_COORDINATOR);
  const nodes = await execute<{ id: number; hasShards: boolean }>(
    executor,
    'SELECT groupid AS id, shouldhaveshards AS "hasShards" FROM pg_dist_node WHERE isactive',
  );
  if (!nodes.some(({ id }) => id === 0)) throw new StoreUnusableError(NO_COORDINATOR_HOST);
  if (!nodes.some(({ hasShards }) => hasShards)) throw new StoreUnusableError(NO_WORKERS);
  if (await hasOtherConnections(executor)) throw new StoreUnusableError(IN_USE);
}

/** Retries, because a connection that was just closed is listed for a moment. */
async function hasOtherConnections(executor: SqlExecutor): Promise<boolean> {
  for (let attempt = 0; attempt < 20; attempt++) {
    if ((await queryNames(executor, OTHER_CONNECTIONS_SQL)).length === 0) return false;
    await system.sleep(50);
  }
  return true;
}

const NOT_INSTALLED =
  "its server does not have Citus; install it on every server of the cluster, set shared_preload_libraries = 'citus', and restart";
const NOT_CREATED =
  'it does not have the extension; run CREATE EXTENSION citus in this database, on every server of the cluster';
const NOT_COORDINATOR = "its server is a worker; let DATABASE_URL name the cluster's coordinator";
const NO_COORDINATOR_HOST =
  "the workers do not know the coordinator; run SELECT citus_set_coordinator_host('its host name')";
const NO_WORKERS =
  "there are no workers to hold quotes; run SELECT citus_add_node('host name', 5432) for each";
const IN_USE =
  'others of Tenor are connected to it, who would go on asking it as one server; stop them first';

const OTHER_CONNECTIONS_SQL = `SELECT application_name AS name FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = 'tenor'`;

/** The tables and indexes among some names that exist. */
async function findRelations(
  executor: SqlExecutor,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const sql = `SELECT relname AS name FROM pg_class WHERE relname IN ('${names.join("', '")}')
      AND relnamespace = to_regnamespace(current_schema())`;
  return new Set(await queryNames(executor, sql));
}

async function hasCitusExtension(executor: SqlExecutor): Promise<boolean> {
  const sql = "SELECT extname AS name FROM pg_extension WHERE extname = 'citus'";
  return (await queryNames(executor, sql)).length > 0;
}

async function queryNames(executor: SqlExecutor, sql: string): Promise<string[]> {
  const rows = await execute<{ name: string }>(executor, sql);
  return rows.map(({ name }) => name);
}
