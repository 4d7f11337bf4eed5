import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { SQL } from 'bun';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { publishRecords } from '../../src/publish/publish-records.ts';
import { StoreUnusableError } from '../../src/store/open-store.ts';
import { closeAfterEach } from '../support/close-after-each.ts';
import { retryUntil } from '../support/eventually.ts';
import { explainMissingPostgres } from '../support/postgres.ts';
import { quote } from '../support/quote-fixture.ts';
import { createPostgresStore, createStore, type TestStore } from '../support/store.ts';
import { startTestServer } from '../support/test-server.ts';

const { closing, removing } = closeAfterEach();

async function migratePostgres({ url }: TestStore): Promise<void> {
  await using connection = new SQL(url, { max: 1 });
  await connection`UPDATE tenor_schema SET version = 99`;
}

function migrateFile(path: string): void {
  using database = new Database(path);
  database.run('PRAGMA user_version = 99');
}

describe('a publisher that was opened before a newer Tenor migrated the database', () => {
  async function expectRejection(store: TestStore, migrate: () => Promise<void> | void) {
    const publisher = closing(store.publisher());
    const publish = (symbol: string) =>
      publishRecords(publisher, {
        dataset: quotes,
        records: [quote({ symbol })],
        source: 'test',
        author: 'test',
      });
    await publish('ZZ1');
    await migrate();
    for (const symbol of ['ZZ2', 'ZZ3']) {
      const publication = publish(symbol);
      await expect(publication).rejects.toThrow(StoreUnusableError);
      await expect(publication).rejects.toThrow(
        /^nothing was published: .* to schema 99, .*use the newer one$/,
      );
    }
    expect(await closing(store.reader()).revision()).toBe(1);
  }

  test('publishes nothing to SQLite', async () => {
    const store = removing(await createStore());
    await expectRejection(store, () => migrateFile(store.path));
  });

  test.skipIf(explainMissingPostgres() !== undefined)(
    'publishes nothing to PostgreSQL',
    async () => {
      const store = removing(await createPostgresStore());
      await expectRejection(store, () => migratePostgres(store));
    },
    30_000,
  );
});

describe('a server whose database a newer Tenor has migrated', () => {
  async function expectEnd(store: TestStore, migrate: () => Promise<void> | void) {
    await using server = await startTestServer(store);
    const request = (path: string) => server.request(path).then(({ status }) => status);
    expect(await request('/2.0/bnb/quote')).toBe(200);
    expect(await request('/2.0/bnb/quote')).toBe(200);
    await migrate();
    await retryUntil(5_000, async () => expect(await request('/ready')).toBe(503));
    expect((await server.getJson('/ready')).reasons).toEqual(['store_migrated']);
    // What is cached, and what needs no data: the token may be revoked.
    for (const path of [
      '/2.0/bnb/quote',
      '/openapi.json',
      '/catalogue',
      '/links/aaaaaaaaaaaaaaaaaaaa',
    ])
      expect([path, await request(path)]).toEqual([path, path === '/openapi.json' ? 200 : 503]);
    // No poll after the first says it again, or fails.
    await Bun.sleep(600);
    const said = server.events.filter(({ event }) => /^(store|watch|tokens)\./.test(event));
    expect(said).toEqual([{ event: 'store.migrated', from: store.schema.version, to: 99 }]);
  }

  test('says so once and responds 503, on SQLite', async () => {
    const store = await createStore();
    await expectEnd(store, () => migrateFile(store.path));
  });

  test.skipIf(explainMissingPostgres() !== undefined)(
    'says so once and responds 503, on PostgreSQL',
    async () => {
      const store = await createPostgresStore();
      await expectEnd(store, () => migratePostgres(store));
    },
    30_000,
  );
});
