import { exportFile } from '../../http/background/background-work.ts';
import { createJobQueue } from '../../http/background/job-queue.ts';
import type { Exchange } from '../../http/pipeline/exchange.ts';
import { type HttpResponse, REPR_DIGEST } from '../../http/responses/response.ts';
import type { ExportFormat } from '../../shared/formats.ts';
import { createBoundedMap } from '../../shared/memoize.ts';
import { type ByteRange, type ByteSpan, resolveByteRange, sliceChunks } from './byte-range.ts';
import {
  concatChunks,
  type FileMeasures,
  type PrefetchedFile,
  prefetch,
  reportMeasures,
} from './chunks.ts';
import { FileStream } from './file-stream.ts';
import { type FileVersion, getValidators } from './file-version.ts';
import { LengthMeasurement } from './length-measurement.ts';

/** Each takes memory and time from other requests. */
const MAX_CONCURRENT_LARGE_FILES = 4;
const MAX_CONCURRENT_PER_TOKEN = 2;
const MAX_TRACKED_FILES = 1_000;

export interface FileRequest {
  readonly exchange: Pick<Exchange, 'database' | 'headers' | 'principal' | 'signal'>;
  readonly version: FileVersion;
  readonly format: ExportFormat;
}

/** A file or a range of it; without a body where the range is not satisfiable. */
interface FileTransfer extends Pick<HttpResponse, 'body' | 'stream'> {
  /** With a range: which bytes of the file it has, and the length of the file. */
  readonly part?: { readonly span: ByteSpan | undefined; readonly total: number };
}

/** A small file, or the start of a large one; empty while too many large ones are being sent. */
interface PreparedFile extends Partial<PrefetchedFile> {
  readonly file?: Blob;
}

