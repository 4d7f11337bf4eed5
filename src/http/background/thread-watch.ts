import { SILENCE_TICK_MS, SilenceMeter } from '../../shared/silence-meter.ts';
import { system, type Timer } from '../../shared/system.ts';

/**
 * The longest that a thread may run without a pause. Of all jobs over a million quotes, the longest
 * slice took 0.6 s on a busy machine; time in which the thread waits for a core hardly counts.
 */
const MAX_SILENCE_MS = 4_000;
/** Loading the program. */
const MAX_START_SILENCE_MS = 30_000;

interface ThreadWatchOptions {
  /** Whether the thread has something to do: only then it is watched. */
  readonly isBusy: () => boolean;
  /** Sends a message that the thread responds to as soon as it pauses. */
  readonly ping: () => void;
  /** Called once, with the length of the silence. */
  readonly onHang: (silentMs: number) => void;
}

/** Notices that a thread does not respond, because it is in a loop or was stopped. */
export class ThreadWatch {
  readonly #silence = new SilenceMeter();
  #maxSilenceMs = MAX_START_SILENCE_MS;
  #timer: Timer | undefined;

  constructor(private readonly options: ThreadWatchOptions) {}

  /** Called with each job, and with each request for more of one. */
  start(): void {
    if (this.#timer) return;
    this.#silence.reset();
    this.#timer = system.setInterval(() => this.#tick(), SILENCE_TICK_MS).unref();
  }

  /** The thread has responded, perhaps with the file that tells its state. */
  reset(statusFile?: string): void {
    this.#maxSilenceMs = MAX_SILENCE_MS;
    this.#silence.reset(statusFile);
  }

  /** Whether no signal reaches the thread now. */
  isUnreachable(): boolean {
    return this.#silence.isUnreachable();
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #tick(): void {
    const { isBusy, ping, onHang } = this.options;
    if (!isBusy()) {
      this.stop();
      return;
    }
    const silentMs = this.#silence.tick();
    if (silentMs < this.#maxSilenceMs) ping();
    else {
      this.stop();
      onHang(silentMs);
    }
  }
}
