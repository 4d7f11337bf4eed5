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
import type { Catalogue } from '../../catalogue/catalogues.ts';
import type { ExportFormat } from '../../catalogue/operations/exports.ts';
import { type Awaitable, whenReady } from '../../shared/awaitable.ts';
import { system } from '../../shared/system.ts';
import type { ChangePosition, Coverage, StoreReader } from '../../store/open-store.ts';
import { describeExports } from '../../tabular/data-package.ts';
import { exportDatasetForClient } from '../../tabular/export-dataset.ts';
import type { EncodedPage, PageClient } from '../pages/encode-page.ts';
import { type PageJob, PageReader } from '../pages/page-reader.ts';
import type { ContentEncoding } from '../request/content-negotiation.ts';
import { weighBody } from './garbage-collection.ts';

/**
 * The work of requests that may take long. Input and output can be sent between threads, so
 * datasets are given by their names in a catalogue, which is built on each thread. A job whose
 * signal is aborted ends early.
 */
export type Jobs = ReturnType<typeof createJobs>;

type AsOf = number | undefined;
type After = ChangePosition | undefined;

interface ExportJob {
  readonly dataset: string;
  readonly format: ExportFormat;
  readonly revision: number;
}

/** Called with the memory that a job took outside of the heap. */
export type ReportAllocatedBytes = (bytes: number) => void;

/** Runs jobs on the calling thread. */
export function createJobs(reader: StoreReader, reportAllocatedBytes: ReportAllocatedBytes) {
  const pages = new PageReader(reader);
  return {
    readPage: (catalogue: Catalogue, job: PageJob, client: PageClient): Awaitable<EncodedPage> =>
      whenReady(pages.read(catalogue, job, client), (page) => {
        reportAllocatedBytes(weighBody(page.body));
        return page;
      }),
    async readCoverage(catalogue: Catalogue, names: readonly string[], asOf: AsOf) {
      const datasets = names.map((name) => catalogue.get(name));
      const { revision, entries } = await reader.coverage(datasets, asOf);
      return { revision, entries: entries.map(toCoverageEntry) };
    },
    describeExports(catalogue: Catalogue, names: readonly string[], asOf: AsOf) {
      const datasets = names.map((name) => catalogue.get(name));
      return describeExports(reader, datasets, asOf);
    },
    readChanges(catalogue: Catalogue, name: string, revision: number, limit: number, after: After) {
      return reader.changes(catalogue.get(name), revision, limit, after);
    },
    async compress(body: Blob, encoding: ContentEncoding) {
      const compressed = await compress(body, encoding);
      // Compressing copies the body.
      reportAllocatedBytes(body.size + compressed.size);
      return compressed;
    },
    exportFile(catalogue: Catalogue, job: ExportJob, signal: AbortSignal) {
      const yieldingReader = createYieldingReader(reader, signal, reportAllocatedBytes);
      const dataset = catalogue.get(job.dataset);
      return exportDatasetForClient(yieldingReader, dataset, job.format, job.revision);
    },
  };
}

/** A coverage with the name of its dataset. */
function toCoverageEntry({ dataset, ...coverage }: Coverage) {
  return { ...coverage, dataset: dataset.name };
}

/** A parsed record takes several times the memory of its text. */
const PARSED_SIZE_FACTOR = 6;

/** Reads datasets, yielding to the event loop between batches; ends early after an abort. */
function createYieldingReader(
  reader: StoreReader,
  signal: AbortSignal,
  reportAllocatedBytes: ReportAllocatedBytes,
): Pick<StoreReader, 'revision' | 'records'> {
  return {
    revision: reader.revision,
    async *records(dataset, asOf) {
      for await (const batch of reader.records(dataset, asOf)) {
        if (signal.aborted) return;
        yield batch;
        const bytes = batch.reduce((size, text) => size + text.length, 0);
        reportAllocatedBytes(PARSED_SIZE_FACTOR * bytes);
        await system.nextTurn();
      }
    },
  };
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

/** The body in a content encoding. */
export async function compress(body: Blob, encoding: ContentEncoding): Promise<Blob> {
  const level = body.type.includes('javascript')
    ? SCRIPT_ZSTD_LEVEL
    : constants.ZSTD_CLEVEL_DEFAULT;
  const bytes = await COMPRESSORS[encoding](await body.bytes(), level);
  return new Blob([bytes as Uint8Array<ArrayBuffer>]);
}
