import { readdirSync, readFileSync, statSync } from 'node:fs';

const OPEN_FILES = '/proc/self/fd';

/**
 * How many files and connections the process has open. Undefined if the system does not report it, or if no
 * descriptor is left to read the list with.
 */
export function countOpenFiles(): number | undefined {
  try {
    // Linux before 6.2 does not report the number as a size.
    return statSync(OPEN_FILES).size || readdirSync(OPEN_FILES).length;
  } catch {
    return undefined;
  }
}

/** How many files may be open; infinite if there is no limit, or if the system does not report it. */
export function readFileLimit(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
