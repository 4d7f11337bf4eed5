import { Worker } from 'node:worker_threads';
import type { EmitEvent } from '../event-log.ts';
import type { Settings } from '../settings.ts';
import { system, type Timer } from '../shared/system.ts';
import type { Store } from '../store/open-store.ts';
import { createInitialStatus, type FollowStatus } from './follow-status.ts';
import { openSource, TokenFollower, type TokenFollowerOptions } from './token-follower.ts';

const RESTART_DELAY_MS = 5_000;

export interface FollowingOptions {
  readonly settings: Pick<Settings, 'follow' | 'followToken'>;
  readonly store: Pick<Store, 'tokens'>;
  /** The name of a restarted log that is accepted. */
  readonly acceptRestart: string | undefined;
  readonly emit: EmitEvent;
  readonly onStatus: (status: FollowStatus) => void;
}

/**
 * Follows the source in the settings: its revisions on a thread of its own, which is replaced if it ends, and
 * its tokens here, so that none waits for a large revision. Returns a function that stops both.
 */
export function startFollowing(options: FollowingOptions): () => void {
  const { settings, acceptRestart, emit, onStatus } = options;
  let worker: Worker;
  let timer: Timer | undefined;
  let status = createInitialStatus(settings.follow);
  let logged = '';
  const observe = ({ sharing = status.sharing, ...next }: FollowStatus) => {
    status = { ...next, ...(sharing && { sharing }) };
    onStatus(status);
    const { comparedAtMs: _, sharing: __, ...values } = status;
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
  const stopSharing = startSharing(options, (sharing, cause) => {
    if (sharing === status.sharing) return;
    emit({ event: 'follow.shared', sharing, cause });
    status = { ...status, sharing };
    onStatus(status);
  });
  return () => {
    stopSharing();
    worker.removeAllListeners('exit');
    timer?.cancel();
    worker.postMessage('stop');
  };
}

function startSharing(
  { settings: { follow, followToken }, store }: FollowingOptions,
  onSharing: TokenFollowerOptions['onSharing'],
): () => void {
  const tokens = store.tokens();
  const open = openSource(follow, followToken);
  const follower = new TokenFollower({ read: () => open('/follow'), tokens, onSharing });
  let timer: Timer | undefined;
  const schedule = (intervalMs: number) => {
    timer = system.setTimeout(() => follower.poll().then(schedule), intervalMs).unref();
  };
  schedule(0);
  return () => {
    timer?.cancel();
    tokens.close();
  };
}
