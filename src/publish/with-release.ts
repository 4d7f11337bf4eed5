import type { DatasetChange, Publisher, Release } from '../store/open-store.ts';

/** A publisher whose revisions have what is said of their release in their options. */
export function withRelease(publisher: Publisher, release: Release): Publisher {
  const describe = <Change extends Partial<DatasetChange>>(change: Change) => ({
    ...change,
    options: { ...change.options, release },
  });
  return {
    ...publisher,
    publish: (change) => publisher.publish(describe(change)),
    transaction: (callback, options) =>
      publisher.transaction(
        (transaction) =>
          callback({
            ...transaction,
            publish: (change) => transaction.publish(describe(change)),
            stage: (change) => transaction.stage(describe(change)),
          }),
        options,
      ),
  };
}
