/** Standard error, which may be a terminal. */
interface ProgressOutput {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

interface ProgressBar {
  advance(bytes: number): void;
  /** Clears the line. */
  end(): void;
}

const WIDTH = 30;
const REDRAW_INTERVAL_MS = 100;

/** A progress bar on a terminal, and nothing elsewhere. */
export function createProgressBar(output: ProgressOutput, total: number): ProgressBar {
  if (!output.isTTY || total === 0) return { advance: () => {}, end: () => {} };
  let bytesRead = 0;
  let drawnMs = 0;
  return {
    advance(bytes) {
      bytesRead += bytes;
      const nowMs = performance.now();
      if (nowMs - drawnMs < REDRAW_INTERVAL_MS) return;
      drawnMs = nowMs;
      const share = Math.min(1, bytesRead / total);
      const filled = Math.round(share * WIDTH);
      const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled);
      output.write(`\r${bar} ${String(Math.floor(share * 100)).padStart(3)} %`);
    },
    end() {
      if (drawnMs > 0) output.write('\r\u001b[K');
    },
  };
}
