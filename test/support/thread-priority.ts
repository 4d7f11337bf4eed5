import { afterAll, beforeAll } from 'bun:test';
import { existsSync, readdirSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

const THREADS = '/proc/self/task';

/**
 * Lets the threads of this process that scrub and serve exports have as much of a busy machine as any
 * other. Where the system does not allow it, tests that wait for them take longer.
 */
export function useEqualThreadPriority(): void {
  let timer: ReturnType<typeof setInterval> | undefined;
  beforeAll(() => {
    if (existsSync(THREADS)) timer = setInterval(raiseThreads, 100);
  });
  afterAll(() => clearInterval(timer));
}

function raiseThreads(): void {
  for (const thread of readdirSync(THREADS).map(Number)) {
    try {
      if (getPriority(thread) > getPriority()) setPriority(thread, getPriority());
    } catch {
      // It has ended, or this takes a right that the process does not have.
    }
  }
}
