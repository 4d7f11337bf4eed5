import { describe, expect, test } from 'bun:test';
import { SQL } from 'bun';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { openStore } from '../../src/store/open-store.ts';
import { closeAfterEach } from '../support/close-after-each.ts';
import { retryUntil } from '../support/eventually.ts';
import { explainMissingPostgres } from '../support/postgres.ts';
import { quote } from '../support/quote-fixture.ts';
import { createPostgresStore, type TestStore } from '../support/store.ts';

const { closing, removing } = closeAfterEach();

describe.skipIf(explainMissingPostgres() !== undefined)('long reads', () => {
  test('leave half of the connections to short ones', async () => {
    const store = removing(await createPostgresStore());
    await store.publish(quotes, [quote({})]);
    const reader = closing((await openStore(store.url, catalogue, { poolSize: 4 })).reader());
    await using lockHolder = new SQL(store.url, { max: 1 });
    await lockHolder.unsafe('BEGIN; LOCK TABLE quotes_past').simple();
    const longReads = Array.from({ length: 16 }, () => reader.corrections(quotes, { limit: 1 }));
    const shortReads = Array.from({ length: 16 }, () =>
      reader.read({ kind: 'quotes', dataset: quotes, limit: 1 }),
    );
    const results = await Promise.race([Promise.all(shortReads), Bun.sleep(5_000)]);
    // The short reads may be done before the long ones come to the lock.
    const waiting = retryUntil(5_000, async () => expect(await countWaiting(store)).toBe(2));
    await waiting.finally(() => lockHolder.unsafe('ROLLBACK'));
    expect(results?.map(({ count }) => count)).toEqual(shortReads.map(() => 1));
    for (const { entries } of await Promise.all(longReads)) expect(entries).toEqual([]);
  }, 120_000);
});

async function countWaiting(store: Pick<TestStore, 'query'>): Promise<number> {
  const rows = await store.query(
    "SELECT 1 AS one FROM pg_locks WHERE relation = 'quotes_past'::regclass AND NOT granted",
  );
  return rows.length;
}
