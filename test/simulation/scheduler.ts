import { drainMicrotasks } from 'bun:jsc';
import type { System, Timer } from '../../src/shared/system.ts';
import { Random } from './random.ts';

/**
 * A process of the simulation: a worker, a client, a tab, a database server. Timers, messages and
 * replies belong to the process in which they were created, and are dropped when it is dead.
 */
export interface Process {
  readonly name: string;
  isDead: boolean;
  /** How far its machine's clock is off; `system.now()` has it while the process runs. */
  clockOffsetMs: number;
  /** Until then nothing of it runs: it is suspended, or waits for a core. */
  stalledUntilMs: number;
}

interface QueuedEvent {
  readonly label: string;
  readonly process: Process;
  readonly run: () => void;
  dueMs: number;
  /** Among events that are due at the same time. */
  readonly order: number;
  isCancelled: boolean;
}

/** How late timers are; now and then a process is busy with something else. */
const JITTER_MS = 2;
const LATE_MS = 40;
const LATE_PROBABILITY = 0.03;
const MAX_EVENTS = 200_000;
/** Instants of the simulation begin here. */
export const START_MS = Date.UTC(2026, 8, 1);

/**
 * The only source of time, chance and order. Everything that happens is an event in one queue; the
 * seed decides how long each takes, and so in which order they come. After each event all promises
 * settle, synchronously: a seed has one course.
 */
export class Scheduler {
  readonly random: Random;
  nowMs = 0;
  eventCount = 0;
  /** How far the clocks of all machines are off together. */
  clockOffsetMs = 0;
  /** The process whose event runs. */
  current: Process;
  /** What kind of event runs. */
  currentLabel = '';
  readonly #world: Process;
  /** A binary heap, the next event first. */
  readonly #queue: QueuedEvent[] = [];
  /** Events of processes that are stalled. */
  readonly #stalled: QueuedEvent[] = [];
  /** When stalled processes were to go on: once each. */
  readonly #wakeTimes = new Set<number>();
  readonly #trace: string[] = [];
  /** A hash over everything that happened. */
  #hash = 0n;
  #isStopped = false;
  readonly #labels = new Map<string, number>();

  constructor(
    readonly seed: number,
    private readonly keepsTrace = false,
  ) {
    this.random = new Random(seed);
    this.#world = createProcess('world');
    this.current = this.#world;
  }

  /** Calls back after a delay, which the caller draws; returns what cancels it. */
  after(
    delayMs: number,
    label: string,
    run: () => void,
    process: Process = this.current,
  ): QueuedEvent {
    const event = {
      label,
      process,
      run,
      dueMs: this.nowMs + Math.max(0, delayMs),
      order: this.random.next(),
      isCancelled: false,
    };
    this.#push(event);
    return event;
  }

  /** A delay between two bounds; most are short. */
  drawDelay(minMs: number, maxMs: number): number {
    const part = this.random.next();
    return minMs + part * part * (maxMs - minMs);
  }

  /** Resolves after a delay, in the process that called. */
  wait(delayMs: number, label: string, process: Process = this.current): Promise<void> {
    return new Promise((resolve) => this.after(delayMs, label, resolve, process));
  }

  /**
   * Runs something as a process, at once, until its promises wait for other events. Called where no
   * promise of another process has settled: it would go on as this one.
   */
  runAs<T>(process: Process, run: () => T): T {
    const previous = this.current;
    this.current = process;
    try {
      return run();
    } finally {
      drainMicrotasks();
      this.current = previous;
    }
  }

  /** Ends the run after the present event. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Runs all events that are due by a time. */
  runUntil(endMs: number): void {
    while (!this.#isStopped) {
      const event = this.#queue[0];
      if (!event || event.dueMs > endMs) break;
      this.#pop();
      this.#runEvent(event);
    }
    this.nowMs = Math.max(this.nowMs, endMs);
  }

  /** Ends a stall before its time. */
  resume(process: Process): void {
    process.stalledUntilMs = this.nowMs;
    this.#wake();
  }

