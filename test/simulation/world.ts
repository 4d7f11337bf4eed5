/*
 * The simulated world of one seed: a database, servers over it, and what uses them.
 *
 * How to plug in:
 * - A kind of database implements `SimulatedDatabase`, and is created in `createDatabase` below by
 *   `options.engine`. `openStore` is called in the process of each worker; its statements wait by
 *   `scheduler.wait(delay, label)`, and run on `history.snapshots[revision].database`.
 * - Anything else, such as tabs, is a `Part`: it is given the world, sends requests by
 *   `world.servers[n].fetch(request)` from a process of its own (`scheduler.runAs(process, …)`), calls
 *   `world.fail(property, message)` when something does not hold, and is listed in `PARTS`.
 * - Steps of a part are drawn with all others into a plan: see `StepKind` in plan.ts. They are listed
 *   in `STEP_KINDS`, and find their part by `world.getPart(Class)`.
 * - Time, timers and chance come from `world.scheduler` (or `system`, which it has replaced); nothing
 *   may settle by the real event loop: no files, sockets, workers, compression, `crypto.subtle`.
 */
import type { LogEvent } from '../../src/event-log.ts';
import { replaceSystem } from '../../src/shared/system.ts';
import type { ReaderSource, StoreReader } from '../../src/store/reader.ts';
import type { Store } from '../../src/store/store.ts';
import type { CheckedDatabase, CheckedWorld } from './checked-world.ts';
import { ReadingClients } from './clients.ts';
import { FaultTimes } from './fault-times.ts';
import { FileDatabase, fileSteps } from './file-database.ts';
import type { SimulatedChange } from './model.ts';
import type { Plan, StepKinds, WorldOptions } from './plan.ts';
import { PostgresDatabase } from './postgres-database.ts';
import { postgresSteps } from './postgres-steps.ts';
import { readingSteps } from './reading-steps.ts';
import { createProcess, Scheduler } from './scheduler.ts';
import { serverSteps } from './server-steps.ts';
import { IMPORT_FAILURE, SimulatedServer, type Worker } from './simulated-server.ts';
import { SimulatedTokens } from './simulated-tokens.ts';
import { tabSteps } from './tabs/tab-steps.ts';
import { Tabs } from './tabs/tabs.ts';
import { tokenSteps } from './token-steps.ts';

/** Something in the world besides its servers. */
export interface Part {
  /** Ends its faults. */
  heal?(): void;
  /** Called a while after all faults have ended: requests that must succeed now. */
  probe?(): void;
  /** Called at the very end, when everything has had its time. */
  check?(): void;
  close?(): void;
}

/** A database that servers serve. */
export interface SimulatedDatabase extends CheckedDatabase, Part {
  openStore(): Store;
  /** Opens a reader for a background thread. */
  openReader(source: ReaderSource): StoreReader;
  /** Begins to publish: a revision comes in a while, or not at all where that fails. */
  publish(change: SimulatedChange): void;
}

export interface Failure {
  readonly property: string;
  readonly message: string;
  readonly atMs: number;
}

/** Long enough for all bounds that the properties name; those of revoked tokens
 * and of threads that hang are longer. */
const SETTLE_MS = 4_000;
const LONG_SETTLE_MS = 8_500;
const MAX_TAIL_MS = 1_500;
/** A thread that hangs is given up after four seconds. */
const MAX_HANG_MS = 5_000;
const START_SLICE_MS = 20;
const PROBE_MS = 1_500;
/** Log events that no fault explains: the program has a bug. */
const BUG_EVENTS = ['request.failed', 'watch.failed'];

export const STEP_KINDS: StepKinds = {
  ...fileSteps,
  ...postgresSteps,
  ...serverSteps,
  ...tokenSteps,
  ...readingSteps,
  ...tabSteps,
};
const PARTS: readonly (new (world: World) => Part)[] = [ReadingClients, Tabs];

export class World implements CheckedWorld {
  readonly scheduler: Scheduler;
  readonly options: WorldOptions;
  readonly tokens: SimulatedTokens;
  readonly database: SimulatedDatabase;
  readonly servers: readonly SimulatedServer[];
  readonly failures: Failure[] = [];
  nextRequestId = 1;
  clockChangeMs = 0;
  readonly #faults = new FaultTimes();
  readonly #parts: readonly Part[];
  readonly #process = createProcess('world');
  #isHealed = false;

  constructor(
    readonly plan: Plan,
    keepsTrace = false,
  ) {
    const { options, seed } = plan;
    this.options = options;
    this.scheduler = new Scheduler(seed, keepsTrace);
    replaceSystem(this.scheduler.createSystem());
    this.tokens = new SimulatedTokens(this.scheduler);
    this.database = createDatabase(this);
    this.servers = Array.from(
      { length: options.servers },
      (_, index) =>
        new SimulatedServer({
          scheduler: this.scheduler,
          name: `server${index}`,
          workerCount: options.workers,
          sharesUsage: options.sharesUsage,
          openStore: () => this.database.openStore(),
          openReader: (source) => this.database.openReader(source),
          onLogEvent: (worker, event) => this.#observe(worker, event),
        }),
    );
    this.#parts = PARTS.map((Part) => new Part(this));
  }

