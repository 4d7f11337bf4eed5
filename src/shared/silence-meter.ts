import { readFileSync } from 'node:fs';

/** How often silence is measured, and how often live threads should report. */
export const SILENCE_TICK_MS = 250;
/**
 * The minimum part of a tick that counts: waiting for a core or a disk is slow, but must not last for ever.
 */
const MIN_PART = 1 / 8;
/** A thread's times are counted in hundredths of a second. */
const CLOCK_TICK_MS = 10;

/**
 * Measures for how long a thread has not reported that it is alive. It counts ticks of the measuring thread,
 * which may itself have been late or suspended. If the system reports the state of threads, a thread that was
 * ready to run counts by the time it had a core, and one that waits for a disk hardly counts.
 */
export class SilenceMeter {
  #silentMs = 0;
  #usedMs: number | undefined;

  /** The file with the state of the thread, such as `/proc/self/task/1/stat`. */
  constructor(private statusFile?: string) {}

  reset(statusFile = this.statusFile): void {
    this.statusFile = statusFile;
    this.#silentMs = 0;
    this.#usedMs = undefined;
  }

  /** Called once in each interval; returns the length of the silence in milliseconds. */
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

/** A thread that is stopped, or waits for anything else, counts fully. */
function countedPart(state: string | undefined, hadCoreMs = SILENCE_TICK_MS): number {
  if (state === 'D') return MIN_PART;
  return state === 'R' ? Math.min(1, Math.max(MIN_PART, hadCoreMs / SILENCE_TICK_MS)) : 1;
}

/** The state of a thread and how much processor time it has used. */
function readThreadStatus(file: string | undefined) {
  if (file === undefined) return undefined;
  try {
    // The preceding name may have spaces and parentheses.
    const fields = readFileSync(file, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
    const [state, user, system] = [fields[0], fields[11], fields[12]];
    return { state, usedMs: (Number(user) + Number(system)) * CLOCK_TICK_MS };
  } catch {
    return undefined;
  }
}