  /** What came meanwhile comes now, in the order in which it came. */
  #wake(): void {
    this.#stalled.splice(0).forEach((event, index) => {
      // It may have been suspended for longer meanwhile.
      if (this.#holdBack(event)) return;
      event.dueMs = this.nowMs + index * 1e-6;
      this.#push(event);
    });
  }

  /** Keeps an event until its process runs again; false where it does. */
  #holdBack(event: QueuedEvent): boolean {
    const { stalledUntilMs } = event.process;
    if (stalledUntilMs <= this.nowMs) return false;
    this.#stalled.push(event);
    if (stalledUntilMs < Number.POSITIVE_INFINITY && !this.#wakeTimes.has(stalledUntilMs)) {
      this.#wakeTimes.add(stalledUntilMs);
      const wake = () => {
        this.#wakeTimes.delete(stalledUntilMs);
        this.#wake();
      };
      this.after(stalledUntilMs - this.nowMs, 'awake', wake, this.#world);
    }
    return true;
  }

  /** Adds a line to what happened, by which two runs of a seed are compared. */
  note(text: string | (() => string)): void {
    const line = typeof text === 'string' ? text : text();
    this.#hash = Bun.hash.xxHash64(`${this.nowMs} ${line}`, this.#hash);
    if (this.keepsTrace)
      this.#trace.push(`${formatMs(this.nowMs)} ${this.current.name.padEnd(10)} ${line}`);
  }

  get trace(): readonly string[] {
    return this.#trace;
  }

  get hash(): string {
    return this.#hash.toString(16).padStart(16, '0');
  }

  /** Labels of events that wait, and how many of each there are. */
  countWaiting(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { label, isCancelled, process } of this.#queue)
      if (!isCancelled && !process.isDead) counts[label] = (counts[label] ?? 0) + 1;
    return counts;
  }

  /** How often each event came. */
  get labels(): ReadonlyMap<string, number> {
    return this.#labels;
  }

  /** Time and chance for the program. */
  createSystem(): System {
    return {
      now: () =>
        START_MS + Math.floor(this.nowMs + this.clockOffsetMs + this.current.clockOffsetMs),
      monotonicNow: () => this.nowMs,
      random: () => this.random.next(),
      setTimeout: (callback, delayMs) => {
        const event = this.after(delayMs + this.#drawLateness(), 'timer', callback);
        return toTimer(() => {
          event.isCancelled = true;
        });
      },
      setInterval: (callback, intervalMs) => this.#startInterval(callback, intervalMs),
      sleep: (delayMs) => this.wait(delayMs + this.#drawLateness(), 'timer'),
      nextTurn: () => this.wait(this.random.between(0, 0.5), 'turn'),
    };
  }

  #startInterval(callback: () => void, intervalMs: number): Timer {
    let event: QueuedEvent;
    const process = this.current;
    const schedule = () => {
      event = this.after(intervalMs + this.#drawLateness(), 'interval', run, process);
    };
    const run = () => {
      schedule();
      callback();
    };
    schedule();
    return toTimer(() => {
      event.isCancelled = true;
    });
  }

  #drawLateness(): number {
    const maxMs = this.random.isLikely(LATE_PROBABILITY) ? LATE_MS : JITTER_MS;
    return this.random.between(0, maxMs);
  }

  #runEvent(event: QueuedEvent): void {
    const { process, label, run } = event;
    if (event.isCancelled || process.isDead) return;
    this.nowMs = Math.max(this.nowMs, event.dueMs);
    if (this.#holdBack(event)) return;
    if (++this.eventCount > MAX_EVENTS)
      throw new Error(`more than ${MAX_EVENTS} events: something runs in circles`);
    this.#labels.set(label, (this.#labels.get(label) ?? 0) + 1);
    this.#hash = Bun.hash.xxHash64(`${this.nowMs} ${process.name} ${label}`, this.#hash);
    this.current = process;
    this.currentLabel = label;
    run();
    drainMicrotasks();
    this.current = this.#world;
  }

  #push(event: QueuedEvent): void {
    const queue = this.#queue;
    let index = queue.length;
    while (index > 0) {
      const parentIndex = (index - 1) >> 1;
      const parent = queue[parentIndex] as QueuedEvent;
      if (!isBefore(event, parent)) break;
      queue[index] = parent;
      index = parentIndex;
    }
    queue[index] = event;
  }

  #pop(): void {
    const queue = this.#queue;
    const last = queue.pop();
    if (!last || queue.length === 0) return;
    let index = 0;
    for (;;) {
      let childIndex = 2 * index + 1;
      const right = queue[childIndex + 1];
      if (right && isBefore(right, queue[childIndex] as QueuedEvent)) childIndex++;
      const child = queue[childIndex];
      if (!child || !isBefore(child, last)) break;
      queue[index] = child;
      index = childIndex;
    }
    queue[index] = last;
  }
}

export function createProcess(name: string): Process {
  return { name, isDead: false, clockOffsetMs: 0, stalledUntilMs: 0 };
}

/** Messages from one process to another: they take their time, but keep their order. */
export class Channel<Message> {
  #lastDueMs = 0;

  constructor(
    private readonly scheduler: Scheduler,
    private readonly options: {
      readonly label: string;
      readonly receiver: Process;
      readonly minMs: number;
      readonly maxMs: number;
      readonly onMessage: (message: Message) => void;
    },
  ) {}

  send(message: Message): void {
    const { label, receiver, minMs, maxMs, onMessage } = this.options;
    const dueMs = this.scheduler.nowMs + this.scheduler.drawDelay(minMs, maxMs);
    this.#lastDueMs = Math.max(this.#lastDueMs + 1e-6, dueMs);
    const delayMs = this.#lastDueMs - this.scheduler.nowMs;
    this.scheduler.after(delayMs, label, () => onMessage(message), receiver);
  }
}

function isBefore(a: QueuedEvent, b: QueuedEvent): boolean {
  return a.dueMs === b.dueMs ? a.order < b.order : a.dueMs < b.dueMs;
}

function toTimer(cancel: () => void): Timer {
  const timer: Timer = { cancel, unref: () => timer };
  return timer;
}

function formatMs(ms: number): string {
  return ms.toFixed(2).padStart(10);
}
