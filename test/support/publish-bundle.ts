import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import { publishRecords } from '../../src/publish/publish-records.ts';
import type { TestStore } from './store.ts';

/** Publishes records of several datasets as the revisions of one bundle. */
export async function publishBundle(
  store: TestStore,
  changes: readonly (readonly [Dataset, readonly object[]])[],
): Promise<void> {
  const publisher = store.publisher();
  try {
    await publisher.transaction(async (transaction) => {
      const first = (await transaction.revision()) + 1;
      const options = { release: { first, last: first + changes.length - 1 } };
      for (const [dataset, records] of changes)
        await publishRecords(transaction, { dataset, records, source: 'a', author: 'a', options });
    });
  } finally {
    publisher.close();
  }
}
