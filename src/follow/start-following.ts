import { Worker } from 'node:worker_threads';
import type { EmitEvent } from '../event-log.ts';
import type { Settings } from '../settings.ts';
import { system, type Timer } from '../shared/system.ts';
import { createInitialStatus, type FollowStatus } from './follow-status.ts';

/** What a thread that follows needs to know. */
export interface FollowJob
  extends Pick<
    Settings,
    'follow' | 'followToken' | 'followKey' | 'databaseUrl' | 'databaseReplicas' | 'databasePool'
  > {
  readonly acceptRestart?: string | undefined;
}

const RESTART_DELAY_MS = 5_000;

/** Follows the source of the settings on a thread of its own; one that ends is replaced. Returns what stops it. */
export function startFollowing(
  job: FollowJob,
  emit: EmitEvent,
  onStatus: (status: FollowStatus) => void,
): () => void {
  let worker: Worker;
  let timer: Timer | undefined;
  let status = createInitialStatus(job.follow);
  let logged = '';
  const observe = (next: FollowStatus) => {
    status = next;
    onStatus(status);
    const { state, problem = '', revision, sourceRevision } = status;
    // A publication now and then is an event already.
    const isBrief = state === 'behind' && (sourceRevision ?? 0) - revision <= 1;
    if (isBrief || logged === state + problem) return;
    logged = state + problem;
    const { comparedAtMs: _, ...values } = status;
    emit({ event: 'follow.changed', ...values });
  };
  const start = () => {
    worker = new Worker(new URL('./follow-thread.ts', import.meta.url), { workerData: job });
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
