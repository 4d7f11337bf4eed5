import { constants, setPriority } from 'node:os';

/** Gives a server on the same machine priority. */
export function lowerPriority(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Not every system allows it.
  }
}
