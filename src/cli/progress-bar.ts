/** Where progress is shown: standard error, if that is a terminal. */
export interface ProgressOutput {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export interface ProgressBar {
  /** So many more bytes were read. */
  advance(bytes: number): void;
  /** Clears the line. */
  end(): void;
}

const WIDTH = 30;
const REDRAW_INTERVAL_MS = 100;

/** A bar on a terminal, and nothing anywhere else. */
export function createProgressBar(screen: ProgressOutput, total: number): ProgressBar {
  if (!screen.isTTY || total === 0) return { advance: () => {}, end: () => {} };
  let done = 0;
  let shownMs = 0;
  return {
    advance(bytes) {
      done += bytes;
      const nowMs = performance.now();
      if (nowMs - shownMs < REDRAW_INTERVAL_MS) return;
      shownMs = nowMs;
      const share = Math.min(1, done / total);
      const filled = Math.round(share * WIDTH);
      const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled);
      screen.write(`\r${bar} ${String(Math.floor(share * 100)).padStart(3)} %`);
    },
    end() {
      if (shownMs > 0) screen.write('\r\u001b[K');
    },
  };
}
