import type { ResponseFormatName } from '../../catalogue/model/response-format.ts';
import { AbandonedError } from '../../shared/abandoned-error.ts';
import type { Awaitable } from '../../shared/awaitable.ts';
import { FORMATS } from '../../shared/formats.ts';
import { OverloadedError } from '../../shared/overloaded-error.ts';
import { system } from '../../shared/system.ts';
import type { Phase } from '../request/phase-timer.ts';
import type { BackgroundWork } from './background-work.ts';

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

/** Whether a job is cheap enough for the thread that responds. */
export const isInlineCost = (cost: number) => cost <= MAX_INLINE_COST;

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
  run<T>(
    owner: JobOwner,
    cost: number,
    run: (background?: BackgroundWork) => Awaitable<T>,
  ): Awaitable<T> {
    const { background } = this;
    if (!background || isInlineCost(cost)) return run();
    return this.#runInTurn(owner, cost, () => run(background));
  }

  async #runInTurn<T>(owner: JobOwner, cost: number, run: () => Awaitable<T>): Promise<T> {
    const { principal, signal } = owner;
    let isStarted = false;
    try {
      owner.enterPhase?.('queue');
      return await this.#queue({
        owner: principal.id,
        cost,
        signal,
        run: async () => {
          isStarted = true;
          owner.enterPhase?.('read');
          return run();
        },
      });
    } catch (cause) {
      // Work for a client that has gone is charged by what it might have come to.
      if (isStarted && cause instanceof AbandonedError) owner.charge(cost - 1);
      throw cause;
    }
  }
}

export interface QueuedJob<T> {
  /** Whose turn it takes. */
  readonly owner: string;
  /** An owner's cheaper jobs come first. */
  readonly cost: number;
  /** Aborted when the client has gone: a waiting job then leaves the queue. */
  readonly signal: AbortSignal;
  readonly run: () => Promise<T>;
}

/** Runs jobs a few at a time, so that no owner keeps the others waiting. */
export type JobQueue = <T>(job: QueuedJob<T>) => Promise<T>;

export interface JobQueueOptions {
  /** An owner has all of these places but one, so that others need not wait for it. */
  readonly maxRunning: number;
  readonly maxWaiting: number;
  readonly maxWaitingPerOwner: number;
  /** Bun closes a connection on which nothing is sent for a minute, without a response. */
  readonly maxWaitMs: number;
}

interface WaitingJob {
  readonly cost: number;
  readonly start: () => void;
}

interface Owner {
  running: number;
  /** The number of the turn in which it was last served; a new owner comes before the last one. */
  lastTurn: number;
  readonly waiting: WaitingJob[];
}

/** How many jobs a queue has at the moment. */
export interface JobCounts {
  running: number;
  waiting: number;
}

/**
 * Rejects with an OverloadedError while full and after too long a wait, and with an AbandonedError
 * after an abort.
 */
export function createJobQueue(
  options: JobQueueOptions,
  counts: JobCounts = { running: 0, waiting: 0 },
): JobQueue {
  const owners = new Map<string, Owner>();
  const maxPerOwner = Math.max(1, options.maxRunning - 1);
  let turn = 0;
  const startNext = () => {
    while (counts.running < options.maxRunning) {
      const owner = findNextOwner(owners.values(), maxPerOwner);
      const job = owner?.waiting.shift();
      if (!owner || !job) return;
      owner.running++;
      owner.lastTurn = ++turn;
      counts.running++;
      counts.waiting--;
      job.start();
    }
  };
  return async ({ owner: name, cost, signal, run }) => {
    if (signal.aborted) throw new AbandonedError();
    const owner = owners.get(name) ?? { running: 0, lastTurn: turn - 1, waiting: [] };
    if (counts.waiting >= options.maxWaiting || owner.waiting.length >= options.maxWaitingPerOwner)
      throw new OverloadedError();
    owners.set(name, owner);
    const started = Promise.withResolvers<void>();
    const job: WaitingJob = { cost, start: started.resolve };
    const leave = (reason: Error) => {
      const index = owner.waiting.indexOf(job);
      if (index < 0) return;
      owner.waiting.splice(index, 1);
      counts.waiting--;
      forgetIdleOwner(owners, name);
      started.reject(reason);
    };
    insertByCost(owner.waiting, job);
    counts.waiting++;
    startNext();
    await waitForTurn(started.promise, signal, options.maxWaitMs, leave);
    try {
      return await run();
    } finally {
      owner.running--;
      counts.running--;
      forgetIdleOwner(owners, name);
      startNext();
    }
  };
}

/** Calls `leave` when the client has gone, or after too long a wait. */
async function waitForTurn(
  started: Promise<void>,
  signal: AbortSignal,
  maxWaitMs: number,
  leave: (reason: Error) => void,
): Promise<void> {
  const abandon = () => leave(new AbandonedError());
  const timer = system.setTimeout(() => leave(new OverloadedError()), maxWaitMs);
  signal.addEventListener('abort', abandon, { once: true });
  try {
    await started;
  } finally {
    timer.cancel();
    signal.removeEventListener('abort', abandon);
  }
}

/** The owner with the fewest running jobs; among equals, the one that was served longest ago. */
function findNextOwner(owners: Iterable<Owner>, maxPerOwner: number): Owner | undefined {
  let next: Owner | undefined;
  for (const owner of owners) {
    if (owner.waiting.length === 0 || owner.running >= maxPerOwner) continue;
    const difference = next ? owner.running - next.running || owner.lastTurn - next.lastTurn : -1;
    if (difference < 0) next = owner;
  }
  return next;
}

function insertByCost(waiting: WaitingJob[], job: WaitingJob): void {
  const index = waiting.findIndex(({ cost }) => cost > job.cost);
  waiting.splice(index < 0 ? waiting.length : index, 0, job);
}

function forgetIdleOwner(owners: Map<string, Owner>, name: string): void {
  const owner = owners.get(name);
  if (owner?.running === 0 && owner.waiting.length === 0) owners.delete(name);
}

const RECORDS_PER_REQUEST = 100;
/** Counting a record takes a fraction of reading it. */
const COUNTED_PER_REQUEST = 2_000;

export interface ResponseSize {
  readonly records: number;
  readonly format: ResponseFormatName;
  /** How many records were counted for `Prefer: count=exact`. */
  readonly counted?: number;
}

/** The cost of a new response, in requests: one for each hundred records of JSON, at least one. */
export function computeRequestCost({ records, format, counted = 0 }: ResponseSize): number {
  const weighted = Math.ceil((records * FORMATS[format].traits.weight) / RECORDS_PER_REQUEST);
  return Math.max(1, weighted) + computeSearchCost(counted);
}

/** The cost of records that are looked at, whether they match or not. */
export const computeSearchCost = (records = 0) => Math.floor(records / COUNTED_PER_REQUEST);

/** The cost of records whose number is not that of the records that are read for them. */
export function computeListCost(
  { limit, format }: Pick<ResponseSize, 'format'> & { readonly limit: number },
  page?: { readonly count: number },
): number {
  if (page) return computeRequestCost({ records: page.count, format });
  return Math.max(MIN_COMPUTED_COST, computeRequestCost({ records: limit, format }));
}

/** The cost of a list that is computed from all records, before it is. */
export const LIST_COST = 10;

/** More than what the thread that responds does itself: several statements, or how many records are read is not known. */
export const MIN_COMPUTED_COST = 4;

/** A curve takes some milliseconds, which is too long for the thread that responds. */
export const CURVE_COST = 4;
