import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { SQL } from 'bun';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { migrateStore, openStore, StoreBusyError } from '../../src/store/open-store.ts';
import { SCHEMA_VERSION } from '../../src/store/postgres/schema/migrate-schema.ts';
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

  test('throws StoreBusyError while another connection has locked a table', async () => {
    await store.query('DROP INDEX quotes_past_by_until');
    const lockHolder = new SQL(store.url, { max: 1 });
    await lockHolder.unsafe('BEGIN; LOCK TABLE quotes_past IN ACCESS SHARE MODE').simple();
    await lockHolder.unsafe('LOCK TABLE quotes_past IN ROW EXCLUSIVE MODE');
    await expect(openStore(store.url, catalogue)).rejects.toThrow('the tables are in use');
    await lockHolder.unsafe('ROLLBACK');
    await lockHolder.close();
    await openStore(store.url, catalogue);
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
    await store.query(`UPDATE tenor_schema SET version = ${SCHEMA_VERSION}`);
    expect(statements.length).toBeGreaterThan(9);
    for (const sql of statements) if (!sql.startsWith('DO $$')) expect(sql).not.toContain(';');
  });
});
