// The background thread, which start-thread.ts starts.

import { parentPort, workerData } from 'node:worker_threads';
import { catalogue } from '../../../catalogue/index.ts';
import { openReader } from '../../../store/open-reader.ts';
import { lowerThreadPriority, readThreadId } from '../../background/lower-thread-priority.ts';
import { createGarbageCollectionTrigger } from '../../responses/response.ts';
import { createDataRoutes } from '../routes.ts';
import { runBackgroundThread } from './run-background-thread.ts';
import type { ThreadData } from './start-thread.ts';

/** Low enough for responses to come first, and a third of the share of another busy process. */
const NICENESS = 5;

// Responses come first if there are fewer cores than busy threads.
lowerThreadPriority(NICENESS);
parentPort?.postMessage({ statusFile: `/proc/self/task/${readThreadId()}/stat` });
const { source, datasets } = workerData as ThreadData;
if (parentPort)
  runBackgroundThread(parentPort, () => openReader(source), {
    catalogue: catalogue.filter(({ name }) => datasets.includes(name)),
    getDataRoutes: createDataRoutes(),
    reportAllocatedBytes: createGarbageCollectionTrigger('now'),
  });
