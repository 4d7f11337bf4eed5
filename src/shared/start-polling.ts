import { system, type Timer } from './system.ts';

/**
 * Runs an operation again and again, each time a while after it has ended, so that two never
 * overlap. It must not reject. Returns what stops it.
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