  /** Runs the plan, ends all faults, lets everything settle, and looks at the end. */
  run(): void {
    const { scheduler, plan } = this;
    this.#startServers();
    const endMs = scheduler.nowMs + this.options.durationMs;
    for (const step of plan.steps)
      scheduler.after(step.atMs, step.kind, () => this.#apply(step), this.#process);
    this.#runUntil(endMs);
    this.#heal();
    const isLong = this.#hasStep('revoke token') || this.#hasStep('thread');
    const probedMs = endMs + (isLong ? LONG_SETTLE_MS : SETTLE_MS);
    this.#runUntil(probedMs);
    for (const part of this.#parts) part.probe?.();
    this.#runUntil(probedMs + PROBE_MS);
    if (this.failures.length > 0) return;
    for (const part of [this.database, ...this.#parts]) part.check?.();
  }

  close(): void {
    for (const part of [this.database, ...this.#parts]) part.close?.();
  }

  getPart<T extends Part>(kind: new (world: World) => T): T {
    const part = this.#parts.find((each): each is T => each instanceof kind);
    if (!part) throw new Error(`the world has no ${kind.name}`);
    return part;
  }

  /** Something does not hold: the run ends with this event. */
  fail(property: string, message: string): void {
    this.failures.push({ property, message, atMs: this.scheduler.nowMs });
    this.scheduler.note(`FAILED ${property}: ${message}`);
    this.scheduler.stop();
  }

  /** From now on, and for a while, something is not as it should be. */
  addFault(kind: string, durationMs: number): void {
    const { nowMs } = this.scheduler;
    this.#faults.add(kind, nowMs, nowMs + durationMs);
  }

  /** The same until the function is called that is returned. */
  startFault(kind: string): () => void {
    const fault = this.#faults.add(kind, this.scheduler.nowMs);
    return () => {
      fault.toMs = Math.min(fault.toMs, this.scheduler.nowMs);
    };
  }

  isCalm(fromMs: number, toMs: number, kinds?: readonly string[]): boolean {
    return this.#faults.isCalm(fromMs, toMs, kinds);
  }

  isNoticed(changeMs: number, atMs: number, withinMs: number): boolean {
    return this.#faults.isNoticed(changeMs, atMs, withinMs);
  }

  /** From now on, nothing fails any more; what was slow may take a moment still. */
  #heal(): void {
    this.#isHealed = true;
    const hasHung = this.#hasStep('thread');
    this.#faults.endBy(this.scheduler.nowMs + (hasHung ? MAX_HANG_MS : MAX_TAIL_MS));
    for (const part of [this.database, ...this.#parts]) part.heal?.();
    for (const server of this.servers) {
      server.isImportFailing = false;
      for (const { process, threads } of server.workers) {
        this.scheduler.resume(process);
        for (const thread of threads) {
          thread.endIfIdle();
          if (!thread.isHung) this.scheduler.resume(thread.process);
        }
      }
    }
  }

  /** Waits until all workers listen. */
  #startServers(): void {
    const isStarted = () =>
      this.servers.every(({ workers }) => workers.every(({ respond }) => respond));
    while (!isStarted() && this.failures.length === 0)
      this.scheduler.runUntil(this.scheduler.nowMs + START_SLICE_MS);
  }

  #hasStep(kind: string): boolean {
    return this.plan.steps.some((step) => step.kind === kind);
  }

  #runUntil(endMs: number): void {
    if (this.failures.length === 0) this.scheduler.runUntil(endMs);
  }

  #apply(step: Plan['steps'][number]): void {
    this.scheduler.note(() => `step ${JSON.stringify(step)}`);
    const { atMs: _, kind, ...parameters } = step;
    this.apply(kind, parameters);
  }

  /** Does what a step says, unless the time for steps is over. */
  apply(kind: string, parameters: object): void {
    if (this.#isHealed) return;
    const known = STEP_KINDS[kind];
    if (known) known.apply(this, parameters);
    else this.fail('steps are known', kind);
  }

  #observe({ process }: Worker, event: LogEvent): void {
    // Stacks have the lines of the program that ran the seed.
    this.scheduler.note(() => `log ${JSON.stringify(event).replace(/\\n {4}at .*?(?=")/, '')}`);
    const isExpected = 'cause' in event && String(event.cause).includes(IMPORT_FAILURE);
    if (BUG_EVENTS.includes(event.event) && !isExpected)
      this.fail('no bug is logged', `${process.name}: ${JSON.stringify(event)}`);
  }
}

function createDatabase(world: World): SimulatedDatabase {
  return world.options.engine === 'file' ? new FileDatabase(world) : new PostgresDatabase(world);
}
