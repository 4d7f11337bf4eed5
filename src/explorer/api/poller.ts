export interface Poller {
  /** Polls again after this delay, instead of when it was planned. */
  scheduleWithin(delayMs: number): void;
  stop(): void;
}

/**
 * Calls `poll` at once, and again after as many milliseconds as it returned. Pauses while the tab
 * is hidden.
 */
export function startPoller(poll: () => Promise<number>): Poller {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isPolling = false;
  let isStopped = false;
  const run = async () => {
    if (isPolling) return;
    isPolling = true;
    const delayMs = await poll();
    isPolling = false;
    scheduleWithin(delayMs);
  };
  const scheduleWithin = (delayMs: number) => {
    clearTimeout(timer);
    if (!isStopped) timer = setTimeout(() => document.hidden || run(), delayMs);
  };
  const onVisibilityChange = () => scheduleWithin(0);
  document.addEventListener('visibilitychange', onVisibilityChange);
  run();
  return {
    scheduleWithin,
    stop() {
      isStopped = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisibilityChange);
    },
  };
}
