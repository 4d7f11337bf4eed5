import { Worker } from 'node:worker_threads';
import type { EmitEvent } from '../event-log.ts';
import { system, type Timer } from '../shared/system.ts';
import { createInitialStatus, type FollowStatus } from './follow-status.ts';

const RESTART_DELAY_MS = 5_000;

/**
 * Follows the source in the settings on a thread of its own, which is replaced if it ends. Returns a function
 * that stops it. `acceptRestart` is the name of a restarted log that is accepted.
 */
export function startFollowing(
  source: string,
  acceptRestart: string | undefined,
  emit: EmitEvent,
  onStatus: (status: FollowStatus) => void,
): () => void {
  let worker: Worker;
  let timer: Timer | undefined;
  let status = createInitialStatus(source);
  let logged = '';
  const observe = (next: FollowStatus) => {
    status = next;
    onStatus(status);
    const { comparedAtMs: _, ...values } = status;
    const { state, problem = '', revision, sourceRevision } = values;
    // A single publication has an event of its own.
    const isBrief = state === 'behind' && (sourceRevision ?? 0) - revision <= 1;
    if (isBrief || logged === state + problem) return;
    logged = state + problem;
    emit({ event: 'follow.changed', ...values });
  };
  const start = () => {
    const url = new URL('./follow-thread.ts', import.meta.url);
    worker = new Worker(url, { workerData: acceptRestart });
    worker.on('message', observe);
    worker.on('error', ({ message }) =>
      observe({ ...status, state: 'stopped', problem: 'unexpected', cause: message }),
    );
    worker.on('exit', () => {
      timer = system.setTimeout(start, RESTART_DELAY_MS).unref();
    });
    worker.unref();
  };
  start();
  return () => {
    worker.removeAllListeners('exit');
    timer?.cancel();
    worker.postMessage('stop');
  };
}
