/** What is made when it is first asked for, and closed when the last who asked has closed it. */
export function createRefCounted<T extends { close(): void }>(make: () => T): () => T {
  let made: T | undefined;
  let users = 0;
  return () => {
    made ??= make();
    const mine = made;
    let isOpen = true;
    users++;
    return {
      ...mine,
      close() {
        if (!isOpen) return;
        isOpen = false;
        if (--users > 0) return;
        made = undefined;
        mine.close();
      },
    };
  };
}
