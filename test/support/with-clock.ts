import type { Publisher, PublishTransaction } from '../../src/store/open-store.ts';

/** A publisher whose revisions are made at the instants that the clock tells. */
export function clocked(publisher: Publisher, now: () => Date): Publisher {
  const timed = (within: PublishTransaction): PublishTransaction => ({
    ...within,
    publish: (change) => within.publish({ ...change, at: now() }),
  });
  const atomically: Publisher['atomically'] = (work) =>
    publisher.atomically((within) => work(timed(within)));
  return {
    ...publisher,
    atomically,
    publish: (change) => atomically(({ publish }) => publish(change)),
  };
}
