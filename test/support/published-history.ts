import { expect } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import { publishRecords } from '../../src/publish/publish-records.ts';
import type { Store, StoreQueries } from '../../src/store/open-store.ts';
import { readFixture } from './fixtures.ts';

const publication = { source: 'test', author: 'test' };

/** Publishes every dataset's fixture, then corrects and retires some. */
export async function publishHistory(store: Store): Promise<void> {
  const publisher = store.publisher();
  for (const dataset of catalogue) {
    await publishRecords(publisher, { ...publication, dataset, records: readFixture(dataset) });
  }
  const [first, ...rest] = readFixture(quotes);
  const records = rest.map((record, index) => (index % 2 ? record : { ...record, volume: 1 }));
  expect(first).toBeDefined();
  await publishRecords(publisher, { ...publication, dataset: quotes, records, replace: true });
  publisher.close();
}

/** The results of all kinds of queries. */
export async function readEverything(store: Store): Promise<unknown> {
  const reader = store.reader();
  const results: unknown[] = [await reader.revision(), await reader.coverage(catalogue)];
  for (const dataset of catalogue) {
    for (const asOf of [undefined, 1, catalogue.length]) {
      results.push(await readRecords(reader, dataset, asOf));
    }
  }
  results.push(await reader.securities(quotes), await reader.changes(quotes, 13, 100));
  results.push(
    await reader.read({ kind: 'quotes', dataset: quotes, limit: 3, includeTotal: true }),
  );
  reader.close();
  return results;
}

export async function readRecords(queries: StoreQueries, ...options: [Dataset, number?]) {
  return (await Array.fromAsync(queries.records(...options))).flat();
}
