const WIDTH = 30;
const REDRAW_INTERVAL_MS = 100;

/** A progress bar for reading bytes, on a terminal only. */
export function createProgressBar(output: NodeJS.WriteStream, totalBytes: number) {
  if (!output.isTTY || totalBytes === 0) return { advance: (_: number) => {}, clear: () => {} };
  let bytesRead = 0;
  let drawnMs = Number.NEGATIVE_INFINITY;
  return {
    advance(bytes: number) {
      bytesRead += bytes;
      const nowMs = performance.now();
      if (nowMs - drawnMs < REDRAW_INTERVAL_MS) return;
      drawnMs = nowMs;
      const share = Math.min(1, bytesRead / totalBytes);
      const filled = Math.round(share * WIDTH);
      const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled);
      output.write(`\r${bar} ${String(Math.floor(share * 100)).padStart(3)} %`);
    },
    clear() {
      if (drawnMs >= 0) output.write('\r\u001b[K');
    },
  };
}
