/** How fast a client has to read, on average over each window. */
export interface LeastReadRate {
  readonly bytesPerSecond: number;
  readonly windowMs: number;
}

/** Half a megabit a second. */
export const LEAST_READ_RATE: LeastReadRate = { bytesPerSecond: 65_536, windowMs: 30_000 };

const CHECKS_PER_WINDOW = 6;

/**
 * Calls back when a client reads too slowly. Only the time in which the server waits for the client
 * counts, not the time that creating the file takes.
 */
export function createReadRateMonitor(
  { bytesPerSecond, windowMs }: LeastReadRate,
  onTooSlow: () => void,
) {
  let waitingSinceMs: number | undefined;
  let waitedMs = 0;
  let bytesInWindow = 0;
  const addWaitedTime = (nowMs: number) => {
    if (waitingSinceMs !== undefined) waitedMs += nowMs - waitingSinceMs;
  };
  const check = () => {
    if (waitingSinceMs === undefined) return;
    const nowMs = performance.now();
    addWaitedTime(nowMs);
    waitingSinceMs = nowMs;
    if (waitedMs < windowMs) return;
    const leastBytes = (bytesPerSecond * waitedMs) / 1_000;
    if (bytesInWindow < leastBytes) onTooSlow();
    waitedMs = 0;
    bytesInWindow = 0;
  };
  const timer = setInterval(check, windowMs / CHECKS_PER_WINDOW);
  return {
    /** The client asks for the next chunk. */
    markReady() {
      addWaitedTime(performance.now());
      waitingSinceMs = undefined;
    },
    /** A chunk is on its way to the client. */
    markSent(bytes: number) {
      bytesInWindow += bytes;
      waitingSinceMs = performance.now();
    },
    stop: () => clearInterval(timer),
  };
}
