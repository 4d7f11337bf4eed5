import { system } from '../../../shared/system.ts';
import { closeImmediately, createReadPool, type PoolOptions } from '../connection-pool.ts';
import { execute, type SqlExecutor } from '../query.ts';
import { withResponseTimeout } from '../response-timeout.ts';

export interface Worker {
  readonly id: number;
  readonly host: string;
  readonly port: number;
  /** The tables of which it has shards. */
  readonly tables: readonly string[];
}

/** A connection from the coordinator to a worker: made, refused, or not made in time. */
export type ConnectionState = 'connected' | 'refused' | 'late';

export interface ProbeResult {
  readonly workers: readonly (Worker & { readonly state: ConnectionState })[];
  /** The duration of each query that was answered, the coordinator's own included. */
  readonly latenciesMs: readonly number[];
}

const COORDINATOR_TIMEOUT_MS = 800;
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
  timeoutMs: number,
): Promise<ProbeResult | undefined> {
  const pool = createReadPool(url, MAX_CONCURRENT_PROBES, options);
  const latenciesMs: number[] = [];
  const measure = async <T>(result: Promise<T>): Promise<T> => {
    const startedMs = system.monotonicNow();
    const value = await result;
    latenciesMs.push(system.monotonicNow() - startedMs);
    return value;
  };
  try {
    const list = measure(execute<Worker>(pool, WORKERS_SQL));
    const listTimeoutMs = Math.max(timeoutMs, COORDINATOR_TIMEOUT_MS);
    const workers = await withResponseTimeout(list, listTimeoutMs).catch(() => undefined);
    if (!workers) return undefined;
    const states = workers.map(async (worker) => {
      const state = measure(connectToWorker(pool, worker));
      return {
        ...worker,
        state: await withResponseTimeout(state, timeoutMs).catch(() => 'late' as const),
      };
    });
    return { workers: await Promise.all(states), latenciesMs };
  } finally {
    closeImmediately(pool);
  }
}

async function connectToWorker(
  executor: SqlExecutor,
  { host, port }: Worker,
): Promise<ConnectionState> {
  const sql = 'SELECT citus_check_connection_to_node($1, $2) AS "isConnected"';
  try {
    const [row] = await execute<{ isConnected: boolean }>(executor, sql, [host, port]);
    return row?.isConnected ? 'connected' : 'refused';
  } catch {
    // An error is the coordinator's, and says nothing about the worker.
    return 'connected';
  }
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
