import * as sdk from '@modelcontextprotocol/server';
import type { LogEvent } from '../../src/event-log.ts';
import { createSharedRevision } from '../../src/http/freshness/shared-revision.ts';
import {
  createSharedLimits,
  type SharedLimits,
  type UsageReport,
} from '../../src/http/rate-limiting/shared-limits.ts';
import { type CurrentServer, handleCurrent } from '../../src/http/server/listen.ts';
import { createDocumentRoutes } from '../../src/http/server/routes.ts';
import {
  type ScrubbingServer,
  type ServerOptions,
  startServer,
} from '../../src/http/server/start-server.ts';
import type { SdkSource } from '../../src/operations/mcp/load-sdk.ts';
import { system } from '../../src/shared/system.ts';
import { StoreUnavailableError, StoreUnusableError } from '../../src/store/errors.ts';
import type { ReaderSource, StoreReader } from '../../src/store/reader.ts';
import type { Store } from '../../src/store/store.ts';
import { Connection } from './connection.ts';
import { simulatedCatalogue } from './model.ts';
import { Channel, createProcess, type Process, type Scheduler } from './scheduler.ts';
import { SimulatedThread } from './simulated-thread.ts';

export interface SimulatedServerOptions {
  readonly scheduler: Scheduler;
  readonly name: string;
  readonly workerCount: number;
  readonly sharesUsage: boolean;
  /** Opens the database for a worker; called in its process. */
  readonly openStore: () => Store;
  /** Opens a reader for a background thread, in its process. */
  readonly openReader: (source: ReaderSource) => StoreReader;
  readonly onLogEvent: (worker: Worker, event: LogEvent) => void;
}

/** One process that serves. */
export interface Worker {
  readonly process: Process;
  readonly limits: SharedLimits;
  readonly connections: Set<Connection>;
  readonly threads: SimulatedThread[];
  /** Absent until it listens. */
  respond?: (request: Request) => Response | Promise<Response>;
  getContext?: () => CurrentServer;
  server?: ScrubbingServer;
}

/** The same for all seeds: they have no state. */
const documentRoutes = createDocumentRoutes();
export const IMPORT_FAILURE = 'the library of /mcp cannot be read';
const RESTART_MS = 300;
const USAGE_INTERVAL_MS = 100;
const CONNECTION_CONTROL = {
  requestIP: () => ({ address: '192.0.2.1', family: 'IPv4' as const, port: 1 }),
  timeout: () => {},
};
const SETTINGS: ServerOptions['settings'] = {
  host: '127.0.0.1',
  port: 8_080,
  tlsCert: '',
  tlsKey: '',
  scrubInterval: null,
  rateLimit: null,
  trustedProxies: null,
  logSlowMs: Number.POSITIVE_INFINITY,
  mcpOrigins: new Set<string>(),
  sdmxAgency: 'TENOR',
  logRequests: 'off',
  logAddresses: 'errors',
};

