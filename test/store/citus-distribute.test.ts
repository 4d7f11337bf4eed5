import { afterEach, describe, expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import { checkDatabase } from '../../src/publish/check/check-database.ts';
import { publishRecords } from '../../src/publish/publish-records.ts';
import { getStorageTable } from '../../src/schema/storage-table.ts';
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
const REMOVE_CONVENTIONS_REVISION = "DELETE FROM revisions WHERE author = 'tenor migrate'";
const fund = catalogue.find(({ shape }) => shape === 'fund') as Dataset;
const newDataset = { ...fund, name: 'other-funds' };

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

  citusTest('is upgraded from the version before summaries', async () => {
    const url = await createDatabase();
    await migrateStore(url, catalogue, { distribute: true });
    await publishHistory(await openStore(url, catalogue));
    const before = await readEverything(await openStore(url, catalogue));
    for (const sql of [
      'DROP TABLE quotes_days, quotes_securities, quotes_now_staged, archived_terms CASCADE',
      'CREATE INDEX quotes_now_by_spelling ON quotes_now (symbol)',
      'CREATE INDEX quotes_past_by_spelling ON quotes_past (symbol)',
      'ALTER TABLE revisions DROP COLUMN options',
      'DROP TABLE revision_digests, ledger_hashes, ledger_keys, ledger_signers',
      'ALTER TABLE tokens DROP COLUMN target',
      'UPDATE tenor_schema SET version = 10',
    ])
      await runSql(url, sql);
    await migrateStore(url, catalogue);
    await runSql(url, REMOVE_CONVENTIONS_REVISION);
    const store = await openStore(url, catalogue);
    expect(await readEverything(store)).toEqual(before);
    const inspector = store.inspector();
    expect((await checkDatabase(inspector, catalogue)).faults).toEqual([]);
    inspector.close();
    await migrateStore(url, catalogue);
    expect(
      await runSql(url, "SELECT relname FROM pg_class WHERE relname LIKE '%by_spelling'"),
    ).toHaveLength(0);
  });

  citusTest(
    'is upgraded from the version before reference data, with a pending revision',
    async () => {
      const url = await createDatabase();
      await migrateStore(url, catalogue, { distribute: true });
      const store = await openStore(url, catalogue);
      await publishQuote(store, 'EARLY');
      const terms = '{"symbol":"EARLY","couponRate":8,"couponFrequency":2,"pricing":null}';
      for (const sql of [
        'DROP TABLE archived_terms, securities_now, securities_past, funds_now, funds_past CASCADE',
        'CREATE TABLE security_terms_now (symbol_key TEXT PRIMARY KEY, record TEXT NOT NULL, since INTEGER NOT NULL)',
        "SELECT create_reference_table('security_terms_now')",
        `INSERT INTO security_terms_now VALUES ('EARLY', '${terms}', 1)`,
        'ALTER TABLE revisions DROP COLUMN options',
        'DROP TABLE revision_digests, ledger_hashes, ledger_keys, ledger_signers',
        'ALTER TABLE tokens DROP COLUMN target',
        'INSERT INTO tenor_unsettled SELECT revision, row_to_json(entry) FROM revisions AS entry',
        'DELETE FROM revisions',
        'UPDATE tenor_schema SET version = 12',
      ])
        await runSql(url, sql);
      const upgraded = await openStore(url, catalogue);
      const ledger = await closing(upgraded.reader()).revisions();
      expect(ledger.map(({ revision, dataset }) => [revision, dataset])).toEqual([
        [3, 'securities'],
        [2, 'securities'],
        [1, 'quotes'],
      ]);
      expect((await publishQuote(upgraded, 'LATE'))?.revision).toBe(4);
    },
  );

  citusTest(
    'is upgraded from the version in which each series had tables, with a pending revision',
    async () => {
      const url = await createDatabase();
      await migrateStore(url, catalogue, { distribute: true });
      await publishHistory(await openStore(url, catalogue));
      const series = catalogue.filter(({ shape }) => shape === 'series');
      const [last = series[0]] = series.slice(-1);
      await publishRecords(closing((await openStore(url, catalogue)).publisher()), {
        ...publication,
        dataset: last as Dataset,
        records: [(last as Dataset).example],
      });
      const before = await readEverything(await openStore(url, catalogue));
      const replaced = series.flatMap((dataset) =>
        (['now', 'past'] as const).flatMap((suffix) => {
          const name = `${getStorageTable(dataset).view}_${suffix}`;
          const columns = `place, record, since${suffix === 'past' ? ', until' : ''}`;
          return [
            `CREATE TABLE ${name} AS SELECT ${columns} FROM observations_${suffix} WHERE dataset = '${dataset.name}'`,
            `SELECT create_reference_table('${name}')`,
          ];
        }),
      );
      for (const sql of replaced) await runSql(url, sql);
      for (const { view } of series.map(getStorageTable)) {
        const [row] = await runSql(url, `SELECT pg_get_viewdef('${view}') AS sql`);
        const [select = ''] = String(row?.sql)
          .replaceAll('observations_now', `${view}_now`)
          .split('WHERE');
        await runSql(url, `CREATE OR REPLACE VIEW ${view} AS ${select}`);
        await runSql(url, `COMMENT ON VIEW ${view} IS NULL`);
      }
      for (const sql of [
        'DROP TABLE observations_now, observations_past, observations_now_staged CASCADE',
        'DROP TABLE revision_digests, ledger_hashes, ledger_keys, ledger_signers',
        `INSERT INTO tenor_unsettled SELECT revision, row_to_json(entry) FROM revisions AS entry
          WHERE revision = (SELECT max(revision) FROM revisions)`,
        'DELETE FROM revisions WHERE revision = (SELECT max(revision) FROM revisions)',
        'UPDATE tenor_schema SET version = 15',
      ])
        await runSql(url, sql);
      await migrateStore(url, catalogue);
      await runSql(url, REMOVE_CONVENTIONS_REVISION);
      expect(await readEverything(await openStore(url, catalogue))).toEqual(before);
      expect(
        (await migrateStore(url, catalogue)).filter((sql) => /^DROP TABLE/.test(sql)),
      ).toHaveLength(2 * series.length);
      expect(await migrateStore(url, catalogue)).toEqual([]);
    },
  );

  citusTest('has an index replaced on every shard, whatever an interrupted run left', async () => {
    const url = await createDatabase();
    await migrateStore(url, catalogue, { distribute: true });
    await publishHistory(await openStore(url, catalogue));
    const before = await readEverything(await openStore(url, catalogue));
    for (const sql of [
      'DROP INDEX quotes_now_by_isin',
      'CREATE INDEX quotes_now_by_isin ON quotes_now (isin_key)',
      'CREATE INDEX quotes_now_by_isin_new ON quotes_now (symbol)',
    ])
      await runSql(url, sql);
    expect((await migrateStore(url, catalogue)).slice(0, 3)).toEqual([
      'DROP INDEX CONCURRENTLY quotes_now_by_isin_new',
      'CREATE INDEX CONCURRENTLY quotes_now_by_isin_new ON quotes_now (isin_key, date, symbol DESC)',
      'BEGIN',
    ]);
    const store = await openStore(url, catalogue);
    expect(await readEverything(store)).toEqual(before);
    expect(await migrateStore(url, catalogue)).toEqual([
      'DROP INDEX CONCURRENTLY quotes_now_by_isin_old',
    ]);
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
    expect(statements).toContain("SELECT create_reference_table('other_funds_now')");
    const store = await openStore(url, [...catalogue, newDataset]);
    await publishRecords(closing(store.publisher()), {
      ...publication,
      dataset: newDataset,
      records: readFixture(fund),
    });
    const batches = await Array.fromAsync(closing(store.reader()).records(newDataset));
    expect(batches.flat()).toHaveLength(readFixture(fund).length);
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
