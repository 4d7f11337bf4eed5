import { afterEach, describe, expect, test } from 'bun:test';
import { StoreUnavailableError } from '../../src/store/open-store.ts';
import { WorkerMonitor } from '../../src/store/postgres/citus/worker-monitor.ts';
import type { ProbeResult } from '../../src/store/postgres/citus/worker-probe.ts';
import { retryUntil } from '../support/eventually.ts';

const [HUNG, HEALTHY] = [1, 2];
const TABLES = ['quotes_now'];
const ALL_ANSWER: ProbeResult = { lateWorkers: [], distributedTables: TABLES };
const ONE_HANGS: ProbeResult = {
  lateWorkers: [{ id: HUNG, host: 'one', port: 5432, tables: TABLES }],
  distributedTables: TABLES,
};

let monitor: WorkerMonitor;
afterEach(() => monitor.close());

/** A monitor of a cluster whose first worker hangs or not, and has the symbol HUNG. */
function createMonitor(nextProbe: () => ProbeResult | undefined) {
  const cluster = { isHung: true, pools: 0 };
  const createPool = () => {
    cluster.pools++;
    const closed = Promise.withResolvers<never>();
    // Nobody may be waiting.
    closed.promise.catch(() => {});
    const isHanging = (values: unknown[]) => cluster.isHung && !values.includes('HEALTHY');
    const unsafe = async (sql: string, values: unknown[]) => {
      if (sql.includes('pg_dist_placement')) return [{ id: values[0] === 'HUNG' ? HUNG : HEALTHY }];
      return sql.includes('quotes_now') && isHanging(values) ? closed.promise : [{ values }];
    };
    const close = () => closed.reject(new StoreUnavailableError('closed'));
    return { pool: { unsafe } as never, close };
  };
  let current = createPool();
  monitor = new WorkerMonitor({
    getPool: () => current.pool,
    recreatePool() {
      current.close();
      current = createPool();
    },
    probe: async () => nextProbe(),
  });
  return cluster;
}

const selectSymbol = (symbol: string) => ({
  sql: 'SELECT record FROM quotes_now WHERE symbol_key = ?',
  values: [symbol],
});
const SELECT_ALL = { sql: 'SELECT record FROM quotes_now' };
const SELECT_LEDGER = { sql: 'SELECT revision FROM revisions' };

describe('while a worker of a cluster hangs', () => {
  test('statements for its shards fail, and those for others run', async () => {
    const cluster = createMonitor(() => ONE_HANGS);
    await expect(monitor.run(selectSymbol('HUNG'))).rejects.toThrow('one:5432 does not answer');
    await expect(monitor.run(SELECT_ALL)).rejects.toThrow('one:5432 does not answer');
    expect(await monitor.run(selectSymbol('HEALTHY'))).toHaveLength(1);
    expect(await monitor.run(SELECT_LEDGER)).toHaveLength(1);
    expect(cluster.pools).toBe(2);
  });

  test('it is tried again until it answers, also after a probe without a result', async () => {
    const results = [ONE_HANGS, undefined, ALL_ANSWER];
    const cluster = createMonitor(() => results.shift());
    await expect(monitor.run(SELECT_ALL)).rejects.toThrow(StoreUnavailableError);
    cluster.isHung = false;
    await retryUntil(10_000, () => monitor.run(SELECT_ALL));
    expect(results).toEqual([]);
    expect(cluster.pools).toBe(2);
  });
});
