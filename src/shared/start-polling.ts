import { system, type Timer } from './system.ts';

/**
 * Runs an operation repeatedly, each time an interval after it has ended, so that two never overlap. It must
 * not reject. Returns a function that stops it.
 */
export function startPolling(intervalMs: number, operation: () => Promise<void>): () => void {
  let timer: Timer | undefined;
  let isStopped = false;
  const schedule = () => {
    if (!isStopped) timer = system.setTimeout(() => operation().then(schedule), intervalMs);
  };
  schedule();
  return () => {
    isStopped = true;
    timer?.cancel();
  };
}
