/** Something that is looked at again and again. */
export interface Poller {
  /** Looks sooner than it would have. */
  scheduleWithin(waitMs: number): void;
  stop(): void;
}

/**
 * Looks, and again after as many milliseconds as that tells. In a tab that nobody sees nothing is
 * looked at, but at once when it is seen again.
 */
export function startPoller(look: () => Promise<number>): Poller {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLooking = false;
  let isFinished = false;
  const turn = async () => {
    if (isLooking) return;
    isLooking = true;
    const waitMs = await look();
    isLooking = false;
    within(waitMs);
  };
  const within = (waitMs: number) => {
    clearTimeout(timer);
    if (!isFinished) timer = setTimeout(() => document.hidden || turn(), waitMs);
  };
  const onSeen = () => within(0);
  document.addEventListener('visibilitychange', onSeen);
  turn();
  return {
    scheduleWithin: within,
    stop() {
      isFinished = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onSeen);
    },
  };
}
