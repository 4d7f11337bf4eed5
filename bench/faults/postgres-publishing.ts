import { catalogue } from '../../src/catalogue/index.ts';
import { openStore, type Publisher } from '../../src/store/open-store.ts';
import { encodeChange } from '../../test/simulation/database.ts';
import type { Publishing } from './published-history.ts';

const RETRY_MS = 200;

/** Publishes in this process, to whichever server is the primary. */
export async function createPostgresPublishing(
  url: string,
  replicas: readonly string[] = [],
): Promise<Publishing> {
  const store = await openStore(url, catalogue, { replicas });
  const withPublisher = async <T>(use: (publisher: Publisher) => Promise<T>): Promise<T> => {
    const publisher = store.publisher();
    try {
      return await use(publisher);
    } finally {
      publisher.close();
    }
  };
  return {
    async attempt(change, stamp) {
      await withPublisher((publisher) => publisher.publish(encodeChange(change, stamp)));
    },
    isDisturbed: () => false,
    async readLast() {
      for (;;) {
        try {
          // A transaction waits for those before it, also for those of connections that were lost.
          const [last] = await withPublisher((publisher) =>
            publisher.transaction((transaction) => transaction.revisions()),
          );
          if (last) return last;
        } catch {
          await Bun.sleep(RETRY_MS);
        }
      }
    },
  };
}
