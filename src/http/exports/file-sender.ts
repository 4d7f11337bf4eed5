import type { ExportFormat } from '../../catalogue/operations/exports.ts';
import { createBoundedMap } from '../../shared/memoize.ts';
import { createJobQueue } from '../background/job-queue.ts';
import type { HttpResponse } from '../responses/response.ts';
import type { ServerContext } from '../server-context.ts';
import { type ByteRange, type ByteSpan, resolveByteRange, sliceChunks } from './byte-range.ts';
import {
  concatChunks,
  countBytes,
  measureLength,
  type PrefetchedFile,
  prefetch,
} from './chunks.ts';
import { type FileVersion, getValidators } from './file-version.ts';
import { streamBody } from './stream-body.ts';

/** Each takes memory and time from other requests. */
const MAX_CONCURRENT_LARGE_FILES = 4;
const MAX_CONCURRENT_PER_TOKEN = 2;
const MAX_TRACKED_FILES = 1_000;

export interface FileRequest {
  readonly context: ServerContext;
  readonly tokenId: string;
  readonly version: FileVersion;
  readonly format: ExportFormat;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
}

/** A file or a range of it; without a body where the range is not satisfiable. */
export interface FileTransfer extends Pick<HttpResponse, 'body' | 'stream'> {
  /** With a range: which bytes of the file it has, and the length of the file. */
  readonly part?: { readonly span: ByteSpan | undefined; readonly total: number };
}

export type FileSender = ReturnType<typeof createFileSender>;

/** A small file, or the start of a large one; empty while too many large ones are being sent. */
interface PreparedFile extends Partial<PrefetchedFile> {
  readonly file?: Blob;
}

/** Sends files: small ones from the response cache, large ones while they are created. */
export function createFileSender() {
  /** Lengths of large files by key; undefined until a file was created to its end. */
  const largeFiles = createBoundedMap<string, number | undefined>(MAX_TRACKED_FILES);
  /** The token of each large file that is being sent. */
  const activeTokens: string[] = [];
  // One at a time, because the start of each file is held in memory.
  const prefetchQueue = createJobQueue({
    maxRunning: 1,
    maxWaiting: 100,
    maxWaitingPerOwner: 10,
    maxWaitMs: 30_000,
  });

  const isFull = (tokenId: string) =>
    activeTokens.length >= MAX_CONCURRENT_LARGE_FILES ||
    activeTokens.filter((active) => active === tokenId).length >= MAX_CONCURRENT_PER_TOKEN;
  const isBusy = (request: FileRequest) =>
    largeFiles.has(getFileKey(request)) && isFull(request.tokenId);

  const createChunks = (request: FileRequest) => {
    const { context, version, format, signal } = request;
    const key = getFileKey(request);
    const job = { dataset: version.dataset.name, format, revision: version.revision };
    const chunks = context.exportFile(job, signal);
    return countBytes(chunks, (bytes) => {
      if (largeFiles.has(key) && !signal.aborted) largeFiles.set(key, bytes);
    });
  };

  const prepareFile = async (request: FileRequest): Promise<PreparedFile> => {
    const file = getCachedFile(request);
    if (file) return { file };
    const { tokenId, signal } = request;
    const prefetchFile = async () => {
      // Meanwhile another request may have created the same file.
      const created = getCachedFile(request);
      if (created) return { file: created };
      if (isBusy(request)) return {};
      const { head, rest } = await prefetch(createChunks(request));
      if (!rest) return { file: cacheFile(request, new Blob([...head])) };
      const key = getFileKey(request);
      if (!largeFiles.has(key)) largeFiles.set(key, undefined);
      return { head, rest };
    };
    return prefetchQueue({ owner: tokenId, cost: 0, signal, run: prefetchFile });
  };

  return {
    /** The length of a small file; undefined for a large one. */
    async getSize(request: FileRequest): Promise<number | undefined> {
      if (largeFiles.has(getFileKey(request))) return undefined;
      const { file, rest } = await prepareFile(request);
      await rest?.return(undefined);
      return file?.size;
    },
    /** Undefined while too many large files are being sent. */
    async send(request: FileRequest, range?: ByteRange): Promise<FileTransfer | undefined> {
      if (isBusy(request)) return undefined;
      const { file, head = [], rest } = await prepareFile(request);
      if (file) return sliceSmallFile(file, range);
      if (!rest) return undefined;
      const { signal, tokenId } = request;
      if (isFull(tokenId)) return void (await rest.return(undefined));
      activeTokens.push(tokenId);
      const stop = async () => {
        activeTokens.splice(activeTokens.indexOf(tokenId), 1);
        await rest.return(undefined);
      };
      try {
        const chunks = concatChunks(head, rest);
        if (!range) return { body: null, stream: streamBody(chunks, signal, stop) };
        const total =
          largeFiles.get(getFileKey(request)) ?? (await measureLength(createChunks(request)));
        const span = resolveByteRange(range, total);
        const part = { span, total };
        if (span)
          return { body: null, part, stream: streamBody(sliceChunks(chunks, span), signal, stop) };
        await stop();
        return { body: null, part };
      } catch (cause) {
        await stop();
        throw cause;
      }
    },
  };
}

function sliceSmallFile(file: Blob, range: ByteRange | undefined): FileTransfer {
  if (!range) return { body: file };
  const span = resolveByteRange(range, file.size);
  return {
    body: span ? file.slice(span.from, span.to) : null,
    part: { span, total: file.size },
  };
}

function getCachedFile(request: FileRequest): Blob | undefined {
  const body = request.context.responseCache.get(getFileKey(request))?.body;
  return body instanceof Blob ? body : undefined;
}

function cacheFile(request: FileRequest, file: Blob): Blob {
  const { context, version, signal } = request;
  const response = { status: 200, body: file, headers: new Headers(), revision: version.revision };
  // After an abort the file is incomplete.
  if (!signal.aborted) context.responseCache.setHistorical(getFileKey(request), response);
  return file;
}

/** Has a space, which no target has. */
function getFileKey({ version, format }: FileRequest): string {
  return `${version.dataset.name} ${getValidators(version, format).etag}`;
}
