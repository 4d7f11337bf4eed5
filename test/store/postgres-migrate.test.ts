import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { SQL } from 'bun';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { migrateStore, openStore, StoreBusyError } from '../../src/store/open-store.ts';
import { getSchemaVersion } from '../../src/store/sql/migrations.ts';
import { retryUntil } from '../support/eventually.ts';
import { explainMissingPostgres, getSharedPostgres } from '../support/postgres.ts';
import { createPostgresStore, type TestStore } from '../support/store.ts';

describe.skipIf(explainMissingPostgres() !== undefined)('a migration', () => {
  let store: TestStore;
  beforeAll(async () => {
    store = await createPostgresStore();
  });
  afterAll(() => store.remove());

  test('throws StoreBusyError during a publication, without blocking readers', async () => {
    const publisher = store.publisher();
    await publisher.transaction(async ({ read }) => {
      await read({ kind: 'quotes', dataset: quotes, limit: 1 });
      await store.query('DROP INDEX quotes_past_by_until');
      await expect(openStore(store.url, catalogue)).rejects.toThrow(StoreBusyError);
      const reader = store.reader();
      expect((await reader.read({ kind: 'quotes', dataset: quotes, limit: 1 })).count).toBe(0);
      reader.close();
    });
    publisher.close();
    await openStore(store.url, catalogue);
    expect(
      await store.query("SELECT 1 AS one FROM pg_class WHERE relname = 'quotes_past_by_until'"),
    ).toEqual([{ one: 1 }]);
  });

  test('waits for transactions that write to a table, without blocking readers', async () => {
    await store.query('DROP INDEX quotes_past_by_until');
    const writer = new SQL(store.url, { max: 1 });
    await writer.unsafe('BEGIN; LOCK TABLE quotes_past IN ROW EXCLUSIVE MODE').simple();
    const migration = openStore(store.url, catalogue);
    await retryUntil(30_000, async () =>
      expect(await findIndex(store, 'quotes_past_by_until')).toEqual({ isValid: false }),
    );
    const reader = store.reader();
    const { entries } = await reader.corrections(quotes, { limit: 1 });
    expect(entries).toEqual([]);
    reader.close();
    expect(await findIndex(store, 'quotes_past_by_until')).toEqual({ isValid: false });
    await writer.unsafe('ROLLBACK');
    await writer.close();
    await migration;
    expect(await findIndex(store, 'quotes_past_by_until')).toEqual({ isValid: true });
  });

  test('waits for another migration', async () => {
    await store.query('DROP INDEX quotes_past_by_until');
    await Promise.all([1, 2, 3].map(() => openStore(store.url, catalogue)));
    expect(await findIndex(store, 'quotes_past_by_until')).toEqual({ isValid: true });
    expect(await migrateStore(store.url, catalogue)).toEqual([]);
  });

  test('takes up one that was interrupted', async () => {
    await store.query('DROP INDEX quotes_now_by_type, quotes_now_by_since');
    const builds = await migrateStore(store.url, catalogue, { isDryRun: true });
    const [byType = '', bySince = ''] = builds;
    await store.query(byType);
    // What is left of a build that did not end.
    await store.query(bySince);
    await store.query(
      "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'quotes_now_by_since'::regclass",
    );
    const statements = await migrateStore(store.url, catalogue);
    expect(statements).toEqual(['DROP INDEX CONCURRENTLY quotes_now_by_since', bySince]);
    for (const name of ['quotes_now_by_type', 'quotes_now_by_since'])
      expect(await findIndex(store, name)).toEqual({ isValid: true });
    expect(await migrateStore(store.url, catalogue)).toEqual([]);
  });

  test('leaves a database of a newer version alone', async () => {
    await store.query('DROP INDEX quotes_now_by_isin');
    await store.query('UPDATE tenor_schema SET version = 99');
    for (const open of [migrateStore, openStore])
      await expect(open(store.url, catalogue)).rejects.toThrow(
        /version 99, .* use a newer Tenor, or restore a backup .*pg_dump on PostgreSQL\)$/,
      );
    await store.query(`UPDATE tenor_schema SET version = ${getSchemaVersion()}`);
    expect(await findIndex(store, 'quotes_now_by_isin')).toBeUndefined();
    expect(await migrateStore(store.url, catalogue)).not.toEqual([]);
  });

  test('is made of single statements, since a cluster accepts no others', async () => {
    const url = await (await getSharedPostgres()).createDatabase();
    const statements = await migrateStore(url, catalogue, { isDryRun: true });
    expect(statements.length).toBeGreaterThan(50);
    for (const sql of statements) if (!sql.startsWith('DO $$')) expect(sql).not.toContain(';');
    await (await getSharedPostgres()).dropDatabase(url);
  });
});

async function findIndex({ query }: TestStore, name: string) {
  const [row] = await query(`SELECT indisvalid AS "isValid" FROM pg_index
    WHERE indexrelid = to_regclass('${name}')`);
  return row;
}
