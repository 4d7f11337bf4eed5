import { describe, expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { StoreUnavailableError } from '../../src/store/open-store.ts';
import { closeAfterEach } from '../support/close-after-each.ts';
import { explainMissingPostgres } from '../support/postgres.ts';
import { quote } from '../support/quote-fixture.ts';
import { createPostgresStore } from '../support/store.ts';

const { closing, removing } = closeAfterEach();

describe.skipIf(explainMissingPostgres() !== undefined)('a walk through a PostgreSQL store', () => {
  const WALKING = `FROM pg_stat_activity WHERE datname = current_database()
    AND application_name = 'tenor' AND state = 'idle in transaction'`;

  const begun = async () => {
    const store = removing(await createPostgresStore());
    const records = Array.from({ length: 2_500 }, (_, index) => quote({ symbol: `W${index}` }));
    await store.publish(quotes, records);
    const walk = closing(store.reader()).records(quotes)[Symbol.asyncIterator]();
    expect((await walk.next()).value).toHaveLength(1_000);
    expect(await store.query(`SELECT 1 ${WALKING}`)).toHaveLength(1);
    return { store, walk };
  };

  test('that loses its connection says so, and does not go on with another one', async () => {
    const { store, walk } = await begun();
    await store.query(`SELECT pg_terminate_backend(pid) ${WALKING}`);
    const failure = await walk.next().catch((cause) => cause);
    expect(failure).toBeInstanceOf(StoreUnavailableError);
    expect(await walk.next()).toEqual({ done: true, value: undefined });
  }, 30_000);

  test('that is broken off leaves no connection behind', async () => {
    const { store, walk } = await begun();
    await walk.return?.();
    const left = async () => (await store.query(`SELECT 1 ${WALKING}`)).length;
    for (let looks = 0; looks < 100 && (await left()) > 0; looks++) await Bun.sleep(20);
    expect(await left()).toBe(0);
  }, 30_000);
});
