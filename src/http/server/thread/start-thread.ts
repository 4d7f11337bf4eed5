import { Worker } from 'node:worker_threads';
import type { ReaderSource } from '../../../store/open-store.ts';
import type { Thread } from '../../background/background-thread.ts';

/** The data that a background thread starts with. */
export interface ThreadData {
  readonly source: ReaderSource;
  /** The names of the shipped datasets that are served. */
  readonly datasets: readonly string[];
}

/** Starts a background thread that reads from a source. */
export type StartServingThread = (data: ThreadData) => Thread;

export const startThread: StartServingThread = (data) =>
  new Worker(new URL('./thread.ts', import.meta.url), { workerData: data });
