import { EventEmitter } from 'node:events';
import { catalogue } from '../../src/catalogue/index.ts';
import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import type {
  Thread,
  ThreadRequest,
  ThreadResponse,
} from '../../src/http/background/background-thread.ts';
import { createDataRoutes } from '../../src/http/server/routes.ts';
import { runBackgroundThread } from '../../src/http/server/thread/run-background-thread.ts';
import type { StartServingThread } from '../../src/http/server/thread/start-thread.ts';
import { openReader } from '../../src/store/open-reader.ts';
import type { StoreReader } from '../../src/store/open-store.ts';

/**
 * Starts the background thread of a server in this process: loading the program into a thread of
 * its own takes a third of a second of processor time.
 */
export const startServingInProcess: StartServingThread = (data) => {
  const { source, datasets } = structuredClone(data);
  const served = catalogue.filter(({ name }) => datasets.includes(name));
  return startThreadInProcess(() => openReader(source), served);
};

/**
 * Starts what a background thread does in this process, over a reader of a test. Messages are
 * copied, as they are between threads.
 */
export function startThreadInProcess(
  openReader: () => StoreReader,
  datasets: readonly Dataset[] = catalogue,
  getDataRoutes = createDataRoutes(),
): Thread {
  const thread = new EventEmitter();
  const port = Object.assign(new EventEmitter(), {
    postMessage(response: ThreadResponse, transfer: ArrayBuffer[]) {
      const copy = structuredClone(response, { transfer });
      setImmediate(() => thread.emit('message', copy));
    },
    close: () => thread.emit('exit'),
  });
  runBackgroundThread(port, openReader, {
    catalogue: datasets,
    getDataRoutes,
    reportAllocatedBytes: () => {},
  });
  return Object.assign(thread, {
    postMessage(request: ThreadRequest) {
      const copy = structuredClone(request);
      setImmediate(() => port.emit('message', copy));
    },
    terminate: () => {},
    unref() {
      unreferenced.push(thread.listenerCount('message'));
    },
  });
}

/** How many listeners threads had when they let the process end. */
export const unreferenced: number[] = [];
