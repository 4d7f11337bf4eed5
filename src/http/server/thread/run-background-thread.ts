import type { Dataset } from '../../../catalogue/model/dataset.ts';
import { writeMessage } from '../../../sdmx/write-message.ts';
import { AbandonedError } from '../../../shared/abandoned-error.ts';
import { formatCause } from '../../../shared/format-cause.ts';
import { onceAsync } from '../../../shared/memoize.ts';
import { OverloadedError } from '../../../shared/overloaded-error.ts';
import { system } from '../../../shared/system.ts';
import {
  NOTHING_SEEN,
  type SeenRevision,
  StoreDamagedError,
  type StoreReader,
  StoreUnavailableError,
} from '../../../store/open-store.ts';
import { createScopes } from '../../../tokens/scopes.ts';
import type {
  ThreadError,
  ThreadRequest,
  ThreadResponse,
} from '../../background/background-thread.ts';
import {
  type BackgroundRequest,
  compress,
  exportFile,
  type ResponseParts,
} from '../../background/background-work.ts';
import { HttpError } from '../../http-error.ts';
import { createDatabase, type Database } from '../../pipeline/database.ts';
import { parseRequest, readParts } from '../../pipeline/read-parts.ts';
import type { GetDataRoutes } from '../../pipeline/route.ts';
import { RequestTarget } from '../../request/parse-query.ts';
import type { ReportAllocatedBytes } from '../../responses/response.ts';

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
  options: ThreadOptions,
): void {
  const runner = new JobRunner(port, openReader, options);
  port.on('message', (request) => runner.receive(request));
}

export interface ThreadOptions {
  /** The datasets that ship with the program. */
  readonly catalogue: readonly Dataset[];
  readonly getDataRoutes: GetDataRoutes;
  readonly reportAllocatedBytes: ReportAllocatedBytes;
}

type RequestOf<Kind> = Extract<ThreadRequest, { kind: Kind }>;

interface ActiveJob {
  readonly controller: AbortController;
  readonly chunks?: AsyncGenerator<Uint8Array, undefined>;
}

class JobRunner {
  readonly #active = new Map<number, ActiveJob>();
  #reader: StoreReader | undefined;
  /** Assembles what serves data for the first job; after a failure, for the next one. */
  readonly #open = onceAsync(async () => {
    this.#reader ??= this.openReader();
    const metrics = { cacheHits: 0, cacheMisses: 0 };
    const { catalogue, reportAllocatedBytes } = this.options;
    return createDatabase(this.#reader, {
      catalogue,
      metrics,
      reportAllocatedBytes,
      emit: () => {},
    });
  });

  constructor(
    private readonly port: ThreadPort,
    private readonly openReader: () => StoreReader,
    private readonly options: ThreadOptions,
  ) {}

  receive(request: ThreadRequest): unknown {
    switch (request.kind) {
      case 'call':
        return this.#runCall(request);
      case 'stream':
        return this.#startStream(request);
      case 'next':
        return this.#sendNextChunk(request.id);
      case 'cancel':
        return this.#cancel(request.id);
      case 'ping':
        return this.#send({ isAlive: true });
      case 'close':
        return this.#close();
    }
  }

  async #getDatabase(newestSeen: SeenRevision, newest: number): Promise<Database> {
    const database = await this.#open();
    await database.reader.observeRevision(newestSeen.revision, newestSeen.identity);
    await database.newestRevision.advanceTo(newest);
    return database;
  }

  async #runCall({ id, call, newestSeen }: RequestOf<'call'>): Promise<void> {
    const controller = new AbortController();
    this.#active.set(id, { controller });
    // Jobs that are cancelled before their turn never start.
    await system.nextTurn();
    try {
      if (controller.signal.aborted) throw new AbandonedError();
      const value =
        call.name === 'compress'
          ? await compress(call.body, call.encoding)
          : await this.#respond(call.request, newestSeen, controller);
      this.#send({ id, value, newestSeen: this.#reader?.newestSeen() ?? NOTHING_SEEN });
    } catch (cause) {
      this.#send({ id, error: toThreadError(cause) });
    } finally {
      this.#active.delete(id);
    }
  }

  /** By the same route as on the thread that has planned it. */
  async #respond(
    { target: url, scopes, cursorKey, view: sentView, ...request }: BackgroundRequest,
    newestSeen: SeenRevision,
    client: AbortController,
  ): Promise<ResponseParts> {
    const database = await this.#getDatabase(newestSeen, sentView.newest);
    const { catalogues, cursors } = database;
    if (cursorKey) cursors.useSourceKey(cursorKey);
    const view = { ...sentView, catalogue: await catalogues.prepare(sentView.revision) };
    const target = new RequestTarget(url);
    const route = this.options.getDataRoutes(view.catalogue).find(target.path);
    if (!(route && 'read' in route))
      throw new Error(`no route of data has the path ${target.path}`);
    const parsed = { ...request, target, cursors, scopes: createScopes(scopes) };
    const query = parseRequest(route, parsed, view);
    if (query instanceof HttpError) throw new Error(`${target.path}: ${query.code}`);
    return readParts(database, { route, query, target: url, view }, client);
  }

  #startStream({ id, file, newestSeen }: RequestOf<'stream'>): void {
    const controller = new AbortController();
    const chunks = this.#createChunks(file, newestSeen, controller.signal);
    this.#active.set(id, { controller, chunks });
  }

  /** As a generator, so that a failure to open the store comes with the first chunk. */
  async *#createChunks(
    file: RequestOf<'stream'>['file'],
    newestSeen: SeenRevision,
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array, undefined> {
    const { reader, catalogues, reportAllocatedBytes } = await this.#getDatabase(
      newestSeen,
      file.newest,
    );
    const catalogue = await catalogues.prepare(file.revision);
    const options = { signal, reportAllocatedBytes };
    return yield* 'content' in file
      ? writeMessage(reader, catalogue, file, options)
      : exportFile(reader, catalogue.get(file.dataset), file, options);
  }

  async #sendNextChunk(id: number): Promise<void> {
    try {
      const next = await this.#active.get(id)?.chunks?.next();
      if (!next || next.done) this.#active.delete(id);
      const newestSeen = this.#reader?.newestSeen() ?? NOTHING_SEEN;
      this.#send({ id, value: next?.value, newestSeen }, next?.value);
    } catch (cause) {
      this.#active.delete(id);
      this.#send({ id, error: toThreadError(cause) });
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
    this.#reader?.close();
    this.port.close();
  }

  /** A chunk that is a whole buffer is moved, not copied. */
  #send(response: ThreadResponse, chunk?: Uint8Array): void {
    const isWhole = chunk && chunk.byteLength === chunk.buffer.byteLength;
    this.port.postMessage(response, isWhole ? [chunk.buffer as ArrayBuffer] : []);
  }
}

function toThreadError(cause: unknown): ThreadError {
  if (cause instanceof AbandonedError) return { kind: 'abandoned', message: '' };
  if (cause instanceof OverloadedError) return { kind: 'overloaded', message: '' };
  // Stored texts are JSON, which is parsed wherever it is not sent as it is.
  if (cause instanceof StoreDamagedError)
    return { kind: 'damaged', message: cause.message, dataset: cause.dataset };
  if (cause instanceof SyntaxError) return { kind: 'damaged', message: cause.message };
  if (cause instanceof StoreUnavailableError)
    return { kind: 'unavailable', message: cause.message };
  return { kind: 'unexpected', message: formatCause(cause) };
}
