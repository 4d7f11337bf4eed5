import type { EmitEvent } from '../../event-log.ts';
import type { Message } from '../../sdmx/message-query.ts';
import { AbandonedError } from '../../shared/abandoned-error.ts';
import { OverloadedError } from '../../shared/overloaded-error.ts';
import { system } from '../../shared/system.ts';
import {
  type ReaderSource,
  type SeenRevision,
  StoreDamagedError,
  type StoreReader,
  StoreUnavailableError,
} from '../../store/open-store.ts';
import { type ReportAllocatedBytes, weighBody } from '../responses/response.ts';
import type {
  BackgroundRequest,
  BackgroundWork,
  ExportedFile,
  ResponseParts,
} from './background-work.ts';
import { ThreadWatch } from './thread-watch.ts';

/** What a thread is asked for, with one result. */
type Call =
  | { readonly name: 'respond'; readonly request: BackgroundRequest }
  | {
      readonly name: 'compress';
      readonly body: Blob;
      readonly encoding: Parameters<BackgroundWork['compress']>[1];
    };

/** Messages to the background thread; `newestSeen` is the newest revision of any response. */
export type ThreadRequest =
  | { kind: 'call'; id: number; call: Call; newestSeen: SeenRevision }
  | { kind: 'stream'; id: number; file: ExportedFile | Message; newestSeen: SeenRevision }
  /** For the next chunk of a stream. */
  | { kind: 'next'; id: number }
  /** The client has gone. */
  | { kind: 'cancel'; id: number }
  /** For a sign of life. */
  | { kind: 'ping' }
  | { kind: 'close' };

/** Messages from the background thread. A stream ends with an undefined value. */
export type ThreadResponse =
  | { readonly id: number; readonly value: unknown; readonly newestSeen: SeenRevision }
  | { readonly id: number; readonly error: ThreadError }
  /** Sent at the start: the file that tells the state of the thread. */
  | { readonly statusFile: string }
  /** The response to a ping. */
  | { readonly isAlive: true };

/** An error, in the terms that both threads share. */
export interface ThreadError {
  readonly kind: 'abandoned' | 'overloaded' | 'damaged' | 'unavailable' | 'unexpected';
  readonly message: string;
  /** The one that is damaged, if it is known. */
  readonly dataset?: string | undefined;
}

/** A thread, as `BackgroundThread` sees it. */
export interface Thread {
  on(event: 'message', listener: (response: ThreadResponse) => void): unknown;
  on(event: 'error', listener: (cause: Error) => void): unknown;
  on(event: 'exit', listener: () => void): unknown;
  postMessage(request: ThreadRequest): void;
  terminate(): unknown;
  /** Lets the process end before it does. */
  unref(): unknown;
}

/** Starts one that reads from a source. */
export type StartThread = (source: ReaderSource) => Thread;

interface PendingResponse {
  readonly worker: Thread;
  readonly job: string;
  readonly resolve: (value: unknown) => void;
  readonly reject: (cause: Error) => void;
}

/** It ends by itself once it has closed its store. */
const STOP_TIMEOUT_MS = 2_000;
const STOPPED_MESSAGE = 'the thread that read it was stopped';
/** Bun ends a loop of the program, but not a call that does not return: such a thread keeps a core. */
const MAX_HUNG_THREADS = 3;
const HUNG_MESSAGE = `${MAX_HUNG_THREADS} background threads hang and could not be ended; restart the service`;

/**
 * Runs jobs on a thread of its own, which starts with the first one and, if it ends, the next. One
 * that does not respond is given up, with its jobs.
 */
export class BackgroundThread implements BackgroundWork {
  readonly #pending = new Map<number, PendingResponse>();
  /** Threads that were given up, and have not ended yet. */
  readonly #hung = new Set<Thread>();
  #worker: Thread | undefined;
  #watch: ThreadWatch | undefined;
  #lastId = 0;

  constructor(
    /** If the reader names none. */
    private readonly source: ReaderSource,
    private readonly reader: Pick<StoreReader, 'source' | 'newestSeen' | 'observeRevision'>,
    private readonly reportAllocatedBytes: ReportAllocatedBytes,
    private readonly emit: EmitEvent,
    private readonly startThread: StartThread,
  ) {}

  /** Whether no thread is started any more, because too many hang. */
  get isStuck(): boolean {
    return this.#hung.size >= MAX_HUNG_THREADS;
  }

