import { Worker } from 'node:worker_threads';
import { AbandonedError } from '../../shared/abandoned-error.ts';
import {
  type ReaderSource,
  type StoreReader,
  StoreUnavailableError,
} from '../../store/open-store.ts';
import type { EncodedPage } from '../pages/encode-page.ts';
import { weighBody } from './garbage-collection.ts';
import type { Jobs, ReportAllocatedBytes } from './jobs.ts';

/** A job's name, of those with one result. */
type CallName = Exclude<keyof Jobs, 'exportFile'>;

/** Messages to the background thread; `newestSeen` is the newest revision of any response. */
export type ThreadRequest =
  | { kind: 'call'; id: number; name: CallName; values: readonly unknown[]; newestSeen: number }
  | { kind: 'stream'; id: number; job: ExportJob; newestSeen: number }
  /** For the next chunk of a stream. */
  | { kind: 'next'; id: number }
  /** The client has gone. */
  | { kind: 'cancel'; id: number }
  | { kind: 'close' };

type ExportJob = Parameters<Jobs['exportFile']>[0];

/** Messages from the background thread. A stream ends with an undefined value. */
export type ThreadResponse = { readonly id: number } & (
  | { readonly value: unknown; readonly newestSeen: number }
  | { readonly error: ThreadError }
);

/** An error, in the terms that both threads share. */
export interface ThreadError {
  readonly kind: 'abandoned' | 'unavailable' | 'unexpected';
  readonly message: string;
}

interface PendingResponse {
  readonly worker: Worker;
  readonly resolve: (value: unknown) => void;
  readonly reject: (cause: Error) => void;
}

/** It ends by itself once it has closed its store. */
const STOP_TIMEOUT_MS = 2_000;
const STOPPED_MESSAGE = 'the thread that read it was stopped';

/** Runs jobs on a thread of its own, which starts with the first one and, if it ends, the next. */
export class BackgroundThread implements Jobs {
  readonly readCoverage = this.#createCall('readCoverage');
  readonly describeExports = this.#createCall('describeExports');
  readonly readCorrections = this.#createCall('readCorrections');
  readonly readChanges = this.#createCall('readChanges');
  readonly #pending = new Map<number, PendingResponse>();
  #worker: Worker | undefined;
  #lastId = 0;

  constructor(
    private readonly source: ReaderSource,
    private readonly reader: Pick<StoreReader, 'newestSeen' | 'observeRevision'>,
    private readonly reportAllocatedBytes: ReportAllocatedBytes,
  ) {}

  readonly readPage: Jobs['readPage'] = async (job, { signal }) => {
    const page = (await this.#call('readPage', [job], signal)) as EncodedPage;
    this.reportAllocatedBytes(weighBody(page.body));
    return page;
  };

  readonly compress: Jobs['compress'] = async (...values) => {
    const compressed = (await this.#call('compress', values)) as Blob;
    this.reportAllocatedBytes(compressed.size);
    return compressed;
  };

  async *exportFile(job: ExportJob, signal: AbortSignal): AsyncGenerator<Uint8Array, undefined> {
    const id = ++this.#lastId;
    const stopListening = this.#cancelOnAbort(id, signal);
    const worker = this.#getWorker();
    post(worker, { kind: 'stream', id, job, newestSeen: this.reader.newestSeen() });
    try {
      for (;;) {
        // Another thread would take the file for one that has ended.
        if (this.#worker !== worker) throw new StoreUnavailableError(STOPPED_MESSAGE);
        post(worker, { kind: 'next', id });
        const chunk = (await this.#waitForResponse(id, worker)) as Uint8Array | undefined;
        if (!chunk) return undefined;
        yield chunk;
      }
    } finally {
      stopListening();
      this.#cancel(id);
    }
  }

  /** Ends the thread; another job starts a new one, which opens the store again. */
  async stop(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    if (!worker) return;
    const exited = new Promise((resolve) => worker.once('exit', resolve));
    post(worker, { kind: 'close' });
    await Promise.race([exited, Bun.sleep(STOP_TIMEOUT_MS)]);
    await worker.terminate();
  }

  #createCall<Name extends CallName>(name: Name) {
    return (...values: Parameters<Jobs[Name]>) =>
      this.#call(name, values) as ReturnType<Jobs[Name]>;
  }

  #call(name: CallName, values: readonly unknown[], signal?: AbortSignal): Promise<unknown> {
    const id = ++this.#lastId;
    const stopListening = this.#cancelOnAbort(id, signal);
    const worker = this.#getWorker();
    post(worker, { kind: 'call', id, name, values, newestSeen: this.reader.newestSeen() });
    return this.#waitForResponse(id, worker).finally(stopListening);
  }

  #getWorker(): Worker {
    if (this.#worker) return this.#worker;
    const url = new URL('./thread.ts', import.meta.url);
    const worker = new Worker(url, { workerData: this.source });
    worker.on('message', (response: ThreadResponse) => this.#receive(response));
    worker.on('error', (cause: Error) => this.#handleExit(worker, cause));
    const stopped = new StoreUnavailableError(STOPPED_MESSAGE);
    worker.on('exit', () => this.#handleExit(worker, stopped));
    worker.unref();
    this.#worker = worker;
    return worker;
  }

  #receive(response: ThreadResponse): void {
    const pending = this.#pending.get(response.id);
    this.#pending.delete(response.id);
    if ('error' in response) {
      pending?.reject(toError(response.error));
    } else {
      this.reader.observeRevision(response.newestSeen);
      pending?.resolve(response.value);
    }
  }

  #handleExit(worker: Worker, cause: Error): void {
    if (this.#worker === worker) this.#worker = undefined;
    for (const [id, response] of this.#pending) {
      if (response.worker !== worker) continue;
      this.#pending.delete(id);
      response.reject(cause);
    }
  }

  #waitForResponse(id: number, worker: Worker): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { worker, resolve, reject });
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
    if (this.#worker) post(this.#worker, { kind: 'cancel', id });
  }
}

function post(worker: Worker, request: ThreadRequest): void {
  worker.postMessage(request);
}

function toError({ kind, message }: ThreadError): Error {
  if (kind === 'abandoned') return new AbandonedError();
  return kind === 'unavailable' ? new StoreUnavailableError(message) : new Error(message);
}
