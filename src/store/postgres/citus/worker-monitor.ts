import { system, type Timer } from '../../../shared/system.ts';
import { StoreUnavailableError } from '../../errors.ts';
import type { OnServerHealthChange, ServerStatus } from '../../server-status.ts';
import type { SqlQuery, SqlRows } from '../../sql/query-steps.ts';
import type { SqlExecutor } from '../query.ts';
import { findQueriedKey, queryShards } from './query-shards.ts';
import { findWorkerOfKey, type ProbeResult, type Worker } from './worker-probe.ts';

/** A statement that takes longer is a reason to look whether all workers answer. */
const LATE_STATEMENT_MS = 400;
/** How soon the workers are probed again: a worker that was late, a lost one, or none of them. */
const [LATE_INTERVAL_MS, LOST_INTERVAL_MS, IDLE_INTERVAL_MS] = [0, 1_000, 10_000];

export interface MonitorOptions {
  /** The pool of the coordinator as it is now. */
  getPool(): SqlExecutor;
  /** Creates another pool; the statements of this one go on. */
  replacePool(): void;
  probe(timeoutMs: number): Promise<ProbeResult | undefined>;
  readonly onHealthChange?: OnServerHealthChange | undefined;
}

interface RunningStatement {
  readonly statement: SqlQuery;
  readonly fail: (error: StoreUnavailableError) => void;
}

/**
 * Runs the statements of a cluster. A worker that hangs would keep every connection of the pool that
 * asks it: when a statement is late or fails, and every ten seconds, the workers are probed. While
 * one is lost, statements for its shards fail at once, and all others go on.
 */
export class WorkerMonitor {
  #workers: readonly Worker[] = [];
  #late = new Set<number>();
  #lost: readonly Worker[] = [];
  readonly #limit = new LatencyLimit();
  readonly #running = new Set<RunningStatement>();
  #probing: Promise<void> | undefined;
  #timer: Timer | undefined;
  #isClosed = false;

  constructor(private readonly options: MonitorOptions) {
    this.#probeAfter(LOST_INTERVAL_MS);
  }

  async run(statement: SqlQuery): Promise<SqlRows> {
    await this.#assertAnswering(statement);
    const ended = Promise.withResolvers<never>();
    const running = { statement, fail: ended.reject };
    this.#running.add(running);
    const timer = system.setInterval(() => this.#probe(), LATE_STATEMENT_MS);
    try {
      return await Promise.race([queryShards(this.options.getPool(), statement), ended.promise]);
    } catch (cause) {
      if (cause instanceof StoreUnavailableError) this.#probe();
      throw cause;
    } finally {
      timer.cancel();
      this.#running.delete(running);
    }
  }

  /** Every worker, as the last probes found it. */
  listWorkers(): readonly ServerStatus[] {
    return this.#workers.map((worker) => ({
      server: formatWorker(worker),
      role: 'worker',
      health: this.#lost.some(({ id }) => id === worker.id) ? 'unreachable' : 'healthy',
      lag: undefined,
    }));
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
  }

  async #assertAnswering(statement: SqlQuery): Promise<void> {
    const worker = await this.#findLostWorker(statement);
    if (worker) throw createLostError(worker);
  }

  /** A lost worker that has shards of a statement. */
  async #findLostWorker(statement: SqlQuery): Promise<Worker | undefined> {
    const lost = this.#lost;
    const tables = new Set(lost.flatMap((worker) => worker.tables));
    const [table] = tables;
    if (table === undefined) return undefined;
    if (![...tables].some((name) => statement.sql.includes(name))) return undefined;
    const key = findQueriedKey(statement);
    if (key === undefined) return lost[0];
    const id = await findWorkerOfKey(this.options.getPool(), table, key);
    return lost.find((worker) => worker.id === id);
  }

  #probe(): void {
    this.#timer?.cancel();
    this.#probing ??= this.#updateState().finally(() => {
      this.#probing = undefined;
      const hasLate = this.#late.size > this.#lost.length;
      const hasLost = this.#lost.length > 0;
      this.#probeAfter(hasLate ? LATE_INTERVAL_MS : hasLost ? LOST_INTERVAL_MS : IDLE_INTERVAL_MS);
    });
  }

  #probeAfter(intervalMs: number): void {
    this.#timer?.cancel();
    if (!this.#isClosed) this.#timer = system.setTimeout(() => this.#probe(), intervalMs);
  }

  async #updateState(): Promise<void> {
    const result = await this.options.probe(this.#limit.timeoutMs);
    if (!result || this.#isClosed) return;
    this.#limit.record(result.latenciesMs);
    const wereLate = this.#late;
    const wereLost = this.#lost;
    const failing = result.workers.filter(({ state }) => state !== 'connected');
    this.#workers = result.workers;
    this.#late = new Set(failing.map(({ id }) => id));
    // A single late connection is no sign: the machine may be busy.
    this.#lost = failing.filter(({ id, state }) => state === 'refused' || wereLate.has(id));
    this.#reportChanges(wereLost);
    if (this.#lost.every(({ id }) => wereLost.some((worker) => worker.id === id))) return;
    // Statements that hang would keep their connections.
    this.options.replacePool();
    await this.#endStatements();
  }

  #reportChanges(wereLost: readonly Worker[]): void {
    const isIn = (list: readonly Worker[], { id }: Worker) => list.some((other) => other.id === id);
    const { onHealthChange } = this.options;
    for (const worker of this.#lost)
      if (!isIn(wereLost, worker))
        onHealthChange?.(formatWorker(worker), 'unreachable', createLostError(worker).message);
    for (const worker of wereLost)
      if (!isIn(this.#lost, worker)) onHealthChange?.(formatWorker(worker), 'healthy');
  }

  /** Ends the running statements of lost workers. */
  async #endStatements(): Promise<void> {
    const endIfLost = async ({ statement, fail }: RunningStatement) => {
      const worker = await this.#findLostWorker(statement);
      if (worker) fail(createLostError(worker));
    };
    // If the coordinator fails too, its heartbeat ends all statements.
    await Promise.allSettled([...this.#running].map(endIfLost));
  }
}

const MIN_TIMEOUT_MS = 400;
const MAX_TIMEOUT_MS = 1_500;
const LATENCY_FACTOR = 4;
const MAX_LATENCIES = 16;

/** The time that a worker is given: a multiple of what the slowest recent connection took. */
class LatencyLimit {
  #latenciesMs: readonly number[] = [];

  get timeoutMs(): number {
    const timeoutMs = LATENCY_FACTOR * Math.max(0, ...this.#latenciesMs);
    return Math.min(MAX_TIMEOUT_MS, Math.max(MIN_TIMEOUT_MS, timeoutMs));
  }

  record(latenciesMs: readonly number[]): void {
    this.#latenciesMs = [...this.#latenciesMs, ...latenciesMs].slice(-MAX_LATENCIES);
  }
}

const formatWorker = ({ host, port }: Worker): string => `${host}:${port}`;

function createLostError(worker: Worker): StoreUnavailableError {
  return new StoreUnavailableError(`the worker ${formatWorker(worker)} does not answer`);
}
