/** Shares one instance: created at the first call, closed when all who called have closed it. */
export function createRefCounted<T extends { close(): void }>(create: () => T): () => T {
  let shared: T | undefined;
  let users = 0;
  return () => {
    shared ??= create();
    const instance = shared;
    let isOpen = true;
    users++;
    return {
      ...instance,
      close() {
        if (!isOpen) return;
        isOpen = false;
        if (--users > 0) return;
        shared = undefined;
        instance.close();
      },
    };
  };
}
