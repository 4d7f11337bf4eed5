import { constants, setPriority } from 'node:os';

/** Gives priority to a server on the same machine. */
export function lowerPriority(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Not every system allows this.
  }
}
