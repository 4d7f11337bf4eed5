import type { Dataset } from '../../../catalogue/model/dataset.ts';
import { getAuxiliaryTable } from '../../../schema/auxiliary-table.ts';
import type { StorageTable } from '../../../schema/storage-table.ts';
import { getStorageTable } from '../../../schema/storage-table.ts';
import { StoreUnusableError } from '../../errors.ts';
import type { SqlExecutor } from '../connection.ts';
import { query } from '../connection.ts';

/** Where entries of the ledger wait until every machine has the records that they tell of. */
export const PENDING_REVISIONS_TABLE = 'tenor_unsettled';

/** Whether the records of the database are spread over many machines. */
export async function isDistributed(executor: SqlExecutor): Promise<boolean> {
  // All tables are placed with one transaction: one that no dataset owns tells of all.
  return (await findPlacedTables(executor)).has('revisions');
}

/**
 * Statements that spread over the machines what is not spread yet: records by their home, those of
 * one home side by side, and everything else in full on each machine. They belong into one
 * transaction. What a table held before is removed from where it was.
 */
export async function buildDistributeStatements(
  executor: SqlExecutor,
  catalogue: readonly Dataset[],
): Promise<string[]> {
  const placed = await findPlacedTables(executor);
  const spread = getDistributedTables(catalogue);
  const names = spread.flatMap(({ currentTable, historyTable }) => [currentTable, historyTable]);
  const [first] = [...names.filter((name) => placed.has(name)), ...names];
  const bySide = (name: string) => (name === first ? 'none' : first);
  const homes = spread.flatMap(({ currentTable: now, historyTable: past, distributionColumn }) =>
    [now, past].map((name) => ({
      name,
      placing: `create_distributed_table('${name}', '${distributionColumn}', colocate_with => '${bySide(name)}')`,
    })),
  );
  const whole = [...SHARED_TABLES, ...catalogue.flatMap(getReferenceTables)].map((name) => ({
    name,
    placing: `create_reference_table('${name}')`,
  }));
  const all = [...homes, ...whole].filter(({ name }) => !placed.has(name));
  return [
    ...((await tableExists(executor, PENDING_REVISIONS_TABLE)) ? [] : [CREATE_PENDING_REVISIONS]),
    ...all.flatMap(({ name, placing }) => [
      `SELECT ${placing}`,
      `SELECT truncate_local_data_after_distributing_table('${name}')`,
    ]),
  ];
}

const CREATE_PENDING_REVISIONS = `CREATE TABLE ${PENDING_REVISIONS_TABLE} (revision INTEGER PRIMARY KEY, entry JSON NOT NULL)`;

/** Said first in a transaction that changes tables of a cluster and their rows. */
export const SET_SEQUENTIAL_MODE = "SET LOCAL citus.multi_shard_modify_mode = 'sequential'";

const SHARED_TABLES = ['revisions', 'tokens', 'secrets', 'tenor_schema'];

/** The tables of a catalogue whose records have homes. */
function getDistributedTables(
  catalogue: readonly Dataset[],
): (StorageTable & { readonly home: string })[] {
  return catalogue.flatMap((dataset) => {
    const { distributionColumn, ...table } = getStorageTable(dataset);
    return distributionColumn === undefined ? [] : [{ ...table, home: distributionColumn }];
  });
}

function getReferenceTables(dataset: Dataset): string[] {
  const tables = [getStorageTable(dataset), getAuxiliaryTable(dataset)];
  return tables.flatMap((table) =>
    table && !table.distributionColumn ? [table.currentTable, table.historyTable] : [],
  );
}

/** The tables that are placed on machines already. */
async function findPlacedTables(executor: SqlExecutor): Promise<ReadonlySet<string>> {
  if (!(await hasCitusExtension(executor))) return new Set();
  const rows = await queryNames(
    executor,
    `SELECT relname AS name FROM pg_dist_partition JOIN pg_class ON pg_class.oid = logicalrelid
      WHERE relnamespace = to_regnamespace(current_schema())`,
  );
  return new Set(rows);
}

/** Refuses a database that cannot be spread as it is, and says what to do about it. */
export async function assertCitusReady(executor: SqlExecutor): Promise<void> {
  if (!(await hasCitusExtension(executor))) {
    const [available] = await queryNames(
      executor,
      "SELECT name FROM pg_available_extensions WHERE name = 'citus'",
    );
    throw new StoreUnusableError(available ? NOT_CREATED : NOT_INSTALLED);
  }
  const [group] = (await query(executor, {
    sql: 'SELECT groupid AS id FROM pg_dist_local_group',
    values: [],
  })) as { id: number }[];
  if (group?.id !== 0) throw new StoreUnusableError(NOT_COORDINATOR);
  const nodes = (await query(executor, {
    sql: 'SELECT groupid AS id, shouldhaveshards AS takes FROM pg_dist_node WHERE isactive',
    values: [],
  })) as { id: number; takes: boolean }[];
  if (!nodes.some(({ id }) => id === 0)) throw new StoreUnusableError(NO_COORDINATOR_HOST);
  if (!nodes.some(({ takes }) => takes)) throw new StoreUnusableError(NO_WORKERS);
  if (await hasOtherConnections(executor)) throw new StoreUnusableError(IN_USE);
}

/** Whoever has just ended is gone in a moment. */
async function hasOtherConnections(executor: SqlExecutor): Promise<boolean> {
  for (let looks = 0; looks < 20; looks++) {
    if ((await queryNames(executor, OTHER_CONNECTIONS_SQL)).length === 0) return false;
    await Bun.sleep(50);
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

/** Others of Tenor, whatever role they came as. */
const OTHER_CONNECTIONS_SQL = `SELECT application_name AS name FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = 'tenor'`;

async function tableExists(executor: SqlExecutor, table: string): Promise<boolean> {
  const sql = `SELECT relname AS name FROM pg_class WHERE oid = to_regclass('${table}')`;
  return (await queryNames(executor, sql)).length > 0;
}

async function hasCitusExtension(executor: SqlExecutor): Promise<boolean> {
  const sql = "SELECT extname AS name FROM pg_extension WHERE extname = 'citus'";
  return (await queryNames(executor, sql)).length > 0;
}

async function queryNames(executor: SqlExecutor, sql: string): Promise<string[]> {
  const rows = (await query(executor, { sql, values: [] })) as { name: string }[];
  return rows.map(({ name }) => name);
}
