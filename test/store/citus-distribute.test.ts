import { afterEach, describe, expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import { publishRecords } from '../../src/publish/publish-records.ts';
import { migrateStore, openInspector, openStore, type Store } from '../../src/store/open-store.ts';
import {
  createClusterDatabase,
  dropClusterDatabase,
  explainMissingCitus,
} from '../support/citus.ts';
import { closeAfterEach } from '../support/close-after-each.ts';
import { readFixture } from '../support/fixtures.ts';
import { runSql } from '../support/postgres/databases.ts';
import { publishHistory, readEverything } from '../support/published-history.ts';
import { quote } from '../support/quote-fixture.ts';

const { closing } = closeAfterEach();
const publication = { source: 'test', author: 'test' };
/** The one that a migration has entered in the ledger: what is compared is all else. */
const newDataset: Dataset = { ...quotes, name: 'other-quotes' };

function citusTest(title: string, run: () => Promise<void>): void {
  test(title, run, 120_000);
}

describe.skipIf(explainMissingCitus() !== undefined)('distributing a database', () => {
  const databases: string[] = [];
  afterEach(async () => {
    for (const name of databases.splice(0)) await dropClusterDatabase(name);
  });
  const publishQuote = (store: Store, symbol: string) => {
    const records = [quote({ symbol })];
    return publishRecords(closing(store.publisher()), { ...publication, dataset: quotes, records });
  };
  const createDatabase = async () => {
    const name = `tenor_test_own_${crypto.randomUUID().replaceAll('-', '')}`;
    databases.push(name);
    return createClusterDatabase(name);
  };

  citusTest('keeps every response, and is done once', async () => {
    const url = await createDatabase();
    await publishHistory(await openStore(url, catalogue));
    const before = await readEverything(await openStore(url, catalogue));
    const statements = await migrateStore(url, catalogue, { distribute: true });
    expect(statements.join()).toContain("create_distributed_table('quotes_now', 'symbol_key'");
    expect(await readEverything(await openStore(url, catalogue))).toEqual(before);
    expect(await migrateStore(url, catalogue, { distribute: true })).toEqual([]);
    expect(await migrateStore(url, catalogue)).toEqual([]);
    const kinds = await runSql(
      url,
      'SELECT partmethod AS kind, count(*)::integer AS count FROM pg_dist_partition GROUP BY 1 ORDER BY 1',
    );
    // Nine shared tables, and the summary by days.
    const referenceTables =
      9 + 1 + 2 * catalogue.filter(({ shape }) => shape !== 'quotes' && shape !== 'series').length;
    // Quotes and observations: those of now, of the past, and staged; and the summary by securities.
    expect([...kinds]).toEqual([
      { kind: 'h', count: 7 },
      { kind: 'n', count: referenceTables },
    ]);
    const [localTable] = await runSql(url, "SELECT pg_relation_size('quotes_now') AS bytes");
    expect(Number(localTable?.bytes)).toBe(0);
  });

  citusTest(
    'is up to date with the role of a reader, which Citus cannot grant a column',
    async () => {
      const url = await createDatabase();
      const readers = await runSql(url, "SELECT 1 FROM pg_roles WHERE rolname = 'tenor_reader'");
      // It is kept, as databases are: privileges in any of them would keep it from being dropped.
      if (readers.length === 0) await runSql(url, 'CREATE ROLE tenor_reader');
      await migrateStore(url, catalogue, { distribute: true });
      expect(await migrateStore(url, catalogue)).toEqual([]);
    },
  );

  citusTest('is migrated with a pending revision', async () => {
    const url = await createDatabase();
    await migrateStore(url, catalogue, { distribute: true });
    await publishQuote(await openStore(url, catalogue), 'EARLY');
    for (const sql of [
      'DROP INDEX quotes_now_by_isin',
      'INSERT INTO tenor_unsettled SELECT revision, row_to_json(entry) FROM revisions AS entry',
      'DELETE FROM revisions',
    ])
      await runSql(url, sql);
    const store = await openStore(url, catalogue);
    const ledger = await closing(store.reader()).revisions();
    expect(ledger.map(({ revision, dataset }) => [revision, dataset])).toEqual([[1, 'quotes']]);
    expect((await publishQuote(store, 'LATE'))?.revision).toBe(2);
  });

  citusTest('has a missing index built on every shard', async () => {
    const url = await createDatabase();
    await migrateStore(url, catalogue, { distribute: true });
    await publishHistory(await openStore(url, catalogue));
    const before = await readEverything(await openStore(url, catalogue));
    await runSql(url, 'DROP INDEX quotes_now_by_isin');
    expect(await migrateStore(url, catalogue)).toEqual([
      'CREATE INDEX CONCURRENTLY quotes_now_by_isin ON quotes_now (isin_key, date, symbol DESC)',
    ]);
    expect(await readEverything(await openStore(url, catalogue))).toEqual(before);
    expect(await migrateStore(url, catalogue)).toEqual([]);
    const definitions = await runSql(
      url,
      `SELECT DISTINCT result FROM run_command_on_shards('quotes_now', $$SELECT string_agg(
        regexp_replace(indexdef, '.* USING', ''), '') FROM pg_indexes
        WHERE tablename = '%s' AND indexname LIKE 'quotes_now_by_isin%%'$$)`,
    );
    expect([...definitions]).toEqual([{ result: ' btree (isin_key, date, symbol DESC)' }]);
  });

  citusTest('is found by date and symbol through the typed view', async () => {
    const url = await createDatabase();
    await migrateStore(url, catalogue, { distribute: true });
    await publishHistory(await openStore(url, catalogue));
    const [first] = await runSql(
      url,
      'SELECT date::text, symbol FROM quotes ORDER BY 1, 2 LIMIT 1',
    );
    const sql = `SELECT count(*)::integer AS count FROM quotes
      WHERE date = '${first?.date}' AND symbol = '${first?.symbol}'`;
    expect([...(await runSql(url, sql))]).toEqual([{ count: 1 }]);
  });

  citusTest('is rejected while other processes of Tenor are connected', async () => {
    const url = await createDatabase();
    const reader = (await openStore(url, catalogue)).reader();
    await reader.revision();
    const migration = migrateStore(url, catalogue, { distribute: true });
    await expect(migration).rejects.toThrow('stop them first');
    reader.close();
    expect(await migrateStore(url, catalogue, { distribute: true })).not.toEqual([]);
  });

  citusTest('copies the tables of a new dataset to every node', async () => {
    const url = await createDatabase();
    await migrateStore(url, catalogue, { distribute: true });
    const statements = await migrateStore(url, [...catalogue, newDataset]);
    expect(statements.join()).toContain("create_distributed_table('other_quotes_now'");
    const store = await openStore(url, [...catalogue, newDataset]);
    await publishRecords(closing(store.publisher()), {
      ...publication,
      dataset: newDataset,
      records: readFixture(quotes),
    });
    const batches = await Array.fromAsync(closing(store.reader()).records(newDataset));
    expect(batches.flat()).toHaveLength(readFixture(quotes).length);
  });

  citusTest('is not inspected before the tables of a new dataset are created', async () => {
    const url = await createDatabase();
    await migrateStore(url, catalogue, { distribute: true });
    const inspection = openInspector(url, [...catalogue, newDataset]);
    await expect(inspection).rejects.toThrow(/lacks tables.*run tenor migrate/);
  });

  citusTest('is rejected without workers', async () => {
    const url = await createDatabase();
    const nodes = await runSql(
      url,
      'SELECT nodename, nodeport FROM pg_dist_node WHERE groupid > 0',
    );
    for (const { nodename, nodeport } of nodes) {
      await runSql(url, `SELECT citus_remove_node('${nodename}', ${nodeport})`);
    }
    const migration = migrateStore(url, catalogue, { distribute: true });
    await expect(migration).rejects.toThrow(/^cannot distribute .*there are no workers/);
    expect(await runSql(url, "SELECT 1 FROM pg_class WHERE relname = 'revisions'")).toHaveLength(0);
  });
});
