import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { quotes } from '../../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../../src/catalogue/index.ts';
import { checkDatabase } from '../../../src/publish/check/check-database.ts';
import { serializeRecord } from '../../../src/schema/serialize-record.ts';
import { getColumnValues, getStorageTable } from '../../../src/schema/storage-table.ts';
import type { EncodedRow } from '../../../src/store/open-store.ts';
import { generateQuotes } from '../../support/generate-quotes.ts';
import { explainMissingPostgres } from '../../support/postgres.ts';
import type { Quote } from '../../support/quote-fixture.ts';
import { createPostgresStore, ENGINES } from '../../support/store.ts';

// The first who asks for a server waits until it has started.
setDefaultTimeout(120_000);

const records = generateQuotes(['2026-06-30'], 1_000);
const about = { dataset: quotes, source: 'test', author: 'test' };
const rowOf = (record: Quote): EncodedRow => ({
  columns: getColumnValues(getStorageTable(quotes), record),
  json: serializeRecord(quotes, record),
});

/** Rows that correct everything, and then no more can be read. */
function* breakingOff(): Generator<readonly EncodedRow[]> {
  yield records.map((record) => rowOf({ ...record, lastPrice: 1 }));
  throw new Error('the file ends in the middle');
}

for (const { name: engine, createStore } of ENGINES) {
  describe(engine, () => {
    test('a change that fails leaves nothing, nor does what its transaction publishes after it', async () => {
      await using store = await createStore();
      await store.publish(quotes, records);
      const publisher = store.publisher();
      const publishing = publisher.transaction(async ({ publish }) => {
        const broken = publish({ ...about, rows: breakingOff() });
        await expect(broken).rejects.toThrow('the file ends in the middle');
        // What might still be under way has time to arrive.
        await Bun.sleep(50);
        await publish({ ...about, rows: [generateQuotes(['2026-07-01'], 2).map(rowOf)] });
      });
      await expect(publishing).rejects.toThrow('the file ends in the middle');
      publisher.close();
      expect(await store.history(quotes)).toEqual([]);
      const inspector = store.inspector();
      expect(await checkDatabase(inspector, catalogue)).toMatchObject({ revisions: 1, faults: [] });
      inspector.close();
    });

    test('duplicate rows are reported in the order of the input', async () => {
      await using store = await createStore();
      const publisher = store.publisher();
      const again = records.slice(3, 400).toReversed();
      const duplicates: EncodedRow[] = [];
      const rows = [records.map(rowOf), [...again, ...again.slice(0, 9)].map(rowOf)];
      await publisher.publish({ ...about, rows, onDuplicateKey: (row) => duplicates.push(row) });
      publisher.close();
      expect(duplicates).toEqual(rows[1] ?? []);
    });
  });
}

describe.skipIf(explainMissingPostgres() !== undefined)('postgres', () => {
  test('the first error of a failed transaction is reported, not those that follow from it', async () => {
    await using store = await createPostgresStore();
    const full = `CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE disk_full USING MESSAGE = 'no space left'; END $$`;
    await store.query(full);
    await store.query(
      'CREATE TRIGGER full_disk BEFORE INSERT ON quotes_now EXECUTE FUNCTION full_disk()',
    );
    const publisher = store.publisher();
    const publishing = publisher.transaction(({ publish, read }) => {
      const rows = async function* () {
        yield records.map(rowOf);
        await read({ kind: 'quotes', dataset: quotes, limit: 1 });
        yield [];
      };
      return publish({ ...about, rows: rows() });
    });
    await expect(publishing).rejects.toThrow('no space left');
    publisher.close();
  });
});
