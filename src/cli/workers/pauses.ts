/** Who lived for so long had begun well: its end is the first of its kind. */
const BEGUN_WELL_MS = 10_000;
const FIRST_MS = 50;
const LONGEST_MS = 10_000;

/**
 * How long to wait until a process is started again that lived for so long. One that ends again
 * and again right at its start is waited for twice as long each time, up to ten seconds.
 */
export function pauses(): (livedMs: number) => number {
  let quickDeaths = 0;
  return (livedMs) => {
    if (livedMs >= BEGUN_WELL_MS) quickDeaths = 0;
    return Math.min(LONGEST_MS, FIRST_MS * 2 ** quickDeaths++);
  };
}
