import { system, type Timer } from '../../../shared/system.ts';
import { StoreUnavailableError } from '../../errors.ts';
import type { SqlQuery, SqlRows } from '../../sql/query-steps.ts';
import type { SqlExecutor } from '../query.ts';
import { findQueriedKey, queryShards } from './query-shards.ts';
import { findWorkerOfKey, type ProbeResult, type probeWorkers } from './worker-probe.ts';

/** A statement that takes longer is a reason to look whether all workers answer. */
const LATE_STATEMENT_MS = 400;
const MAX_ATTEMPTS = 3;
/** How soon a worker that did not answer is tried again. */
const PROBE_INTERVAL_MS = 1_000;

const ALL_ANSWER: ProbeResult = { lateWorkers: [], distributedTables: [] };

export interface MonitorOptions {
  /** The pool of the coordinator as it is now. */
  getPool(): SqlExecutor;
  /** Closes the pool with its statements, and creates another one. */
  recreatePool(): void;
  probe(): ReturnType<typeof probeWorkers>;
}

/**
 * Runs the statements of a cluster. A worker that hangs would keep every connection of the pool that
 * asks it: when a statement is late, the workers are probed. While one does not answer, statements
 * for its shards fail at once, and all others go on.
 */
export class WorkerMonitor {
  #state = ALL_ANSWER;
  /** How often the pool was recreated because of a worker. */
  #losses = 0;
  #probing: Promise<void> | undefined;
  #timer: Timer | undefined;
  #isClosed = false;

  constructor(private readonly options: MonitorOptions) {}

  async run(statement: SqlQuery): Promise<SqlRows> {
    for (let attempt = 1; ; attempt++) {
      await this.#assertAnswering(statement);
      const losses = this.#losses;
      const timer = system.setInterval(() => this.#probe(), LATE_STATEMENT_MS);
      try {
        return await queryShards(this.options.getPool(), statement);
      } catch (cause) {
        // The pool may have been closed because of a worker that the statement does not need.
        const wasClosed = losses < this.#losses && cause instanceof StoreUnavailableError;
        if (!wasClosed || attempt === MAX_ATTEMPTS) throw cause;
      } finally {
        timer.cancel();
      }
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
  }

  /** Rejects a statement for a shard of a worker that does not answer. */
  async #assertAnswering(statement: SqlQuery): Promise<void> {
    const { lateWorkers, distributedTables } = this.#state;
    const [table] = distributedTables;
    if (lateWorkers.length === 0 || table === undefined) return;
    if (!distributedTables.some((name) => statement.sql.includes(name))) return;
    const key = findQueriedKey(statement);
    const worker =
      key === undefined
        ? lateWorkers[0]?.id
        : await findWorkerOfKey(this.options.getPool(), table, key);
    const late = lateWorkers.find(({ id }) => id === worker);
    if (late)
      throw new StoreUnavailableError(`the worker ${late.host}:${late.port} does not answer`);
  }

  #probe(): void {
    this.#probing ??= this.#updateState().finally(() => {
      this.#probing = undefined;
      if (this.#isClosed || this.#state.lateWorkers.length === 0) return;
      this.#timer?.cancel();
      this.#timer = system.setTimeout(() => this.#probe(), PROBE_INTERVAL_MS);
    });
  }

  async #updateState(): Promise<void> {
    const result = await this.options.probe();
    if (!result || this.#isClosed) return;
    const known = new Set(this.#state.lateWorkers.map(({ id }) => id));
    this.#state = result;
    if (result.lateWorkers.every(({ id }) => known.has(id))) return;
    this.#losses++;
    this.options.recreatePool();
  }
}
