const MAX_BAR_WIDTH = 30;
/** The space and the percentage after the bar, and one column that stays free. */
const MARGIN = 7;
const REDRAW_INTERVAL_MS = 100;

/** A progress bar for reading bytes, on a terminal that can redraw a line. */
export function createProgressBar(
  output: NodeJS.WriteStream,
  totalBytes: number,
  { TERM }: Readonly<Record<string, string | undefined>> = process.env,
) {
  const canRedraw = output.isTTY && TERM !== 'dumb';
  if (!canRedraw || totalBytes === 0) return { advance: (_: number) => {}, clear: () => {} };
  let bytesRead = 0;
  let drawnMs = Number.NEGATIVE_INFINITY;
  return {
    advance(bytes: number) {
      bytesRead += bytes;
      const nowMs = performance.now();
      if (nowMs - drawnMs < REDRAW_INTERVAL_MS) return;
      drawnMs = nowMs;
      const share = Math.min(1, bytesRead / totalBytes);
      // A longer line would be wrapped, and could not be drawn over.
      const width = Math.max(0, Math.min(MAX_BAR_WIDTH, output.columns - MARGIN));
      const filled = Math.round(share * width);
      const bar = '█'.repeat(filled) + '░'.repeat(width - filled);
      output.write(`\r${bar} ${String(Math.floor(share * 100)).padStart(3)} %`);
    },
    clear() {
      if (drawnMs >= 0) output.write('\r\u001b[K');
    },
  };
}
