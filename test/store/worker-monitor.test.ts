import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { replaceSystem, system } from '../../src/shared/system.ts';
import { StoreUnavailableError } from '../../src/store/open-store.ts';
import { WorkerMonitor } from '../../src/store/postgres/citus/worker-monitor.ts';
import type { ConnectionState } from '../../src/store/postgres/citus/worker-probe.ts';
import { PostgresServer } from '../../src/store/postgres/server-pool/server.ts';
import { retryUntil } from '../support/eventually.ts';

const [ONE, TWO] = [1, 2];
const TABLES = ['quotes_now'];

/** Timers are so many times as fast. */
const SPEED = 20;
const original = { ...system };

let monitor: WorkerMonitor;
let changes: string[];
beforeEach(() => {
  changes = [];
  replaceSystem({
    ...original,
    setTimeout: (callback, delayMs) => original.setTimeout(callback, delayMs / SPEED),
    setInterval: (callback, intervalMs) => original.setInterval(callback, intervalMs / SPEED),
  });
});
afterEach(() => {
  monitor.close();
  replaceSystem(original);
});

/**
 * A monitor of a cluster of two workers. The first has the symbol ONE, and hangs from the start;
 * a test answers for both. Each probe takes the next state of the first worker, the last one again.
 */
function createMonitor(
  states: (ConnectionState | undefined)[],
  latencyMs: number | ((probe: number) => number) = 1,
  stateOfTwo: () => ConnectionState = () => 'connected',
) {
  const cluster = {
    pools: 1,
    timeouts: [] as number[],
    hung: Promise.withResolvers<object[]>(),
    slow: Promise.withResolvers<object[]>(),
  };
  const unsafe = async (sql: string, values: unknown[] = []) => {
    if (sql.includes('pg_dist_placement')) return [{ id: values[0] === 'ONE' ? ONE : TWO }];
    if (!sql.includes('quotes_now')) return [{ revision: 1 }];
    if (values.includes('SLOW')) return cluster.slow.promise;
    return values.includes('TWO') ? [{}] : cluster.hung.promise;
  };
  monitor = new WorkerMonitor({
    getPool: () => ({ unsafe }) as never,
    replacePool: () => void cluster.pools++,
    async probe(timeoutMs) {
      cluster.timeouts.push(timeoutMs);
      const state = states.length > 1 ? states.shift() : states[0];
      if (state === undefined) return undefined;
      const workers = [
        { id: ONE, host: 'one', port: 5432, tables: TABLES, state },
        { id: TWO, host: 'two', port: 5432, tables: TABLES, state: stateOfTwo() },
      ];
      const latency =
        typeof latencyMs === 'number' ? latencyMs : latencyMs(cluster.timeouts.length);
      return { workers, latenciesMs: [latency] };
    },
    onHealthChange: (server, health, cause = '') =>
      void changes.push(`${server} ${health} ${cause}`.trim()),
  });
  return cluster;
}

const selectSymbol = (symbol: string) => ({
  sql: 'SELECT record FROM quotes_now WHERE symbol_key = ?',
  values: [symbol],
});
const SELECT_ALL = { sql: 'SELECT record FROM quotes_now' };
const SELECT_LEDGER = { sql: 'SELECT revision FROM revisions' };
const LOST = 'the worker one:5432 does not answer';

describe.each([
  ['refuses', ['refused']],
  ['is late twice in a row', ['late']],
] as const)('a worker of a cluster that %s', (_, states) => {
  test('is lost: statements for its shards fail, also those without a symbol, and all others run', async () => {
    const cluster = createMonitor([...states]);
    await expect(monitor.run(selectSymbol('ONE'))).rejects.toThrow(LOST);
    await expect(monitor.run(SELECT_ALL)).rejects.toThrow(LOST);
    expect(await monitor.run(selectSymbol('TWO'))).toHaveLength(1);
    expect(await monitor.run(SELECT_LEDGER)).toHaveLength(1);
    expect(cluster.pools).toBe(2);
  });

  test('ends only its own statements among those that run', async () => {
    const cluster = createMonitor([...states]);
    const other = monitor.run(selectSymbol('SLOW'));
    const own = [monitor.run(selectSymbol('ONE')), monitor.run(SELECT_ALL)];
    const results = await Promise.allSettled(own);
    expect(results.map((result) => result.status === 'rejected' && result.reason.message)).toEqual([
      LOST,
      LOST,
    ]);
    cluster.slow.resolve([{}, {}]);
    expect(await other).toHaveLength(2);
  });

  test('is listed as unreachable, and reported once, until it answers, which is reported once', async () => {
    const cluster = createMonitor([...states, ...states, ...states, 'connected']);
    await expect(monitor.run(SELECT_ALL)).rejects.toThrow(StoreUnavailableError);
    const listed = monitor.listWorkers().map(({ server, health }) => `${server} ${health}`);
    expect(listed).toEqual(['one:5432 unreachable', 'two:5432 healthy']);
    cluster.hung.resolve([]);
    await retryUntil(10_000, () => monitor.run(SELECT_ALL));
    expect(changes).toEqual([`one:5432 unreachable ${LOST}`, 'one:5432 healthy']);
    expect(new Set(monitor.listWorkers().map(({ health }) => health))).toEqual(
      new Set(['healthy']),
    );
    expect(cluster.pools).toBe(2);
  });
});

