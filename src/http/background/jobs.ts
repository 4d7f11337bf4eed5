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
import type { ExportFormat } from '../../catalogue/operations/exports.ts';
import { type Awaitable, whenReady } from '../../shared/awaitable.ts';
import { yieldToEventLoop } from '../../shared/event-loop.ts';
import type {
  ChangePosition,
  Correction,
  CorrectionFilter,
  Coverage,
  RecordChange,
  RevisionedList,
  StoreReader,
} from '../../store/open-store.ts';
import { describeExports, type ExportDescription } from '../../tabular/data-package.ts';
import { exportDatasetForClient } from '../../tabular/export-dataset.ts';
import type { EncodedPage, PageClient } from '../pages/encode-page.ts';
import { type PageJob, PageReader } from '../pages/page-reader.ts';
import type { ContentEncoding } from '../request/content-negotiation.ts';
import { weighBody } from './garbage-collection.ts';

/**
 * The work of requests that may take long. Input and output can be sent between threads, so
 * datasets are given by name. A job whose signal is aborted ends early.
 */
export interface Jobs {
  readPage(job: PageJob, client: PageClient): Awaitable<EncodedPage>;
  readCoverage(job: CoverageJob): Promise<RevisionedList<CoverageEntry>>;
  describeExports(job: CoverageJob): Promise<RevisionedList<ExportDescription>>;
  readCorrections(job: {
    dataset: string;
    filter: CorrectionFilter;
    asOf: number | undefined;
  }): Promise<RevisionedList<Correction>>;
  readChanges(job: {
    dataset: string;
    revision: number;
    limit: number;
    after: ChangePosition | undefined;
  }): Promise<RecordChange[]>;
  compress(job: { body: Blob; encoding: ContentEncoding }): Promise<Blob>;
  exportFile(
    job: { dataset: string; format: ExportFormat; revision: number },
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array, undefined>;
}

interface CoverageJob {
  readonly datasets: readonly string[];
  readonly asOf: number | undefined;
}

/** A coverage with the name of its dataset. */
export type CoverageEntry = Omit<Coverage, 'dataset'> & { readonly dataset: string };

/** Called with the memory that a job took outside of the heap. */
export type ReportAllocatedBytes = (bytes: number) => void;

/** Runs jobs on the calling thread. */
export function createJobs(
  reader: StoreReader,
  catalogue: readonly Dataset[],
  reportAllocatedBytes: ReportAllocatedBytes,
): Jobs {
  const datasets = new Map(catalogue.map((dataset) => [dataset.name, dataset]));
  const findDataset = (name: string): Dataset => {
    const dataset = datasets.get(name);
    if (!dataset) throw new Error(`no dataset is called ${name}`);
    return dataset;
  };
  const pages = new PageReader(reader, findDataset);
  return {
    readPage: (job, client) =>
      whenReady(pages.read(job, client), (page) => {
        reportAllocatedBytes(weighBody(page.body));
        return page;
      }),
    async readCoverage({ datasets: names, asOf }) {
      const { revision, entries } = await reader.coverage(names.map(findDataset), asOf);
      const named = entries.map(({ dataset, ...coverage }) => ({
        ...coverage,
        dataset: dataset.name,
      }));
      return { revision, entries: named };
    },
    describeExports: ({ datasets: names, asOf }) =>
      describeExports(reader, names.map(findDataset), asOf),
    readCorrections: ({ dataset, filter, asOf }) =>
      reader.corrections(findDataset(dataset), filter, asOf),
    readChanges: ({ dataset, revision, limit, after }) =>
      reader.changes(findDataset(dataset), revision, limit, after),
    async compress({ body, encoding }) {
      const compressed = await compress(body, encoding);
      // Compressing copies the body.
      reportAllocatedBytes(body.size + compressed.size);
      return compressed;
    },
    exportFile({ dataset, format, revision }, signal) {
      const yieldingReader = createYieldingReader(reader, signal, reportAllocatedBytes);
      return exportDatasetForClient(yieldingReader, findDataset(dataset), format, revision);
    },
  };
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
        await yieldToEventLoop();
      }
    },
  };
}

type Compressor = (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>;

/** A fast level: the best one would save a few percent more. */
const BROTLI_OPTIONS = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/** The thread that answers must not wait; the background thread keeps its own low priority. */
const COMPRESSORS: Readonly<Record<ContentEncoding, Compressor>> = isMainThread
  ? {
      zstd: promisify(zstdCompress),
      br: (bytes) => promisify(brotliCompress)(bytes, BROTLI_OPTIONS),
      gzip: promisify(gzip),
    }
  : {
      zstd: (bytes) => zstdCompressSync(bytes),
      br: (bytes) => brotliCompressSync(bytes, BROTLI_OPTIONS),
      gzip: (bytes) => gzipSync(bytes),
    };

/** The body in a content encoding. */
export async function compress(body: Blob, encoding: ContentEncoding): Promise<Blob> {
  const bytes = await COMPRESSORS[encoding](await body.bytes());
  return new Blob([bytes as Uint8Array<ArrayBuffer>]);
}
