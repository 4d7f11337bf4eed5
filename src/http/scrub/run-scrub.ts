import { Worker } from 'node:worker_threads';
import type { DeclaredDatasets } from '../../catalogue/catalogues.ts';
import { system } from '../../shared/system.ts';
import type { ReaderSource } from '../../store/open-store.ts';

/** Messages from the thread of a scrub. */
export type ScrubMessage =
  /** Since the last message of this kind. */
  | { readonly kind: 'progress'; readonly records: number; readonly faults: readonly Fault[] }
  | { readonly kind: 'finished' }
  /** The store could not be read: nothing is known of it. */
  | { readonly kind: 'failed'; readonly cause: string };

/** A fault, and the names of what it damages. */
export interface Fault {
  readonly text: string;
  readonly damaged: readonly string[];
}

/** A store, what is declared in it besides the shipped datasets, and the pace. */
export interface ScrubJob {
  readonly source: ReaderSource;
  readonly coreShare: number;
  readonly declared: DeclaredDatasets;
}

/** It ends by itself between two slices; a statement in progress is not waited for. */
const STOP_TIMEOUT_MS = 1_000;

/** Starts one scrub on a thread of its own. Returns a function that stops it. */
export function runScrub(job: ScrubJob, onMessage: (message: ScrubMessage) => void): () => void {
  const worker = new Worker(new URL('./scrub-thread.ts', import.meta.url), { workerData: job });
  let isEnded = false;
  const handle = (message: ScrubMessage) => {
    if (isEnded) return;
    isEnded = message.kind !== 'progress';
    onMessage(message);
  };
  worker.on('message', handle);
  worker.on('error', (cause: Error) => handle({ kind: 'failed', cause: cause.message }));
  worker.on('exit', () => handle({ kind: 'failed', cause: 'its thread ended' }));
  worker.unref();
  return () => {
    if (isEnded) return;
    isEnded = true;
    worker.postMessage('stop');
    system.setTimeout(() => worker.terminate(), STOP_TIMEOUT_MS).unref();
  };
}

/** How long a scrub pauses after some work, so that it takes its share of a core. */
export function getPauseMs(workMs: number, coreShare: number): number {
  return workMs * (1 / coreShare - 1);
}
