import { AbandonedError } from '../../shared/abandoned-error.ts';
import type { Awaitable } from '../../shared/awaitable.ts';
import type { Phase } from '../request/phase-timer.ts';
import type { BackgroundWork } from './background-work.ts';
import { createJobQueue, type JobCounts } from './job-queue.ts';

/** The client for whom a job runs. */
export interface JobOwner {
  readonly principal: { readonly id: string };
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
  /** Takes requests off the token's allowance, besides the one that every request takes. */
  charge(requests: number): void;
  /** Called when something else is waited for. */
  enterPhase?(phase: Phase): void;
}

/** Takes about a millisecond. */
const MAX_INLINE_COST = 3;

const QUEUE_OPTIONS = {
  maxRunning: 4,
  maxWaiting: 1_000,
  maxWaitingPerOwner: 100,
  maxWaitMs: 30_000,
};

/** Runs cheap jobs at once on the calling thread, others in the background when it is their client's turn. */
export class JobScheduler {
  readonly counts: JobCounts = { running: 0, waiting: 0 };
  readonly #queue = createJobQueue(QUEUE_OPTIONS, this.counts);

  /** Without background work, as in a command, all jobs run on the calling thread. */
  constructor(readonly background?: BackgroundWork) {}

  /** Runs a function without background work if the job is cheap, or if there is none. */
  async run<T>(
    owner: JobOwner,
    cost: number,
    run: (background?: BackgroundWork) => Awaitable<T>,
  ): Promise<T> {
    const { background } = this;
    if (!background || cost <= MAX_INLINE_COST) return run();
    const { principal, signal } = owner;
    let isStarted = false;
    try {
      owner.enterPhase?.('queue');
      return await this.#queue({
        ...{ owner: principal.id, cost, signal },
        run: async () => {
          isStarted = true;
          owner.enterPhase?.('read');
          return run(background);
        },
      });
    } catch (cause) {
      // Work for a client that has gone is charged by what it might have come to.
      if (isStarted && cause instanceof AbandonedError) owner.charge(cost - 1);
      throw cause;
    }
  }
}