/** A server of several workers, which are assembled and share what real ones do. */
export class SimulatedServer {
  readonly workers: Worker[] = [];
  /** The shared number, which survives workers. */
  readonly #numbers = new BigUint64Array(1);
  #restarts = 0;
  /** Whether modules cannot be read, because files are short, or being replaced. */
  isImportFailing = false;
  readonly #sdkSource: SdkSource = {
    importPackage: () => this.#importSdk(),
    importBundle: () => this.#importSdk(),
  };

  constructor(readonly options: SimulatedServerOptions) {
    for (let index = 0; index < options.workerCount; index++) this.#startWorker(index);
  }

  /**
   * Responds as a server does over a network: in its own time, and perhaps not at all. Call it in the
   * process of a client; rejects with a TypeError, as `fetch` does, where the connection fails. The
   * worker is any that listens, unless it is given.
   */
  fetch(request: Request, index?: number): Promise<Response> {
    const { scheduler } = this.options;
    const listening = this.workers.filter(
      ({ respond, process }, each) => respond && !process.isDead && each === (index ?? each),
    );
    // The system gives a connection to any of those that share the port.
    const worker = listening.length > 0 ? scheduler.random.pick(listening) : undefined;
    return new Connection(scheduler, worker, request).response;
  }

  /** Ends a worker without any notice; another one takes its place in a while. */
  kill(index: number): void {
    const worker = this.workers[index];
    if (!worker || worker.process.isDead) return;
    const { scheduler } = this.options;
    worker.process.isDead = true;
    for (const thread of worker.threads) thread.process.isDead = true;
    for (const connection of [...worker.connections]) connection.reset();
    const world = createProcess(`${this.options.name} supervisor`);
    scheduler.after(RESTART_MS, 'restart', () => this.#startWorker(index), world);
  }

  #startWorker(index: number): void {
    const { scheduler, name } = this.options;
    const suffix = this.#restarts++ < this.options.workerCount ? '' : `.${this.#restarts}`;
    const process = createProcess(`${name}/${index}${suffix}`);
    const replaced = this.workers[index]?.process;
    if (replaced) process.clockOffsetMs = replaced.clockOffsetMs;
    const worker: Worker = {
      process,
      limits: scheduler.runAs(process, createSharedLimits),
      connections: new Set(),
      threads: [],
    };
    this.workers[index] = worker;
    scheduler.runAs(process, () => this.#run(index, worker));
  }

  async #run(index: number, worker: Worker): Promise<void> {
    const { scheduler, openStore, onLogEvent } = this.options;
    try {
      worker.server = await startServer({
        store: openStore(),
        catalogue: simulatedCatalogue,
        settings: SETTINGS,
        emit: (event) => onLogEvent(worker, event),
        sharedLimits: worker.limits,
        sharedRevision: createSharedRevision(this.#numbers),
        sdkSource: this.#sdkSource,
        onScrubNews: () => {},
        documentRoutes,
        startThread: ({ source }) => this.#startThread(worker, source),
        listen: (getContext) => listenTo(worker, getContext),
      });
    } catch (cause) {
      if (!(cause instanceof StoreUnavailableError || cause instanceof StoreUnusableError))
        throw cause;
      scheduler.note(() => `cannot start: ${cause}`);
      // The supervisor starts another one.
      worker.process.isDead = true;
      const world = createProcess(`${this.options.name} supervisor`);
      scheduler.after(RESTART_MS, 'restart', () => this.#startWorker(index), world);
      return;
    }
    this.#shareUsage(worker);
  }

  async #importSdk(): Promise<typeof sdk> {
    await this.options.scheduler.wait(this.options.scheduler.drawDelay(1, 200), 'import');
    if (this.isImportFailing) throw new Error(IMPORT_FAILURE);
    return sdk;
  }

  #startThread({ process, threads }: Worker, source: ReaderSource): SimulatedThread {
    const { scheduler, openReader } = this.options;
    const name = `${process.name} thread ${threads.length}`;
    const thread = new SimulatedThread(scheduler, name, () => openReader(source));
    threads.push(thread);
    return thread;
  }

  /** The supervisor passes on what each worker let through. */
  #shareUsage(worker: Worker): void {
    const { scheduler, workerCount, sharesUsage } = this.options;
    if (workerCount === 1 || !sharesUsage) return;
    system.setInterval(() => {
      const usage = worker.limits.drainUsage();
      if (!usage) return;
      for (const other of this.workers)
        if (other !== worker) this.#sendUsage(scheduler, other, usage);
    }, USAGE_INTERVAL_MS);
  }

  #sendUsage(scheduler: Scheduler, { process, limits }: Worker, usage: UsageReport): void {
    const onMessage = (report: UsageReport) => limits.applyUsage(report);
    const options = { label: 'usage', receiver: process, minMs: 0.2, maxMs: 20, onMessage };
    new Channel<UsageReport>(scheduler, options).send(usage);
  }
}

/** Takes requests instead of a port. */
function listenTo(
  worker: Worker,
  getContext: () => CurrentServer,
): ReturnType<NonNullable<ServerOptions['listen']>> {
  worker.getContext = getContext;
  worker.respond = (request) => handleCurrent(getContext, request, CONNECTION_CONTROL);
  return {
    address: `http://${worker.process.name}`,
    countConnections: async () => worker.connections.size,
    countActiveRequests: () => worker.connections.size,
    replaceCertificate: () => {},
    startDraining: () => {},
    stop: async () => {
      delete worker.respond;
    },
  };
}
