import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { SQL } from 'bun';
import { quotes } from '../../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../../src/catalogue/index.ts';
import type { Dataset } from '../../../src/catalogue/model/dataset.ts';
import { publishRecords } from '../../../src/publish/publish-records.ts';
import { revertRevision } from '../../../src/publish/revert-revision.ts';
import {
  migrateStore,
  openStore,
  type Store,
  type StoredToken,
  StoreUnusableError,
} from '../../../src/store/open-store.ts';
import { closeAfterEach } from '../../support/close-after-each.ts';
import { retryUntil } from '../../support/eventually.ts';
import { readFixture } from '../../support/fixtures.ts';
import {
  explainMissingBinaries,
  type PostgresServer,
  startPostgres,
} from '../../support/postgres.ts';
import { quote } from '../../support/quote-fixture.ts';

const { closing } = closeAfterEach();
const publication = { source: 'test', author: 'test' };
const token: StoredToken = {
  id: 'one',
  name: 'one',
  digest: 'd'.repeat(64),
  scopes: ['quotes'],
  rate: null,
  createdAt: '2024-01-01T00:00:00.000Z',
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
  target: null,
  mayShare: false,
  mayFollowTokens: false,
  isOfSource: false,
  isLeased: false,
};

describe.skipIf(explainMissingBinaries() !== undefined)('the database roles', () => {
  let server: PostgresServer;
  let url: string;
  const withRole = (role: string) => {
    const roleUrl = new URL(url);
    roleUrl.username = role;
    return roleUrl.href;
  };
  const execute = async (role: string, sql: string) => {
    const connection = new SQL(withRole(role), { max: 1 });
    try {
      return await connection.unsafe(sql);
    } finally {
      await connection.close();
    }
  };

  beforeAll(async () => {
    server = await startPostgres({ settings: { logging_collector: 'on' } });
    url = await server.createDatabase();
    await migrateStore(url, catalogue);
    await execute('postgres', 'CREATE ROLE tenor_reader LOGIN');
    await execute('postgres', 'CREATE ROLE tenor_publisher LOGIN');
  }, 120_000);
  afterAll(() => server?.stop());

  test('get their privileges from the next migration, if they were created later', async () => {
    await expect(openStore(withRole('tenor_reader'), catalogue)).rejects.toBeInstanceOf(
      StoreUnusableError,
    );
    const statements = await migrateStore(url, catalogue, { isDryRun: true });
    expect(statements.join()).toContain('TO tenor_reader');
    expect(await migrateStore(url, catalogue)).toEqual(statements);
    expect(await migrateStore(url, catalogue)).toEqual([]);
    await openStore(withRole('tenor_reader'), catalogue);
    await openStore(withRole('tenor_publisher'), catalogue);
  });

  test('allow a publisher to load, retire, revert and issue tokens', async () => {
    const store = await openStore(withRole('tenor_publisher'), catalogue);
    const publisher = closing(store.publisher());
    for (const dataset of catalogue) {
      await publishRecords(publisher, { ...publication, dataset, records: readFixture(dataset) });
    }
    const records = [quote({ symbol: 'NEW' })];
    const added = await publishRecords(publisher, {
      ...publication,
      dataset: quotes,
      records,
      replace: true,
    });
    expect(added).toMatchObject({ added: 1 });
    await revertRevision(publisher, catalogue, { revision: added?.revision ?? 0, author: 'test' });
    const retiredKeys = [['2024-01-01', 'NEW']];
    const retirement = { ...publication, dataset: quotes, retiredKeys };
    expect(await publisher.publish(retirement)).toBeUndefined();
    const tokens = closing(store.tokens());
    await tokens.add(token);
    await tokens.update('one', { expiresAt: '2099-01-01T00:00:00.000Z' });
    expect(await tokens.all()).toHaveLength(1);
  }, 120_000);

  test('allow a server to read and to record when tokens were used, and nothing else', async () => {
    const store = await openStore(withRole('tenor_reader'), catalogue);
    const reader = closing(store.reader());
    for (const dataset of catalogue) await expectReadable(store, dataset);
    expect((await reader.secret()).length).toBe(32);
    const tokens = closing(store.tokens());
    await tokens.recordLastUsed(new Map([['one', '2024-05-05T00:00:00.000Z']]));
    expect(await tokens.all()).toMatchObject([{ lastUsedAt: '2024-05-05T00:00:00.000Z' }]);
    const add = tokens.add({ ...token, id: 'two', digest: 'e'.repeat(64) });
    await expect(add).rejects.toBeInstanceOf(StoreUnusableError);
    const load = publishRecords(closing(store.publisher()), {
      ...publication,
      dataset: quotes,
      records: [quote({ symbol: 'READER' })],
    });
    await expect(load).rejects.toBeInstanceOf(StoreUnusableError);
    for (const statement of [
      'UPDATE tokens SET revoked_at = NULL',
      'DELETE FROM tokens',
      'DELETE FROM revisions',
      'DELETE FROM quotes_past',
      'UPDATE quotes_now SET record = record',
      'UPDATE secrets SET value = value',
      'UPDATE tenor_schema SET version = 0',
      'SELECT line FROM ledger_signers',
      'DROP TABLE quotes_now',
    ]) {
      await expect(execute('tenor_reader', statement)).rejects.toThrow(
        /permission denied|must be owner/,
      );
    }
  }, 120_000);

  test('let a server that may not write tokens or their last use leave the log of the database alone', async () => {
    const readLog = async () => {
      const [row] = await execute('postgres', 'SELECT pg_read_file(pg_current_logfile()) AS log');
      return String(row.log);
    };
    const store = await openStore(withRole('tenor_reader'), catalogue);
    await execute('postgres', 'REVOKE UPDATE (last_used_at) ON tokens FROM tenor_reader');
    const before = await readLog();
    const tokens = closing(store.tokens());
    await tokens.recordLastUsed(new Map([['one', '2025-05-05T00:00:00.000Z']]));
    await expect(tokens.add({ ...token, id: 'two' })).rejects.toBeInstanceOf(StoreUnusableError);
    // The log is written in the order of events, by another process.
    await execute('postgres', "DO $$ BEGIN RAISE LOG 'the end'; END $$");
    await retryUntil(10_000, async () => expect(await readLog()).toContain('the end'));
    expect((await readLog()).slice(before.length)).not.toContain('ERROR');
    await execute('postgres', 'GRANT UPDATE (last_used_at) ON tokens TO tenor_reader');
  });

  test('get privileges on the tables of a new dataset', async () => {
    const extendedCatalogue = [...catalogue, { ...quotes, name: 'other-quotes' }];
    const opened = openStore(withRole('tenor_reader'), extendedCatalogue);
    await expect(opened).rejects.toThrow(/run tenor migrate with the role that owns the tables/);
    const statements = await migrateStore(url, extendedCatalogue);
    expect(statements.join()).toContain('CREATE TABLE other_quotes_now');
    const dataset = extendedCatalogue.at(-1) as Dataset;
    const publisher = closing(
      (await openStore(withRole('tenor_publisher'), extendedCatalogue)).publisher(),
    );
    await publishRecords(publisher, { ...publication, dataset, records: readFixture(quotes) });
    await expectReadable(await openStore(withRole('tenor_reader'), extendedCatalogue), dataset);
  }, 120_000);

  async function expectReadable(store: Store, dataset: Dataset): Promise<void> {
    const batches = await Array.fromAsync(closing(store.reader()).records(dataset));
    expect([dataset.name, batches.length]).not.toEqual([dataset.name, 0]);
  }
});
