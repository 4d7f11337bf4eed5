/** Who lived for so long had begun well: its end is the first of its kind. */
const STABLE_AFTER_MS = 10_000;
const INITIAL_BACKOFF_MS = 50;
const MAX_BACKOFF_MS = 10_000;

/**
 * How long to wait until a process is started again that lived for so long. One that ends again
 * and again right at its start is waited for twice as long each time, up to ten seconds.
 */
export function createRestartBackoff(): (livedMs: number) => number {
  let quickDeaths = 0;
  return (livedMs) => {
    if (livedMs >= STABLE_AFTER_MS) quickDeaths = 0;
    return Math.min(MAX_BACKOFF_MS, INITIAL_BACKOFF_MS * 2 ** quickDeaths++);
  };
}
