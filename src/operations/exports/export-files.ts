import { exportFile } from '../../http/background/background-work.ts';
import { createJobQueue } from '../../http/background/job-scheduler.ts';
import type { Exchange } from '../../http/pipeline/exchange.ts';
import type { ExportFormat } from '../../shared/formats.ts';
import { createBoundedMap } from '../../shared/memoize.ts';
import { system } from '../../shared/system.ts';
import type { ExportCache } from './export-cache.ts';
import type { ByteChunks, OpenFile } from './export-file.ts';
import { FileCreation } from './file-creation.ts';
import { type FileVersion, getValidators } from './file-version.ts';
import { openUncached, SMALL_FILE_BYTES } from './uncached-file.ts';

/** Less than the timeouts of clients, proxies and the server, which expect a first byte until then. */
const MAX_LENGTH_WAIT_MS = 20_000;
const MAX_UNCACHEABLE_FILES = 1_000;

export interface FileRequest {
  readonly exchange: Exchange;
  readonly version: FileVersion;
  readonly format: ExportFormat;
}

/** Opens exports: from the cache, while they are created for it, or created for one request. */
export class ExportFiles {
  readonly #creations = new Map<string, FileCreation>();
  /** Those that the cache had no room for. */
  readonly #uncacheable = createBoundedMap<string, true>(MAX_UNCACHEABLE_FILES);
  // Each takes memory and time from other requests.
  readonly #queue = createJobQueue({
    maxRunning: 4,
    maxWaiting: 100,
    maxWaitingPerOwner: 10,
    maxWaitMs: 30_000,
  });

  constructor(
    /** Absent if nothing is kept. */
    private readonly cache?: ExportCache,
    private readonly maxLengthWaitMs = MAX_LENGTH_WAIT_MS,
  ) {}

  /** Opens a file. One whose length is needed is undefined if that takes long: a later request finds it. */
  async open(request: FileRequest, needsLength: boolean): Promise<OpenFile | undefined> {
    const name = getFileName(request);
    const { signal } = request.exchange;
    const stored = await this.cache?.open(name);
    if (stored) return stored;
    const creation = await this.#getCreation(name, request);
    await creation?.waitFor(SMALL_FILE_BYTES, signal);
    if (needsLength) {
      const controller = new AbortController();
      const timer = system.setTimeout(() => controller.abort(), this.maxLengthWaitMs);
      const either = AbortSignal.any([signal, controller.signal]);
      await creation?.waitFor(Number.POSITIVE_INFINITY, either);
      timer.cancel();
    }
    if (creation?.state.kind === 'failed') throw creation.state.cause;
    if (creation?.state.kind === 'creating' && needsLength) return undefined;
    const created = creation?.state.kind === 'creating' ? await creation.open() : undefined;
    return created ?? (await this.cache?.open(name)) ?? openUncached(this.#create(request));
  }

  async #getCreation(name: string, request: FileRequest): Promise<FileCreation | undefined> {
    if (!this.cache || this.#uncacheable.has(name)) return this.#creations.get(name);
    const file = this.#creations.has(name)
      ? undefined
      : await this.cache.create(name).catch(() => undefined);
    const running = this.#creations.get(name);
    if (running || !file) {
      await file?.discard();
      return running;
    }
    const { cache } = this;
    const { dataset } = request.version;
    const creation: FileCreation = new FileCreation(
      file,
      () => this.#create(request),
      () => {
        this.#creations.delete(name);
        if (creation.state.kind === 'unwritable') this.#uncacheable.set(name, true);
        // Found while it got its name.
        if (request.exchange.database.damage.covers([dataset.name]))
          void cache.drop([dataset.name]);
      },
    );
    this.#creations.set(name, creation);
    return creation;
  }

  /** The chunks of a file, when it is the turn of its client. */
  async *#create(request: FileRequest): ByteChunks {
    const { principal } = request.exchange;
    const { signal } = new AbortController();
    const started = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    const run = () => {
      started.resolve();
      return ended.promise;
    };
    const job = this.#queue({ owner: principal.id, cost: 0, signal, run });
    await Promise.race([started.promise, job]);
    try {
      yield* createChunks(request, signal);
    } finally {
      ended.resolve();
    }
    return undefined;
  }
}

function createChunks({ exchange, version, format }: FileRequest, signal: AbortSignal): ByteChunks {
  const { damage, newestRevision, reader, reportAllocatedBytes, scheduler } = exchange.database;
  const { dataset, view } = version;
  const { revision: newest } = newestRevision;
  const file = { dataset: dataset.name, format, revision: view.revision, newest };
  const chunks =
    scheduler.background?.exportFile(file, signal) ??
    exportFile(reader, dataset, file, { signal, reportAllocatedBytes });
  return damage.watchChunks([dataset.name], chunks);
}

function getFileName({ version, format }: FileRequest): string {
  const tag = getValidators(version, format).etag.replaceAll('"', '');
  return `${version.dataset.name}.${tag}`;
}
