// The background thread, which background-thread.ts starts.
import { parentPort, workerData } from 'node:worker_threads';
import { openReader } from '../../store/open-reader.ts';
import type { ReaderSource } from '../../store/open-store.ts';
import { createGarbageCollectionTrigger } from './garbage-collection.ts';
import { lowerThreadPriority, readThreadId } from './lower-thread-priority.ts';
import { runBackgroundThread } from './run-background-thread.ts';

/** Low enough for responses to come first, but not last behind all other processes. */
const NICENESS = 10;

// Responses come first where there are fewer cores than busy threads.
lowerThreadPriority(NICENESS);
parentPort?.postMessage({ statusFile: `/proc/self/task/${readThreadId()}/stat` });
if (parentPort)
  runBackgroundThread(
    parentPort,
    () => openReader(workerData as ReaderSource),
    createGarbageCollectionTrigger('now'),
  );