describe('a worker of a cluster that is late once', () => {
  test.each([
    ['answers the next probe', ['late', 'connected']],
    ['answers in between', ['late', 'connected', 'late', 'connected']],
    [
      'is late again after a probe without a result',
      ['late', undefined, 'connected', 'late', undefined, 'connected'],
    ],
  ] as const)('and %s is not lost, and its statements go on', async (_, states) => {
    const cluster = createMonitor([...states]);
    const statement = monitor.run(selectSymbol('ONE'));
    await retryUntil(10_000, async () => expect(cluster.timeouts.length).toBe(states.length + 1));
    cluster.hung.resolve([{}]);
    expect(await statement).toHaveLength(1);
    expect(cluster.pools).toBe(1);
    expect(changes).toEqual([]);
  });
});

test('a worker gets four times as long as the slowest recent connection, between 0.4 and 1.5 seconds', async () => {
  for (const [latencyMs, timeoutMs] of [
    [1, 400],
    [100, 400],
    [200, 800],
    [375, 1_500],
    [9_000, 1_500],
  ] as const) {
    const cluster = createMonitor(['late', 'connected'], latencyMs);
    const statement = monitor.run(SELECT_ALL);
    await retryUntil(10_000, async () => expect(cluster.timeouts.length).toBeGreaterThan(1));
    expect(cluster.timeouts.slice(0, 2)).toEqual([400, timeoutMs]);
    cluster.hung.resolve([]);
    await statement;
    monitor.close();
  }
});

test('a worker that is lost while another one is ends its statements as well', async () => {
  let ofTwo: ConnectionState = 'connected';
  const cluster = createMonitor(['refused'], 1, () => ofTwo);
  const outcome = monitor.run(selectSymbol('SLOW')).catch(({ message }) => message);
  await retryUntil(10_000, async () => expect(changes).toHaveLength(1));
  ofTwo = 'refused';
  await retryUntil(10_000, async () => expect(changes).toHaveLength(2));
  cluster.slow.resolve([{}]);
  expect(await outcome).toBe('the worker two:5432 does not answer');
  await expect(monitor.run(selectSymbol('TWO'))).rejects.toThrow('two:5432');
  await expect(monitor.run(selectSymbol('ONE'))).rejects.toThrow(LOST);
  expect(changes.map((change) => change.split(' ', 2).join(' '))).toEqual([
    'one:5432 unreachable',
    'two:5432 unreachable',
  ]);
  expect(cluster.pools).toBe(3);
});

test('the slowest connection counts for as long as it is among the last sixteen', async () => {
  const cluster = createMonitor(['refused'], (probe) => (probe === 3 ? 200 : 1));
  await retryUntil(10_000, async () => expect(cluster.timeouts.length).toBeGreaterThan(19));
  const [slow, usual] = [Array(16).fill(800), Array(3).fill(400)];
  expect(cluster.timeouts.slice(0, 20)).toEqual([...usual, ...slow, 400]);
});

test('a statement that fails because of a worker is a reason to probe', async () => {
  const cluster = createMonitor(['refused']);
  cluster.hung.reject(new StoreUnavailableError('connection to the remote node one:5432 failed'));
  await expect(monitor.run(SELECT_ALL)).rejects.toThrow('remote node');
  await retryUntil(10_000, async () => expect(changes).toHaveLength(1));
  expect(cluster.timeouts).toEqual([400]);
});

test('a monitor that is closed during a probe neither reports what it finds nor probes again', async () => {
  const cluster = createMonitor(['refused'], () => {
    monitor.close();
    return 1;
  });
  await retryUntil(10_000, async () => expect(cluster.timeouts).toEqual([400]));
  // Longer than until the next probe of workers of which none is lost.
  await Bun.sleep(700);
  expect([cluster.timeouts, cluster.pools, changes]).toEqual([[400], 1, []]);
});

test('workers are probed though nothing is asked for', async () => {
  createMonitor(['refused']);
  await retryUntil(10_000, async () => expect(changes).toHaveLength(1));
});

test('a pool that is replaced for a lost worker lets its statements end, unlike one of a server that is lost', () => {
  const closed: (readonly [pool: number, timeout: number])[] = [];
  let pools = 0;
  const createReadPool = () => {
    const pool = ++pools;
    return { close: async ({ timeout }: { timeout: number }) => closed.push([pool, timeout]) };
  };
  const connector = { createReadPool, createWriteConnection: createReadPool } as never;
  const options = { poolSize: 2, isDistributed: false, connector };
  const server = new PostgresServer(
    'postgres://127.0.0.1/none',
    options,
    () => ({}) as never,
    () => {},
  );
  closed.length = 0;
  server.replacePool();
  // As long as a statement may take.
  expect([closed, pools]).toEqual([[[1, 10]], 4]);
  server.recreatePool();
  expect([closed.slice(1), pools]).toEqual([[[4, 0]], 5]);
  server.close();
  expect(closed.slice(2).map(([, timeout]) => timeout)).toEqual([0, 0, 0]);
});
