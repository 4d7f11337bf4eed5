/** Runs a piece of work when its turn comes. */
export type TaskQueue = <T>(operation: () => Promise<T>) => Promise<T>;

/** Lets so much work run at one time; what comes beyond waits in line, and holds nothing yet. */
export function createTaskQueue(max: number): TaskQueue {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (operation) => {
    if (running < max) running++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await operation();
    } finally {
      // Whoever is next takes the place over.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
