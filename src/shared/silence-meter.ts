import { readFileSync } from 'node:fs';

/** How often silence is measured, and how often what is alive should say so. */
export const SILENCE_TICK_MS = 250;
/** The part of a tick that counts at least: what waits for a core or a disk is late, but not for ever. */
const MIN_PART = 1 / 8;
/** A thread's times are counted in hundredths of a second. */
const CLOCK_TICK_MS = 10;

/**
 * Measures for how long a thread has not said that it is alive. It counts ticks of the thread that
 * measures, which may have been late or suspended itself; and where the system tells, a thread that
 * was ready to run counts by the time for which it had a core, and one that waits for a disk hardly.
 */
export class SilenceMeter {
  #silentMs = 0;
  #usedMs: number | undefined;

  /** The file that tells the state of the thread, as in `/proc/self/task/1/stat`. */
  constructor(private statusFile?: string) {}

  /** The thread has said that it is alive. */
  reset(statusFile = this.statusFile): void {
    this.statusFile = statusFile;
    this.#silentMs = 0;
    this.#usedMs = undefined;
  }

  /** Called once in each interval; returns how long the silence is now, in milliseconds. */
  tick(): number {
    const status = readThreadStatus(this.statusFile);
    const hadCoreMs = status && status.usedMs - (this.#usedMs ?? 0);
    const part = this.#usedMs === undefined ? 1 : countedPart(status?.state, hadCoreMs);
    this.#usedMs = status?.usedMs;
    this.#silentMs += SILENCE_TICK_MS * part;
    return this.#silentMs;
  }

  /** Whether the thread is stopped, or waits for a disk: then no signal reaches it. */
  isUnreachable(): boolean {
    return /[DTt]/.test(readThreadStatus(this.statusFile)?.state ?? '');
  }
}

/** Stopped, or waiting for something that does not come, it counts wholly. */
function countedPart(state: string | undefined, hadCoreMs = SILENCE_TICK_MS): number {
  if (state === 'D') return MIN_PART;
  return state === 'R' ? Math.min(1, Math.max(MIN_PART, hadCoreMs / SILENCE_TICK_MS)) : 1;
}

/** The state of a thread, and how much of a core it has used. */
function readThreadStatus(file: string | undefined) {
  if (file === undefined) return undefined;
  try {
    // The name before it may have spaces and parentheses.
    const fields = readFileSync(file, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
    const [state, user, system] = [fields[0], fields[11], fields[12]];
    return { state, usedMs: (Number(user) + Number(system)) * CLOCK_TICK_MS };
  } catch {
    return undefined;
  }
}
