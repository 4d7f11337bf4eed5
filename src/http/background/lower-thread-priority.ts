import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

/** Gives other threads of this and other processes precedence over the calling one; on Linux only. */
export function lowerThreadPriority(niceness: number): void {
  const threadId = readThreadId();
  try {
    if (threadId !== undefined) setPriority(threadId, niceness);
  } catch {
    // Some containers forbid it.
  }
}

/** The id that the system has for the calling thread; undefined if it does not tell. */
export function readThreadId(): number | undefined {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  } catch {
    return undefined;
  }
}
