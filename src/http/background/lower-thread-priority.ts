import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

/** Gives other threads of this and other processes precedence over the calling one; on Linux only. */
export function lowerThreadPriority(niceness: number): void {
  try {
    const threadId = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(threadId, niceness);
  } catch {
    // Other systems, and some containers, have no such file.
  }
}