/** Sends files: small ones from the response cache, large ones while they are created. */
export class FileSender {
  /** The measures of files by key, once they were created to their end. */
  readonly #measures = createBoundedMap<string, FileMeasures>(MAX_TRACKED_FILES);
  readonly #largeFiles = createBoundedMap<string, true>(MAX_TRACKED_FILES);
  /** The token of each large file that is being sent or measured. */
  readonly #activeTokens: string[] = [];
  readonly #measurements = new Map<string, LengthMeasurement>();
  // One at a time, because the start of each file is held in memory.
  readonly #prefetchQueue = createJobQueue({
    maxRunning: 1,
    maxWaiting: 100,
    maxWaitingPerOwner: 10,
    maxWaitMs: 30_000,
  });

  /** The length of a small file; undefined for a large one. */
  async getSize(request: FileRequest): Promise<number | undefined> {
    if (this.#largeFiles.has(getFileKey(request))) return undefined;
    const { file, rest } = await this.#prepareFile(request);
    await rest?.return(undefined);
    return file?.size;
  }

  /** The digest of a file that was created to its end, as a small one is before it is sent. */
  getDigestHeader(request: FileRequest): Record<string, string> {
    const { digest } = this.#measures.get(getFileKey(request)) ?? {};
    return digest === undefined ? {} : { [REPR_DIGEST]: digest };
  }

  constructor(private readonly maxMeasureWaitMs?: number) {}

  /**
   * Sends a file or a part of it. Undefined while too many large files are being sent, or where the
   * length of one, which a part needs, takes long to measure: a later request finds it.
   */
  async send(request: FileRequest, range?: ByteRange): Promise<FileTransfer | undefined> {
    if (this.#isBusy(request)) return undefined;
    const { file, head = [], rest } = await this.#prepareFile(request);
    if (file) return sliceSmallFile(file, range);
    if (!rest) return undefined;
    const { signal, principal } = request.exchange;
    const tokenId = principal.id;
    const total = this.#measures.get(getFileKey(request))?.bytes;
    const span = range && total !== undefined ? resolveByteRange(range, total) : undefined;
    if (range && !span) {
      await rest.return(undefined);
      if (total !== undefined) return { body: null, part: { span, total } };
      return (await this.#measure(request)) ? this.send(request, range) : undefined;
    }
    if (this.#isFull(tokenId)) return void (await rest.return(undefined));
    const release = this.#takePlace(tokenId);
    const stop = async () => {
      release();
      await rest.return(undefined);
    };
    const chunks = concatChunks(head, rest);
    if (!span || total === undefined)
      return { body: null, stream: new FileStream(chunks, signal, stop).body };
    const { body: stream } = new FileStream(sliceChunks(chunks, span), signal, stop);
    return { body: null, stream, part: { span, total } };
  }

  /** Waits until the length of a large file is known; false where that takes too long. */
  async #measure(request: FileRequest): Promise<boolean> {
    const key = getFileKey(request);
    const running = this.#measurements.get(key);
    if (!running && this.#isFull(request.exchange.principal.id)) return false;
    const measurement = running ?? this.#startMeasurement(request);
    this.#measurements.set(key, measurement);
    return measurement.wait(request.exchange.signal, this.maxMeasureWaitMs);
  }

  #startMeasurement(request: FileRequest): LengthMeasurement {
    const release = this.#takePlace(request.exchange.principal.id);
    const create = (signal: AbortSignal) => this.#createChunks(request, signal);
    return new LengthMeasurement(create, () => {
      release();
      this.#measurements.delete(getFileKey(request));
    });
  }

  /** Returns a function that frees it again. */
  #takePlace(tokenId: string): () => void {
    this.#activeTokens.push(tokenId);
    return () => void this.#activeTokens.splice(this.#activeTokens.indexOf(tokenId), 1);
  }

  async #prepareFile(request: FileRequest): Promise<PreparedFile> {
    const file = this.#getCachedFile(request);
    if (file) return { file };
    const { signal, principal } = request.exchange;
    const tokenId = principal.id;
    const run = () => this.#prefetchFile(request);
    return this.#prefetchQueue({ owner: tokenId, cost: 0, signal, run });
  }

  async #prefetchFile(request: FileRequest): Promise<PreparedFile> {
    // Meanwhile another request may have created the same file.
    const created = this.#getCachedFile(request);
    if (created) return { file: created };
    if (this.#isBusy(request)) return {};
    const { head, rest } = await prefetch(this.#createChunks(request));
    if (!rest) return { file: cacheFile(request, new Blob([...head])) };
    this.#largeFiles.set(getFileKey(request), true);
    return { head, rest };
  }

  /** One whose digest is not known any more is created again. */
  #getCachedFile(request: FileRequest): Blob | undefined {
    const key = getFileKey(request);
    const body = this.#measures.has(key) && request.exchange.database.responseCache.get(key)?.body;
    return body instanceof Blob ? body : undefined;
  }

  #createChunks(request: FileRequest, signal = request.exchange.signal) {
    const { exchange, version, format } = request;
    const { damage, newestRevision, reader, reportAllocatedBytes, scheduler } = exchange.database;
    const key = getFileKey(request);
    const { dataset, view } = version;
    const { revision: newest } = newestRevision;
    const file = { dataset: dataset.name, format, revision: view.revision, newest };
    const created =
      scheduler.background?.exportFile(file, signal) ??
      exportFile(reader, dataset, file, { signal, reportAllocatedBytes });
    const chunks = damage.watchChunks([dataset.name], created);
    if (this.#measures.has(key)) return chunks;
    return reportMeasures(chunks, (measures) => {
      if (!signal.aborted) this.#measures.set(key, measures);
    });
  }

  #isBusy(request: FileRequest): boolean {
    return this.#largeFiles.has(getFileKey(request)) && this.#isFull(request.exchange.principal.id);
  }

  #isFull(tokenId: string): boolean {
    const ofToken = this.#activeTokens.filter((active) => active === tokenId);
    return (
      this.#activeTokens.length >= MAX_CONCURRENT_LARGE_FILES ||
      ofToken.length >= MAX_CONCURRENT_PER_TOKEN
    );
  }
}

function sliceSmallFile(file: Blob, range: ByteRange | undefined): FileTransfer {
  if (!range) return { body: file };
  const span = resolveByteRange(range, file.size);
  return {
    body: span ? file.slice(span.from, span.to) : null,
    part: { span, total: file.size },
  };
}

function cacheFile(request: FileRequest, file: Blob): Blob {
  const { database, signal } = request.exchange;
  const { revision } = request.version.view;
  const response = { status: 200, body: file, headers: new Headers(), revision };
  // After an abort the file is incomplete.
  if (!signal.aborted) database.responseCache.setHistorical(getFileKey(request), response);
  return file;
}

/** Has a space, which no target has. */
function getFileKey({ version, format }: FileRequest): string {
  return `${version.dataset.name} ${getValidators(version, format).etag}`;
}
