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
import type { StoreReader } from '../../src/store/open-store.ts';

/** Starts what a background thread does in this process, over a reader of a test. */
export function startThreadInProcess(
  openReader: () => StoreReader,
  datasets: readonly Dataset[] = catalogue,
  getDataRoutes = createDataRoutes(),
): Thread {
  const thread = new EventEmitter();
  const port = Object.assign(new EventEmitter(), {
    postMessage: (response: ThreadResponse) =>
      queueMicrotask(() => thread.emit('message', response)),
    close: () => thread.emit('exit'),
  });
  runBackgroundThread(port, openReader, {
    catalogue: datasets,
    getDataRoutes,
    reportAllocatedBytes: () => {},
  });
  return Object.assign(thread, {
    postMessage: (request: ThreadRequest) => queueMicrotask(() => port.emit('message', request)),
    terminate: () => {},
    unref() {
      unreferenced.push(thread.listenerCount('message'));
    },
  });
}

/** How many listeners threads had when they let the process end. */
export const unreferenced: number[] = [];