  async respond(request: BackgroundRequest, signal: AbortSignal): Promise<ResponseParts> {
    const parts = (await this.#call({ name: 'respond', request }, signal)) as ResponseParts;
    this.reportAllocatedBytes(weighBody(parts.page?.body ?? null));
    return parts;
  }

  async compress(...[body, encoding]: Parameters<BackgroundWork['compress']>): Promise<Blob> {
    return (await this.#call({ name: 'compress', body, encoding })) as Blob;
  }

  exportFile(file: ExportedFile, signal: AbortSignal): AsyncGenerator<Uint8Array, undefined> {
    return this.#stream('exportFile', file, signal);
  }

  writeMessage(message: Message, signal: AbortSignal): AsyncGenerator<Uint8Array, undefined> {
    return this.#stream('writeMessage', message, signal);
  }

  async *#stream(
    job: 'exportFile' | 'writeMessage',
    file: ExportedFile | Message,
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array, undefined> {
    const id = ++this.#lastId;
    const stopListening = this.#cancelOnAbort(id, signal);
    const worker = this.#getWorker();
    worker.postMessage({ kind: 'stream', id, file, newestSeen: this.reader.newestSeen() });
    try {
      for (;;) {
        // Another thread would take the file for one that has ended.
        if (this.#worker !== worker) throw new StoreUnavailableError(STOPPED_MESSAGE);
        worker.postMessage({ kind: 'next', id });
        const chunk = await this.#waitForResponse(id, worker, job);
        if (!chunk) return undefined;
        yield chunk as Uint8Array;
      }
    } finally {
      stopListening();
      this.#cancel(id);
    }
  }

  /** Ends the thread; another job starts a new one, which opens the store again. */
  async stop(): Promise<void> {
    const [worker, watch] = [this.#worker, this.#watch];
    this.#worker = undefined;
    if (!worker || !watch) return;
    const exited = new Promise((resolve) => worker.on('exit', () => resolve(undefined)));
    worker.postMessage({ kind: 'close' });
    await Promise.race([exited, system.sleep(STOP_TIMEOUT_MS)]);
    terminate(worker, watch);
  }

  async #call(call: Call, signal?: AbortSignal): Promise<unknown> {
    const id = ++this.#lastId;
    const stopListening = this.#cancelOnAbort(id, signal);
    const worker = this.#getWorker();
    worker.postMessage({ kind: 'call', id, call, newestSeen: this.reader.newestSeen() });
    return this.#waitForResponse(id, worker, call.name).finally(stopListening);
  }

  #getWorker(): Thread {
    if (this.#worker) return this.#worker;
    if (this.isStuck) throw new StoreUnavailableError(HUNG_MESSAGE);
    const worker = this.startThread(this.reader.source?.() ?? this.source);
    const watch = new ThreadWatch({
      isBusy: () => this.#pending.values().some((response) => response.worker === worker),
      ping: () => worker.postMessage({ kind: 'ping' }),
      onHang: (silentMs) => {
        this.#giveUp(worker, silentMs);
        terminate(worker, watch);
      },
    });
    worker.on('message', (response) => {
      // It goes on after all, but another one has its place.
      if (this.#hung.has(worker)) terminate(worker, watch);
      else this.#receive(response, watch);
    });
    worker.on('error', (cause) => this.#handleExit(worker, cause));
    const stopped = new StoreUnavailableError(STOPPED_MESSAGE);
    worker.on('exit', () => {
      watch.stop();
      this.#hung.delete(worker);
      this.#handleExit(worker, stopped);
    });
    // After the listeners, which would keep the process alive again.
    worker.unref();
    this.#worker = worker;
    this.#watch = watch;
    return worker;
  }

  /** Another one takes its place with the next job. */
  #giveUp(worker: Thread, silentMs: number): void {
    const cause = `the background thread did not respond for ${(silentMs / 1_000).toFixed(1)} s`;
    const jobs = [...this.#pending.values()].filter((response) => response.worker === worker);
    this.emit({ event: 'thread.replaced', cause, jobs: jobs.map(({ job }) => job) });
    this.#hung.add(worker);
    this.#handleExit(worker, new StoreUnavailableError(cause));
  }

  async #receive(response: ThreadResponse, watch: ThreadWatch): Promise<void> {
    watch.reset('statusFile' in response ? response.statusFile : undefined);
    if (!('id' in response)) return;
    const pending = this.#pending.get(response.id);
    this.#pending.delete(response.id);
    try {
      if ('error' in response) throw toError(response.error);
      const { revision, identity } = response.newestSeen;
      await this.reader.observeRevision(revision, identity);
      pending?.resolve(response.value);
    } catch (cause) {
      pending?.reject(cause as Error);
    }
  }

  #handleExit(worker: Thread, cause: Error): void {
    if (this.#worker === worker) this.#worker = undefined;
    for (const [id, response] of this.#pending) {
      if (response.worker !== worker) continue;
      this.#pending.delete(id);
      response.reject(cause);
    }
  }

  #waitForResponse(id: number, worker: Thread, job: string): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { worker, job, resolve, reject });
      this.#watch?.start();
    });
  }

  /** The thread responds to a cancelled job too, once it has in fact ended. */
  #cancelOnAbort(id: number, signal: AbortSignal | undefined): () => void {
    if (signal?.aborted) throw new AbandonedError();
    const listener = () => this.#cancel(id);
    signal?.addEventListener('abort', listener, { once: true });
    return () => signal?.removeEventListener('abort', listener);
  }

  #cancel(id: number): void {
    this.#worker?.postMessage({ kind: 'cancel', id });
  }
}

/** Bun waits for a thread that no signal reaches with a lock that all others need. */
function terminate(worker: Thread, watch: ThreadWatch): void {
  // Not awaited, since a call that does not return is not ended.
  if (!watch.isUnreachable()) void worker.terminate();
}

function toError({ kind, message, dataset }: ThreadError): Error {
  if (kind === 'abandoned') return new AbandonedError();
  if (kind === 'overloaded') return new OverloadedError();
  if (kind === 'damaged') return Object.assign(new StoreDamagedError(message), { dataset });
  return kind === 'unavailable' ? new StoreUnavailableError(message) : new Error(message);
}
