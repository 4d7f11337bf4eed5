import type { Dataset } from '../../../catalogue/dataset.ts';
import type { Table } from '../../../derive/table.ts';
import { tableBeside, tableOf } from '../../../derive/table.ts';
import { StoreRefused } from '../../store.ts';
import type { Asked } from '../connection.ts';
import { ask } from '../connection.ts';

/** Where entries of the ledger wait until every machine has the records that they tell of. */
export const UNSETTLED = 'tenor_unsettled';

/** Whether the records of the database are spread over many machines. */
export async function isDistributed(asked: Asked): Promise<boolean> {
  // All tables are placed with one transaction: one that no dataset owns tells of all.
  return (await placedIn(asked)).has('revisions');
}

/**
 * Statements that spread over the machines what is not spread yet: records by their home, those of
 * one home side by side, and everything else in full on each machine. They belong into one
 * transaction. What a table held before is removed from where it was.
 */
export async function distributing(asked: Asked, catalogue: readonly Dataset[]): Promise<string[]> {
  const placed = await placedIn(asked);
  const spread = spreadTables(catalogue);
  const names = spread.flatMap(({ now, past }) => [now, past]);
  const [first] = [...names.filter((name) => placed.has(name)), ...names];
  const bySide = (name: string) => (name === first ? 'none' : first);
  const homes = spread.flatMap(({ now, past, home }) =>
    [now, past].map((name) => ({
      name,
      placing: `create_distributed_table('${name}', '${home}', colocate_with => '${bySide(name)}')`,
    })),
  );
  const whole = [...LEDGER, ...catalogue.flatMap(wholeTables)].map((name) => ({
    name,
    placing: `create_reference_table('${name}')`,
  }));
  const all = [...homes, ...whole].filter(({ name }) => !placed.has(name));
  return [
    ...((await isThere(asked, UNSETTLED)) ? [] : [MAKING]),
    ...all.flatMap(({ name, placing }) => [
      `SELECT ${placing}`,
      `SELECT truncate_local_data_after_distributing_table('${name}')`,
    ]),
  ];
}

const MAKING = `CREATE TABLE ${UNSETTLED} (revision INTEGER PRIMARY KEY, entry JSON NOT NULL)`;

/** Said first in a transaction that changes tables of a cluster and their rows. */
export const ONE_AFTER_ANOTHER = "SET LOCAL citus.multi_shard_modify_mode = 'sequential'";

const LEDGER = ['revisions', 'tokens', 'secrets', 'tenor_schema'];

/** The tables of a catalogue whose records have homes. */
function spreadTables(catalogue: readonly Dataset[]): (Table & { readonly home: string })[] {
  return catalogue.flatMap((dataset) => {
    const { home, ...table } = tableOf(dataset);
    return home === undefined ? [] : [{ ...table, home }];
  });
}

function wholeTables(dataset: Dataset): string[] {
  const tables = [tableOf(dataset), tableBeside(dataset)];
  return tables.flatMap((table) => (table && !table.home ? [table.now, table.past] : []));
}

/** The tables that are placed on machines already. */
async function placedIn(asked: Asked): Promise<ReadonlySet<string>> {
  if (!(await hasCitus(asked))) return new Set();
  const rows = await named(
    asked,
    `SELECT relname AS name FROM pg_dist_partition JOIN pg_class ON pg_class.oid = logicalrelid
      WHERE relnamespace = to_regnamespace(current_schema())`,
  );
  return new Set(rows);
}

/** Refuses a database that cannot be spread as it is, and says what to do about it. */
export async function refuseUnfit(asked: Asked): Promise<void> {
  if (!(await hasCitus(asked))) {
    const [available] = await named(
      asked,
      "SELECT name FROM pg_available_extensions WHERE name = 'citus'",
    );
    throw new StoreRefused(available ? NOT_CREATED : NOT_INSTALLED);
  }
  const [group] = (await ask(asked, {
    sql: 'SELECT groupid AS id FROM pg_dist_local_group',
    values: [],
  })) as { id: number }[];
  if (group?.id !== 0) throw new StoreRefused(NOT_COORDINATOR);
  const nodes = (await ask(asked, {
    sql: 'SELECT groupid AS id, shouldhaveshards AS takes FROM pg_dist_node WHERE isactive',
    values: [],
  })) as { id: number; takes: boolean }[];
  if (!nodes.some(({ id }) => id === 0)) throw new StoreRefused(NO_HOST);
  if (!nodes.some(({ takes }) => takes)) throw new StoreRefused(NO_WORKERS);
  if (await isInUse(asked)) throw new StoreRefused(IN_USE);
}

/** Whoever has just ended is gone in a moment. */
async function isInUse(asked: Asked): Promise<boolean> {
  for (let looks = 0; looks < 20; looks++) {
    if ((await named(asked, OTHERS)).length === 0) return false;
    await Bun.sleep(50);
  }
  return true;
}

const NOT_INSTALLED =
  "its server does not have Citus; install it on every server of the cluster, set shared_preload_libraries = 'citus', and restart";
const NOT_CREATED =
  'it does not have the extension; run CREATE EXTENSION citus in this database, on every server of the cluster';
const NOT_COORDINATOR = "its server is a worker; let DATABASE_URL name the cluster's coordinator";
const NO_HOST =
  "the workers do not know the coordinator; run SELECT citus_set_coordinator_host('its host name')";
const NO_WORKERS =
  "there are no workers to hold quotes; run SELECT citus_add_node('host name', 5432) for each";
const IN_USE =
  'others of Tenor are connected to it, who would go on asking it as one server; stop them first';

/** Others of Tenor, whatever role they came as. */
const OTHERS = `SELECT application_name AS name FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = 'tenor'`;

async function isThere(asked: Asked, table: string): Promise<boolean> {
  const sql = `SELECT relname AS name FROM pg_class WHERE oid = to_regclass('${table}')`;
  return (await named(asked, sql)).length > 0;
}

async function hasCitus(asked: Asked): Promise<boolean> {
  const sql = "SELECT extname AS name FROM pg_extension WHERE extname = 'citus'";
  return (await named(asked, sql)).length > 0;
}

async function named(asked: Asked, sql: string): Promise<string[]> {
  const rows = (await ask(asked, { sql, values: [] })) as { name: string }[];
  return rows.map(({ name }) => name);
}
