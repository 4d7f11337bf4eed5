import { Catalogue, getShippedCatalogue } from '../../catalogue/catalogues.ts';
import { catalogue as shippedDatasets } from '../../catalogue/index.ts';
import { AbandonedError } from '../../shared/abandoned-error.ts';
import { OverloadedError } from '../../shared/overloaded-error.ts';
import { system } from '../../shared/system.ts';
import {
  NOTHING_SEEN,
  type SeenRevision,
  StoreDamagedError,
  type StoreReader,
  StoreUnavailableError,
} from '../../store/open-store.ts';
import type { ThreadError, ThreadRequest, ThreadResponse } from './background-thread.ts';
import { createJobs, type Jobs, type ReportAllocatedBytes } from './jobs.ts';

/** The end of the channel to `BackgroundThread` that the thread has. */
export interface ThreadPort {
  on(event: 'message', listener: (request: ThreadRequest) => void): unknown;
  postMessage(response: ThreadResponse, moved: ArrayBuffer[]): void;
  close(): void;
}

/** Runs the jobs that a port asks for, one slice at a time, until it asks for the end. */
export function runBackgroundThread(
  port: ThreadPort,
  openReader: () => StoreReader,
  reportAllocatedBytes: ReportAllocatedBytes,
): void {
  const runner = new JobRunner(port, openReader, reportAllocatedBytes);
  port.on('message', (request) => runner.receive(request));
}

type RequestOf<Kind> = Extract<ThreadRequest, { kind: Kind }>;

interface ActiveJob {
  readonly controller: AbortController;
  readonly chunks?: AsyncGenerator<Uint8Array, undefined>;
}

class JobRunner {
  readonly #active = new Map<number, ActiveJob>();
  /** That of the next jobs. */
  #catalogue = getShippedCatalogue(shippedDatasets);
  #opened: { readonly reader: StoreReader; readonly jobs: Jobs } | undefined;

  constructor(
    private readonly port: ThreadPort,
    private readonly openReader: () => StoreReader,
    private readonly reportAllocatedBytes: ReportAllocatedBytes,
  ) {}

  receive(request: ThreadRequest): unknown {
    switch (request.kind) {
      case 'declarations':
        this.#catalogue = new Catalogue(shippedDatasets, request.declared);
        return;
      case 'call':
        return this.#runCall(request);
      case 'stream':
        return this.#startStream(request);
      case 'next':
        return this.#sendNextChunk(request.id);
      case 'cancel':
        return this.#cancel(request.id);
      case 'ping':
        return this.#respond({ isAlive: true });
      case 'close':
        return this.#close();
    }
  }

  /** Opens the store for the first job; after a failure, for the next one. */
  async #getJobs(newestSeen: SeenRevision): Promise<Jobs> {
    if (!this.#opened) {
      const reader = this.openReader();
      this.#opened = { reader, jobs: createJobs(reader, this.reportAllocatedBytes) };
    }
    const { reader, jobs } = this.#opened;
    await reader.observeRevision(newestSeen.revision, newestSeen.identity);
    return jobs;
  }

  async #runCall({ id, name, values, newestSeen }: RequestOf<'call'>): Promise<void> {
    const controller = new AbortController();
    const input = name === 'compress' ? values : [this.#catalogue, ...values];
    this.#active.set(id, { controller });
    // Jobs that are cancelled before their turn never start.
    await system.nextTurn();
    try {
      if (controller.signal.aborted) throw new AbandonedError();
      const jobs = await this.#getJobs(newestSeen);
      const run = jobs[name] as (...values: unknown[]) => Promise<unknown>;
      // Pages are read for a client, which is the last value.
      const value = await run(...input, controller);
      this.#respond({ id, value, newestSeen: this.#opened?.reader.newestSeen() ?? NOTHING_SEEN });
    } catch (cause) {
      this.#respond({ id, error: toThreadError(cause) });
    } finally {
      this.#active.delete(id);
    }
  }

  #startStream({ id, job, newestSeen }: RequestOf<'stream'>): void {
    const controller = new AbortController();
    const chunks = this.#exportFile(this.#catalogue, job, newestSeen, controller.signal);
    this.#active.set(id, { controller, chunks });
  }

  /** As a generator, so that a failure to open the store comes with the first chunk. */
  async *#exportFile(
    catalogue: Catalogue,
    job: RequestOf<'stream'>['job'],
    newestSeen: SeenRevision,
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array, undefined> {
    return yield* (await this.#getJobs(newestSeen)).exportFile(catalogue, job, signal);
  }

  async #sendNextChunk(id: number): Promise<void> {
    try {
      const next = await this.#active.get(id)?.chunks?.next();
      if (!next || next.done) this.#active.delete(id);
      const newestSeen = this.#opened?.reader.newestSeen() ?? NOTHING_SEEN;
      this.#respond({ id, value: next?.value, newestSeen }, next?.value);
    } catch (cause) {
      this.#active.delete(id);
      this.#respond({ id, error: toThreadError(cause) });
    }
  }

  async #cancel(id: number): Promise<void> {
    const job = this.#active.get(id);
    job?.controller.abort();
    if (!job?.chunks) return;
    this.#active.delete(id);
    // Closes the connection that it reads from; a failure has no reader.
    await job.chunks.return(undefined).catch(() => {});
  }

  /** Streams have connections of their own, which would stay open until the thread is torn down. */
  async #close(): Promise<void> {
    await Promise.all([...this.#active.keys()].map((id) => this.#cancel(id)));
    this.#opened?.reader.close();
    this.port.close();
  }

  /** A chunk that is a whole buffer is moved, not copied. */
  #respond(response: ThreadResponse, chunk?: Uint8Array): void {
    const isWhole = chunk && chunk.byteLength === chunk.buffer.byteLength;
    this.port.postMessage(response, isWhole ? [chunk.buffer as ArrayBuffer] : []);
  }
}

function toThreadError(cause: unknown): ThreadError {
  if (cause instanceof AbandonedError) return { kind: 'abandoned', message: '' };
  if (cause instanceof OverloadedError) return { kind: 'overloaded', message: '' };
  // Stored texts are JSON, which is parsed wherever it is not sent as it is.
  if (cause instanceof StoreDamagedError || cause instanceof SyntaxError)
    return { kind: 'damaged', message: cause.message };
  if (cause instanceof StoreUnavailableError)
    return { kind: 'unavailable', message: cause.message };
  const message = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  return { kind: 'unexpected', message };
}
