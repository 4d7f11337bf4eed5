import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { SQL } from 'bun';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import { publishRecords } from '../../src/publish/publish-records.ts';
import { revertRevision } from '../../src/publish/revert-revision.ts';
import type { Store, StoredToken } from '../../src/store/open-store.ts';
import { migrateStore, openStore, StoreUnusableError } from '../../src/store/open-store.ts';
import { closeAfterEach } from '../support/close-after-each.ts';
import { readFixture } from '../support/fixtures.ts';
import type { PostgresServer } from '../support/postgres.ts';
import { explainMissingBinaries, startPostgres } from '../support/postgres.ts';
import { quote } from '../support/quote-fixture.ts';

const { closing } = closeAfterEach();
const about = { source: 'test', author: 'test' };
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
};

describe.skipIf(explainMissingBinaries() !== undefined)('roles', () => {
  let server: PostgresServer;
  let url: string;
  const as = (role: string) => {
    const at = new URL(url);
    at.username = role;
    return at.href;
  };
  const ask = async (role: string, sql: string) => {
    const connection = new SQL(as(role), { max: 1 });
    try {
      return await connection.unsafe(sql);
    } finally {
      await connection.close();
    }
  };

  beforeAll(async () => {
    server = await startPostgres();
    url = await server.createDatabase();
    await migrateStore(url, catalogue);
    await ask('postgres', 'CREATE ROLE tenor_reader LOGIN');
    await ask('postgres', 'CREATE ROLE tenor_publisher LOGIN');
  }, 60_000);
  afterAll(() => server?.stop());

  test('that are made later get what they need from the next migration', async () => {
    await expect(openStore(as('tenor_reader'), catalogue)).rejects.toBeInstanceOf(
      StoreUnusableError,
    );
    const trial = await migrateStore(url, catalogue, { isDryRun: true });
    expect(trial.join()).toContain('TO tenor_reader');
    expect(await migrateStore(url, catalogue)).toEqual(trial);
    expect(await migrateStore(url, catalogue)).toEqual([]);
    await openStore(as('tenor_reader'), catalogue);
    await openStore(as('tenor_publisher'), catalogue);
  });

  test('let a publisher load, retire, revert and issue tokens', async () => {
    const store = await openStore(as('tenor_publisher'), catalogue);
    const publisher = closing(store.publisher());
    for (const dataset of catalogue) {
      await publishRecords(publisher, { ...about, dataset, records: readFixture(dataset) });
    }
    const terms = new Map([['A', { couponRate: 5, couponFrequency: 2, pricing: null }]]);
    const learned = { ...about, dataset: quotes, finalize: async () => ({ terms }) };
    expect(await publisher.publish(learned)).toMatchObject({ dataset: 'quotes' });
    const records = [quote({ symbol: 'NEW' })];
    const added = await publishRecords(publisher, {
      ...about,
      dataset: quotes,
      records,
      replace: true,
    });
    expect(added).toMatchObject({ added: 1 });
    await revertRevision(publisher, catalogue, { revision: added?.revision ?? 0, author: 'test' });
    const retired = [['2024-01-01', 'NEW']];
    expect(
      await publisher.publish({ ...about, dataset: quotes, retiredKeys: retired }),
    ).toBeUndefined();
    const tokens = closing(store.tokens());
    await tokens.add(token);
    await tokens.setEnd('one', { expiresAt: '2099-01-01T00:00:00.000Z' });
    expect(await tokens.all()).toHaveLength(1);
  }, 30_000);

  test('let a server read, and note when tokens were used, and nothing else', async () => {
    const store = await openStore(as('tenor_reader'), catalogue);
    const reader = closing(store.reader());
    for (const dataset of catalogue) await expectReadable(store, dataset);
    expect((await reader.secret()).length).toBe(32);
    const tokens = closing(store.tokens());
    await tokens.recordLastUsed(new Map([['one', '2024-05-05T00:00:00.000Z']]));
    expect(await tokens.all()).toMatchObject([{ lastUsedAt: '2024-05-05T00:00:00.000Z' }]);
    const add = tokens.add({ ...token, id: 'two', digest: 'e'.repeat(64) });
    await expect(add).rejects.toBeInstanceOf(StoreUnusableError);
    const load = publishRecords(closing(store.publisher()), {
      ...about,
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
      'DROP TABLE quotes_now',
    ]) {
      await expect(ask('tenor_reader', statement)).rejects.toThrow(
        /permission denied|must be owner/,
      );
    }
  }, 30_000);

  test('reach the tables of a dataset that is new', async () => {
    const series = catalogue.find(({ shape }) => shape === 'series') as Dataset;
    const more = [...catalogue, { ...series, name: 'eleventh-series' }];
    const refused = openStore(as('tenor_reader'), more);
    await expect(refused).rejects.toThrow(/run tenor migrate with the role that owns the tables/);
    const statements = await migrateStore(url, more);
    expect(statements.join()).toContain('CREATE TABLE eleventh_series_now');
    const dataset = more.at(-1) as Dataset;
    const publisher = closing((await openStore(as('tenor_publisher'), more)).publisher());
    await publishRecords(publisher, { ...about, dataset, records: readFixture(series) });
    await expectReadable(await openStore(as('tenor_reader'), more), dataset);
  }, 30_000);

  async function expectReadable(store: Store, dataset: Dataset): Promise<void> {
    const texts: string[] = [];
    for await (const batch of closing(store.reader()).records(dataset)) texts.push(...batch);
    expect([dataset.name, texts.length]).not.toEqual([dataset.name, 0]);
  }
});
