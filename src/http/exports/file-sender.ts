import type { ExportFormat } from '../../catalogue/operations/exports.ts';
import { exportDatasetForClient } from '../../tabular/export-dataset.ts';
import type { HttpResponse } from '../responses/response.ts';
import { createTaskQueue } from '../runtime/task-queue.ts';
import type { ServerContext } from '../server-context.ts';
import { type ByteRange, type ByteSpan, resolveByteRange, sliceChunks } from './byte-range.ts';
import {
  type ByteChunks,
  concatChunks,
  measureLength,
  type PrefetchedFile,
  prefetch,
} from './chunks.ts';
import { type FileVersion, getValidators } from './file-version.ts';
import { createLargeFiles } from './large-files.ts';
import { streamBody } from './stream-body.ts';
import { createYieldingReader } from './yielding-reader.ts';

/** Large files that are made at one time: each takes memory, and turns from other requests. */
const MAX_CONCURRENT_LARGE_FILES = 4;
/** Of these, so many for one token: nobody can take all the places. */
const MAX_CONCURRENT_PER_TOKEN = 2;

/** A file that somebody asks for. */
export interface FileRequest {
  readonly service: ServerContext;
  /** The id of the token that asks. */
  readonly tokenId: string;
  readonly version: FileVersion;
  readonly format: ExportFormat;
  /** Aborted when nobody waits for it any more. */
  readonly signal: AbortSignal;
}

/** A file, or what a range has of it: no body where that is nothing. */
export interface FileTransfer extends Pick<HttpResponse, 'body' | 'stream'> {
  /** With a range: which bytes of the file it has, and how many there are in all. */
  readonly part?: { readonly span: ByteSpan | undefined; readonly total: number };
}

/** Sends files. Small ones are remembered like other answers; large ones are made on the way. */
export interface FileSender {
  /** How many bytes a file has; undefined where it is a large one. */
  getSize(fileRequest: FileRequest): Promise<number | undefined>;
  /** Sends a file, or a range of it; undefined while too many large ones are made. */
  send(fileRequest: FileRequest, range?: ByteRange): Promise<FileTransfer | undefined>;
}

/** What there is of a file before it is sent: nothing, where too many large ones are made. */
interface PreparedFile extends Partial<PrefetchedFile> {
  readonly file?: Blob;
}

/** Remembers small files in the memory of the service, and which files are large. */
export function createFileSender(): FileSender {
  const large = createLargeFiles();
  const underWay: string[] = [];
  // One at a time: what is made before it is sent is held in memory.
  const starting = createTaskQueue(1);
  const made = (fileRequest: FileRequest) =>
    large.measure(getFileCacheKey(fileRequest), createFileChunks(fileRequest), fileRequest.signal);
  /** The file where it is small, or what a large one begins with. */
  const begun = async (wanted: FileRequest): Promise<PreparedFile> => {
    const known = getCachedFile(wanted);
    if (known) return { file: known };
    return starting(async () => {
      // Others waited for the same file, and one of them was first.
      const since = getCachedFile(wanted);
      if (since) return { file: since };
      if (isBusyWith(wanted)) return {};
      const { head, rest } = await prefetch(made(wanted));
      if (rest) large.add(getFileCacheKey(wanted));
      return rest ? { head, rest } : { file: cacheFile(wanted, new Blob([...head])) };
    });
  };
  const isFull = (token: string) =>
    underWay.length >= MAX_CONCURRENT_LARGE_FILES ||
    underWay.filter((other) => other === token).length >= MAX_CONCURRENT_PER_TOKEN;
  const isBusyWith = (wanted: FileRequest) =>
    large.has(getFileCacheKey(wanted)) && isFull(wanted.tokenId);
  return {
    async getSize(wanted) {
      if (large.has(getFileCacheKey(wanted))) return undefined;
      const { file, rest } = await begun(wanted);
      await rest?.return(undefined);
      return file?.size;
    },
    async send(wanted, range) {
      const key = getFileCacheKey(wanted);
      if (isBusyWith(wanted)) return undefined;
      const { file, head: parts = [], rest } = await begun(wanted);
      if (file) return sliceSmallFile(file, range);
      if (!rest) return undefined;
      const { signal, tokenId } = wanted;
      if (isFull(tokenId)) return void (await rest.return(undefined));
      underWay.push(tokenId);
      const stop = async () => {
        await rest.return(undefined);
        underWay.splice(underWay.indexOf(tokenId), 1);
      };
      try {
        const chunks = concatChunks(parts, rest);
        if (!range) return { body: null, stream: streamBody(chunks, signal, stop) };
        const total = large.getLength(key) ?? (await measureLength(made(wanted)));
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

/** Of a file that is there as a whole. */
function sliceSmallFile(file: Blob, range: ByteRange | undefined): FileTransfer {
  if (!range) return { body: file };
  const span = resolveByteRange(range, file.size);
  return {
    body: span ? file.slice(span.from, span.to) : null,
    part: { span, total: file.size },
  };
}

function getCachedFile(fileRequest: FileRequest): Blob | undefined {
  return fileRequest.service.responseCache.get(getFileCacheKey(fileRequest))?.body ?? undefined;
}

function cacheFile(fileRequest: FileRequest, file: Blob): Blob {
  const { service: context, version, signal } = fileRequest;
  const { revision } = version;
  const answer = { status: 200, body: file, headers: new Headers(), revision };
  // What was given up because nobody waits for it is not whole.
  if (!signal.aborted) context.responseCache.setHistorical(getFileCacheKey(fileRequest), answer);
  return file;
}

function createFileChunks({ service: context, version, format, signal }: FileRequest): ByteChunks {
  return exportDatasetForClient(
    createYieldingReader(context, signal),
    version.dataset,
    format,
    version.revision,
  );
}

/** With a space in it, so that it is taken for no target. */
function getFileCacheKey({ version, format }: FileRequest): string {
  return `${version.dataset.name} ${getValidators(version, format).etag}`;
}
