/**
 * What differs between two runs of the same program: time and chance. The server, stores, workers and the
 * requests of the explorer take them from `system`, so that a simulation can provide its own.
 */
export interface System {
  /** Milliseconds since 1970 by the machine's clock, which may be set. */
  now(): number;
  /** Milliseconds since an arbitrary instant; never go back. */
  monotonicNow(): number;
  setTimeout(callback: () => void, delayMs: number): Timer;
  setInterval(callback: () => void, intervalMs: number): Timer;
  sleep(delayMs: number): Promise<void>;
  /** Resolves in the next turn of the event loop, so that other requests and messages are handled first. */
  nextTurn(): Promise<void>;
  /** At least 0, and less than 1. */
  random(): number;
}

export interface Timer {
  cancel(): void;
  /** Lets the process exit before the timer is due. */
  unref(): Timer;
}

/** Browsers have no `setImmediate`, and pages never yield. */
declare function setImmediate(callback: () => void): unknown;

/** The machine's clock and timers, unless a simulation has replaced it before the program starts. */
export const system: System = {
  now: Date.now,
  monotonicNow: performance.now.bind(performance),
  setTimeout(callback, delayMs) {
    const timer = setTimeout(callback, delayMs);
    return toTimer(timer, () => clearTimeout(timer));
  },
  setInterval(callback, intervalMs) {
    const timer = setInterval(callback, intervalMs);
    return toTimer(timer, () => clearInterval(timer));
  },
  sleep: (delayMs) => new Promise((resolve) => setTimeout(resolve, delayMs)),
  nextTurn: () => new Promise((resolve) => setImmediate(resolve)),
  random: Math.random,
};

export function replaceSystem(replacement: System): void {
  Object.assign(system, replacement);
}

/** A browser's timers are numbers and keep nothing alive. */
function toTimer(timer: number | { unref(): unknown }, cancel: () => void): Timer {
  const result: Timer = {
    cancel,
    unref() {
      if (typeof timer === 'object') timer.unref();
      return result;
    },
  };
  return result;
}
