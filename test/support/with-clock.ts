import type { Publisher, PublishTransaction } from '../../src/store/open-store.ts';

/** A publisher whose revisions are made at the instants that the clock tells. */
export function withClock(publisher: Publisher, now: () => Date): Publisher {
  const timed = (transaction: PublishTransaction): PublishTransaction => ({
    ...transaction,
    stage: (change) => transaction.stage({ ...change, at: now() }),
    publish: (change) => transaction.publish({ ...change, at: now() }),
  });
  const atomically: Publisher['transaction'] = (callback) =>
    publisher.transaction((within) => callback(timed(within)));
  return {
    ...publisher,
    transaction: atomically,
    publish: (change) => atomically(({ publish }) => publish(change)),
  };
}
