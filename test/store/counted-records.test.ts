import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { publishRecords } from '../../src/publish/publish-records.ts';
import { getStorageTable } from '../../src/schema/storage-table.ts';
import { closeAfterEach } from '../support/close-after-each.ts';
import { readFixture } from '../support/fixtures.ts';
import { ENGINES, type TestStore } from '../support/store.ts';

const { closing, removing } = closeAfterEach();
/** One of each shape. */
const datasets = ['series', 'fund', 'quotes'].flatMap(
  (shape) => catalogue.find((dataset) => dataset.shape === shape) ?? [],
);

describe.each(ENGINES.map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  test('a stream of records fails at its end if the ledger has more or fewer', async () => {
    const store = removing(await engine.createStore());
    for (const dataset of datasets) await store.publish(dataset, readFixture(dataset));
    const [, ...rest] = readFixture(quotes);
    const change = { dataset: quotes, records: rest, replace: true };
    await publishRecords(closing(store.publisher()), { ...change, source: 'test', author: 'test' });
    const reader = closing(store.reader());
    for (const dataset of datasets) {
      const stream = async (asOf?: number) =>
        (await Array.fromAsync(reader.records(dataset, asOf))).flat();
      const count = dataset === quotes ? rest.length : readFixture(dataset).length;
      expect(await stream()).toHaveLength(count);
      expect(await stream(datasets.length)).toHaveLength(readFixture(dataset).length);
      expect(await stream(0)).toHaveLength(0);
      await execute(
        store,
        `UPDATE revisions SET added = added - 1 WHERE dataset = '${dataset.name}'`,
      );
      await expect(stream()).rejects.toThrow(`but ${count} were found`);
      await execute(
        store,
        `UPDATE revisions SET added = added + 1 WHERE dataset = '${dataset.name}'`,
      );
      await execute(store, `DELETE FROM ${getStorageTable(dataset).currentTable}`);
      await expect(stream()).rejects.toThrow(
        `has ${count} records at revision 4, but 0 were found`,
      );
    }
  });
});

/** Runs a statement that Tenor itself never would. */
async function execute(store: TestStore, sql: string): Promise<void> {
  if (!store.url.startsWith('sqlite:')) return void (await store.query(sql));
  using database = new Database(store.url.slice('sqlite:'.length));
  database.run(sql);
}
