import { AbandonedError } from '../../shared/abandoned-error.ts';
import type { Awaitable } from '../../shared/awaitable.ts';
import type { Principal } from '../../tokens/token-registry.ts';
import type { Phase } from '../request/phase-timer.ts';
import { createJobQueue, type JobCounts } from './job-queue.ts';
import type { Jobs } from './jobs.ts';

/** The sender of a request, for whom a job runs. */
export interface Client {
  readonly principal: Principal;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
  /** Takes requests off the token's allowance, besides the one that every request takes. */
  charge(requests: number): void;
  /** Called when something else is waited for. */
  enterPhase?(phase: Phase): void;
  /** Called with the part of the time of reading that was encoding. */
  recordEncoding?(ms: number): void;
}

/**
 * Runs a function with the jobs that suit its cost: cheap work at once on the calling thread, other
 * work on the background thread when it is the client's turn.
 */
export type ScheduleJob = <T>(
  client: Client,
  cost: number,
  run: (jobs: Jobs) => Awaitable<T>,
) => Awaitable<T>;

/** Takes about a millisecond. */
const MAX_INLINE_COST = 3;

const QUEUE_OPTIONS = {
  maxRunning: 4,
  maxWaiting: 1_000,
  maxWaitingPerOwner: 100,
  maxWaitMs: 30_000,
};

/** Without background jobs, as in a command, all work is done on the calling thread. */
export function createJobScheduler(
  inlineJobs: Jobs,
  backgroundJobs?: Jobs,
  counts?: JobCounts,
): ScheduleJob {
  const queue = createJobQueue(QUEUE_OPTIONS, counts);
  const runInBackground = async <T>(client: Client, cost: number, run: () => Awaitable<T>) => {
    const { principal, signal } = client;
    let isStarted = false;
    try {
      const runJob = async () => {
        isStarted = true;
        client.enterPhase?.('read');
        return run();
      };
      client.enterPhase?.('queue');
      return await queue({ owner: principal.id, cost, signal, run: runJob });
    } catch (cause) {
      // Work for a client that has gone is charged by what it might have come to.
      if (isStarted && cause instanceof AbandonedError) client.charge(cost - 1);
      throw cause;
    }
  };
  return (client, cost, run) =>
    backgroundJobs && cost > MAX_INLINE_COST
      ? runInBackground(client, cost, () => run(backgroundJobs))
      : run(inlineJobs);
}
