const MAX_BAR_WIDTH = 30;
/** The space and the percentage after the bar, and one free column. */
const MARGIN = 7;
const REDRAW_INTERVAL_MS = 100;

const canRedraw = () => process.stderr.isTTY && process.env.TERM !== 'dumb';

/**
 * Overwrites the current line on standard error, cut to the width of the terminal; does nothing elsewhere.
 */
export function drawLine(text: string): void {
  if (canRedraw()) process.stderr.write(`\r\u001b[K${text.slice(0, process.stderr.columns - 1)}`);
}

/** A progress bar on standard error; shown only on a terminal that can redraw a line. */
export class ProgressBar {
  readonly #isShown: boolean;
  #done = 0;
  #drawnMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly total: number) {
    this.#isShown = total > 0 && canRedraw();
  }

  advance(count: number): void {
    this.#done += count;
    const nowMs = performance.now();
    if (!this.#isShown || nowMs - this.#drawnMs < REDRAW_INTERVAL_MS) return;
    this.#drawnMs = nowMs;
    const share = Math.min(1, this.#done / this.total);
    // A longer line would wrap, and could not be overwritten.
    const width = Math.max(0, Math.min(MAX_BAR_WIDTH, process.stderr.columns - MARGIN));
    const filled = Math.round(share * width);
    const bar = '█'.repeat(filled) + '░'.repeat(width - filled);
    process.stderr.write(`\r${bar} ${String(Math.floor(share * 100)).padStart(3)} %`);
  }

  clear(): void {
    if (this.#drawnMs >= 0) process.stderr.write('\r\u001b[K');
  }
}
