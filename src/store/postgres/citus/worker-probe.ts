import { system } from '../../../shared/system.ts';
import { closeImmediately, createReadPool, type PoolOptions } from '../connection-pool.ts';
import { execute, type SqlExecutor } from '../query.ts';

/** The workers that did not answer, and the distributed tables. */
export interface ProbeResult {
  readonly lateWorkers: readonly Worker[];
  readonly distributedTables: readonly string[];
}

interface Worker {
  readonly id: number;
  readonly host: string;
  readonly port: number;
  /** The tables of which it has shards. */
  readonly tables: readonly string[];
}

const PROBE_TIMEOUT_MS = 800;
const MAX_CONCURRENT_PROBES = 16;

const WORKERS_SQL = `SELECT groupid AS id, nodename AS host, nodeport AS port,
    array_to_json(array_agg(DISTINCT logicalrelid::text)) AS tables
  FROM pg_dist_node JOIN pg_dist_placement USING (groupid) JOIN pg_dist_shard USING (shardid)
    JOIN pg_dist_partition USING (logicalrelid)
  WHERE isactive AND noderole = 'primary' AND partmethod = 'h' GROUP BY 1, 2, 3`;

/**
 * Lets the coordinator connect to every worker that has shards. Undefined if the coordinator
 * itself does not answer, which its heartbeat finds out.
 */
export async function probeWorkers(
  url: string,
  options: PoolOptions,
): Promise<ProbeResult | undefined> {
  const pool = createReadPool(url, MAX_CONCURRENT_PROBES, options);
  try {
    const list = execute<Worker>(pool, WORKERS_SQL).catch(() => undefined);
    const workers = await withinTimeout(list);
    if (!workers) return undefined;
    const areAnswering = await Promise.all(workers.map((worker) => isAnswering(pool, worker)));
    return {
      lateWorkers: workers.filter((_, index) => !areAnswering[index]),
      distributedTables: [...new Set(workers.flatMap(({ tables }) => tables))],
    };
  } finally {
    closeImmediately(pool);
  }
}

/** False if the coordinator cannot connect to a worker, or not in time. */
async function isAnswering(executor: SqlExecutor, { host, port }: Worker): Promise<boolean> {
  const sql = 'SELECT citus_check_connection_to_node($1, $2) AS "isAnswering"';
  const check = execute<{ isAnswering: boolean }>(executor, sql, [host, port]);
  // An error is the coordinator's, and says nothing about the worker.
  const isConnected = check.then(
    ([row]) => row?.isAnswering === true,
    () => true,
  );
  return (await withinTimeout(isConnected)) ?? false;
}

/** Undefined if there is no result in time. */
function withinTimeout<T>(result: Promise<T>): Promise<T | undefined> {
  return Promise.race([result, system.sleep(PROBE_TIMEOUT_MS).then(() => undefined)]);
}

/** The worker that has the records of a symbol or a series. */
export async function findWorkerOfKey(
  executor: SqlExecutor,
  distributedTable: string,
  key: string,
): Promise<number | undefined> {
  const sql = `SELECT groupid AS id FROM pg_dist_placement
    WHERE shardid = get_shard_id_for_distribution_column('${distributedTable}', $1::text)`;
  const [row] = await execute<{ id: number }>(executor, sql, [key]);
  return row?.id;
}
