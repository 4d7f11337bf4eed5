/** Runs an operation when fewer than the maximum are running. */
export type TaskQueue = <T>(operation: () => Promise<T>) => Promise<T>;

export function createTaskQueue(max: number): TaskQueue {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (operation) => {
    if (running < max) running++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await operation();
    } finally {
      // The next operation takes over the slot.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
