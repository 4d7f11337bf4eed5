import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { SQL } from 'bun';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { publishRecords } from '../../src/publish/publish-records.ts';
import { StoreUnusableError } from '../../src/store/open-store.ts';
import { closeAfterEach } from '../support/close-after-each.ts';
import { explainMissingPostgres } from '../support/postgres.ts';
import { quote } from '../support/quote-fixture.ts';
import { createPostgresStore, createStore, type TestStore } from '../support/store.ts';

const { closing, removing } = closeAfterEach();

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
    await expectRejection(store, () => {
      using database = new Database(store.path);
      database.run('PRAGMA user_version = 99');
    });
  });

  test.skipIf(explainMissingPostgres() !== undefined)(
    'publishes nothing to PostgreSQL',
    async () => {
      const store = removing(await createPostgresStore());
      await expectRejection(store, async () => {
        await using connection = new SQL(store.url, { max: 1 });
        await connection`UPDATE tenor_schema SET version = 99`;
      });
    },
    30_000,
  );
});
