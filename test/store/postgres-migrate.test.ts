import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { SQL } from 'bun';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { migrateStore, openStore, StoreBusyError } from '../../src/store/open-store.ts';
import { POSTGRES_SCHEMA_VERSION } from '../../src/store/postgres/schema/schema-changes.ts';
import { retryUntil } from '../support/eventually.ts';
import { explainMissingPostgres } from '../support/postgres.ts';
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
      expect(await findIndex(store, 'quotes_past_by_until_new')).toBeDefined(),
    );
    const reader = store.reader();
    const { entries } = await reader.corrections(quotes, { limit: 1 });
    expect(entries).toEqual([]);
    reader.close();
    expect(await findIndex(store, 'quotes_past_by_until')).toBeUndefined();
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

  test('keeps an index that it replaces until the next run, for servers of the version before', async () => {
    await store.query('DROP INDEX quotes_now_by_isin');
    await store.query('CREATE INDEX quotes_now_by_isin ON quotes_now (isin_key)');
    const replacement = await migrateStore(store.url, catalogue, { isDryRun: true });
    expect(replacement.slice(0, 3)).toEqual([
      'CREATE INDEX CONCURRENTLY quotes_now_by_isin_new ON quotes_now (isin_key, date, symbol DESC)',
      'BEGIN',
      expect.stringContaining('pg_advisory_xact_lock'),
    ]);
    expect(await migrateStore(store.url, catalogue)).toEqual(replacement);
    await openStore(store.url, catalogue);
    expect(await findIndex(store, 'quotes_now_by_isin_old')).toEqual({ isValid: true });
    const drop = ['DROP INDEX CONCURRENTLY quotes_now_by_isin_old'];
    expect(await migrateStore(store.url, catalogue, { isDryRun: true })).toEqual(drop);
    expect(await migrateStore(store.url, catalogue)).toEqual(drop);
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
      "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'quotes_now_by_since_new'::regclass",
    );
    const statements = await migrateStore(store.url, catalogue);
    expect(statements.slice(0, 3)).toEqual([
      'DROP INDEX CONCURRENTLY quotes_now_by_since_new',
      bySince,
      'BEGIN',
    ]);
    for (const name of ['quotes_now_by_type', 'quotes_now_by_since'])
      expect(await findIndex(store, name)).toEqual({ isValid: true });
    expect(await migrateStore(store.url, catalogue)).toEqual([]);
  });

  test('recognises an index that an administrator created anew', async () => {
    const [index] = await store.query(
      "SELECT indexdef AS sql FROM pg_indexes WHERE indexname = 'quotes_now_by_symbol'",
    );
    await store.query('DROP INDEX quotes_now_by_symbol');
    await store.query(String(index?.sql));
    expect(await migrateStore(store.url, catalogue, { isDryRun: true })).toEqual([]);
  });

  test('leaves the indexes of a newer version alone', async () => {
    await store.query('DROP INDEX quotes_now_by_isin');
    await store.query('CREATE INDEX quotes_now_by_isin ON quotes_now (isin_key)');
    await store.query('UPDATE tenor_schema SET version = 99');
    for (const open of [migrateStore, openStore])
      await expect(open(store.url, catalogue)).rejects.toThrow(
        /version 99, .* use a newer Tenor, or restore a backup .*pg_dump on PostgreSQL\)$/,
      );
    await store.query(`UPDATE tenor_schema SET version = ${POSTGRES_SCHEMA_VERSION}`);
    expect(await findIndex(store, 'quotes_now_by_isin_new')).toBeUndefined();
    expect(await migrateStore(store.url, catalogue)).not.toEqual([]);
    await migrateStore(store.url, catalogue);
  });

  test('gives the tables of an earlier version the settings of new ones', async () => {
    const readSettings = () =>
      store.query("SELECT reloptions::text AS settings FROM pg_class WHERE relname = 'quotes_now'");
    const settings = await readSettings();
    expect(settings).toEqual([{ settings: expect.stringContaining('autovacuum_vacuum_insert') }]);
    await store.query(`ALTER TABLE quotes_now RESET
      (autovacuum_vacuum_insert_scale_factor, autovacuum_vacuum_insert_threshold)`);
    await store.query("COMMENT ON TABLE quotes_now IS 'made by Tenor, earlier'");
    await openStore(store.url, catalogue);
    expect(await readSettings()).toEqual(settings);
  });

  test('is made of single statements, since a cluster accepts no others', async () => {
    await store.query('UPDATE tenor_schema SET version = 2');
    const statements = await migrateStore(store.url, catalogue, { isDryRun: true });
    await store.query(`UPDATE tenor_schema SET version = ${POSTGRES_SCHEMA_VERSION}`);
    expect(statements.length).toBeGreaterThan(9);
    for (const sql of statements) if (!sql.startsWith('DO $$')) expect(sql).not.toContain(';');
  });
});

async function findIndex({ query }: TestStore, name: string) {
  const [row] = await query(`SELECT indisvalid AS "isValid" FROM pg_index
    WHERE indexrelid = to_regclass('${name}')`);
  return row;
}
