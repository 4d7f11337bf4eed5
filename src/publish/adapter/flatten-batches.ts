/**
 * The items of batches one by one; `onItem` is called before each. A generator would take several
 * times as long for each, and files have millions of rows.
 */
export function flattenBatches<T>(
  batches: AsyncGenerator<readonly T[]>,
  onItem: (item: T) => void,
): AsyncIterableIterator<T> {
  let batch: readonly T[] = [];
  let index = 0;
  const takeItem = (): IteratorResult<T> => {
    const value = batch[index++] as T;
    onItem(value);
    return { done: false, value };
  };
  const readBatch = async (): Promise<IteratorResult<T>> => {
    do {
      const next = await batches.next();
      if (next.done) return { done: true, value: undefined };
      batch = next.value;
      index = 0;
    } while (batch.length === 0);
    return takeItem();
  };
  return {
    next: () => (index < batch.length ? Promise.resolve(takeItem()) : readBatch()),
    async return() {
      batch = [];
      await batches.return(undefined);
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
