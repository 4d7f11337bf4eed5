import { promisify } from 'node:util';
import { isMainThread } from 'node:worker_threads';
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  gzip,
  gzipSync,
  zstdCompress,
  zstdCompressSync,
} from 'node:zlib';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { ResponseFormatName } from '../../catalogue/model/response-format.ts';
import type { Message } from '../../sdmx/message-query.ts';
import type { ExportFormat } from '../../shared/formats.ts';
import { system } from '../../shared/system.ts';
import type { StoreReader } from '../../store/open-store.ts';
import { exportDatasetForClient } from '../../tabular/export-dataset.ts';
import type { HttpError } from '../http-error.ts';
import type { ContentEncoding } from '../request/request-headers.ts';
import type { EncodedPage } from '../responses/encode-page.ts';
import type { LastChange, ReportAllocatedBytes } from '../responses/response.ts';

/** What a background thread does for requests that may take long. An aborted signal ends it early. */
export interface BackgroundWork {
  respond(request: BackgroundRequest, signal: AbortSignal): Promise<ResponseParts>;
  compress(body: Blob, encoding: ContentEncoding): Promise<Blob>;
  exportFile(file: ExportedFile, signal: AbortSignal): AsyncGenerator<Uint8Array, undefined>;
  writeMessage(message: Message, signal: AbortSignal): AsyncGenerator<Uint8Array, undefined>;
  /** Whether it fails until the process is started again. */
  readonly isStuck: boolean;
}

/** A request for data and the view that it has; can be sent between threads. */
export interface BackgroundRequest {
  readonly target: string;
  readonly acceptedFormat: ResponseFormatName;
  readonly includesTotal: boolean;
  readonly scopes: readonly string[];
  /** Signs cursors; absent if the response has none. */
  readonly cursorKey?: Uint8Array;
  readonly view: SentView;
}

/** A view without its catalogue, which each thread builds. */
interface SentView extends NewestKnown {
  readonly revision: number;
  readonly namedBy: 'nothing' | 'cursor' | 'until' | 'number' | 'instant';
  readonly error?: HttpError;
}

/** The parts of a response; can be sent between threads. */
export interface ResponseParts {
  readonly error?: HttpError | undefined;
  readonly page?: EncodedPage;
  readonly json?: JsonData;
  /** The datasets that it is made from, if the query does not say so. */
  readonly datasets?: readonly string[] | undefined;
  /** The last change of those, if records are dated by it. */
  readonly modified?: LastChange | undefined;
  /** The links to other pages; undefined on the last one. */
  readonly links?: string | undefined;
  /** When its revision was published, and the one that it leads on from. */
  readonly publishedAt?: string | undefined;
  readonly sincePublishedAt?: string | undefined;
  /** What it costs, in requests. */
  readonly cost: number;
}

export interface JsonData {
  readonly data: string;
  readonly revision: number;
  /** Whether it is the same for ever. */
  readonly isFinal?: true;
}

/** Catalogues of earlier revisions depend on it too: a later one may have added fields to datasets. */
interface NewestKnown {
  /** The newest revision that the server knows. */
  readonly newest: number;
}

/** A file with a complete dataset. */
export interface ExportedFile extends NewestKnown {
  readonly dataset: string;
  readonly format: ExportFormat;
  readonly revision: number;
}

/** A parsed record takes several times the memory of its text. */
const PARSED_SIZE_FACTOR = 6;

/** The bytes of an export, yielding to the event loop between batches; it ends early after an abort. */
export function exportFile(
  reader: StoreReader,
  dataset: Dataset,
  { format, revision }: ExportedFile,
  options: { readonly signal: AbortSignal; readonly reportAllocatedBytes: ReportAllocatedBytes },
): AsyncGenerator<Uint8Array, undefined> {
  const { signal, reportAllocatedBytes } = options;
  const yieldingReader: Pick<StoreReader, 'revision' | 'records'> = {
    revision: reader.revision,
    async *records(records, asOf) {
      for await (const batch of reader.records(records, asOf)) {
        if (signal.aborted) return;
        yield batch;
        const bytes = batch.reduce((size, text) => size + text.length, 0);
        reportAllocatedBytes(PARSED_SIZE_FACTOR * bytes);
        await system.nextTurn();
      }
    },
  };
  return exportDatasetForClient(yieldingReader, dataset, format, revision);
}

type Compressor = (bytes: Uint8Array, zstdLevel: number) => Uint8Array | Promise<Uint8Array>;

/** A fast level: the best one would save a few percent more. */
const BROTLI_OPTIONS = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/** The thread that answers must not wait; the background thread keeps its own low priority. */
const COMPRESSORS: Readonly<Record<ContentEncoding, Compressor>> = isMainThread
  ? {
      zstd: (bytes, level) => promisify(zstdCompress)(bytes, getZstdOptions(level)),
      br: (bytes) => promisify(brotliCompress)(bytes, BROTLI_OPTIONS),
      gzip: (bytes) => promisify(gzip)(bytes),
    }
  : {
      zstd: (bytes, level) => zstdCompressSync(bytes, getZstdOptions(level)),
      br: (bytes) => brotliCompressSync(bytes, BROTLI_OPTIONS),
      gzip: (bytes) => gzipSync(bytes),
    };

const getZstdOptions = (level: number) => {
  return { params: { [constants.ZSTD_c_compressionLevel]: level } };
};

/** Scripts are compressed once, data with each revision. */
const SCRIPT_ZSTD_LEVEL = 9;

export async function compress(body: Blob, encoding: ContentEncoding): Promise<Blob> {
  const level = body.type.includes('javascript')
    ? SCRIPT_ZSTD_LEVEL
    : constants.ZSTD_CLEVEL_DEFAULT;
  const bytes = await COMPRESSORS[encoding](await body.bytes(), level);
  return new Blob([bytes as Uint8Array<ArrayBuffer>]);
}
