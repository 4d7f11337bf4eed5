import type { ReaderSource, StoreReader } from '../../store/open-store.ts';
import type { EncodedPage } from '../pages/encode-page.ts';
import { weighBody } from './garbage-collection.ts';
import type { Jobs, ReportAllocatedBytes } from './jobs.ts';
import type { CallName } from './messages.ts';
import { ThreadConnection } from './thread-connection.ts';

/** Runs jobs on a thread of its own, which starts with the first one. */
export interface BackgroundThread extends Jobs {
  /** Ends the thread; another job starts a new one, which opens the store again. */
  stop(): Promise<void>;
}

export function createBackgroundThread(
  source: ReaderSource,
  reader: Pick<StoreReader, 'newestSeen' | 'observeRevision'>,
  reportAllocatedBytes: ReportAllocatedBytes,
): BackgroundThread {
  const connection = new ThreadConnection(source, reader);
  const createCall =
    <Name extends CallName>(name: Name) =>
    (job: Parameters<Jobs[Name]>[0]) =>
      connection.call(name, job) as ReturnType<Jobs[Name]>;
  return {
    async readPage(job, { signal }) {
      const page = (await connection.call('readPage', job, signal)) as EncodedPage;
      reportAllocatedBytes(weighBody(page.body));
      return page;
    },
    readCoverage: createCall('readCoverage'),
    describeExports: createCall('describeExports'),
    readCorrections: createCall('readCorrections'),
    readChanges: createCall('readChanges'),
    async compress(job) {
      const compressed = (await connection.call('compress', job)) as Blob;
      reportAllocatedBytes(compressed.size);
      return compressed;
    },
    exportFile: (job, signal) => connection.stream(job, signal),
    stop: () => connection.stop(),
  };
}
