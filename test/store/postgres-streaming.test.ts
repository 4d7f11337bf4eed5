import { describe, expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { StoreUnavailableError } from '../../src/store/open-store.ts';
import { closeAfterEach } from '../support/close-after-each.ts';
import { retryUntil } from '../support/eventually.ts';
import { explainMissingPostgres } from '../support/postgres.ts';
import { quote } from '../support/quote-fixture.ts';
import { createPostgresStore } from '../support/store.ts';

const { closing, removing } = closeAfterEach();

describe.skipIf(explainMissingPostgres() !== undefined)(
  'a stream of all records from PostgreSQL',
  () => {
    const STREAMING_CONNECTIONS = `FROM pg_stat_activity WHERE datname = current_database()
    AND application_name = 'tenor' AND state = 'idle in transaction'`;

    const startStream = async () => {
      const store = removing(await createPostgresStore());
      const records = Array.from({ length: 2_500 }, (_, index) => quote({ symbol: `W${index}` }));
      await store.publish(quotes, records);
      const stream = closing(store.reader()).records(quotes)[Symbol.asyncIterator]();
      expect((await stream.next()).value).toHaveLength(1_000);
      expect(await store.query(`SELECT 1 ${STREAMING_CONNECTIONS}`)).toHaveLength(1);
      return { store, stream };
    };

    test('throws when its connection is lost, rather than continuing on another one', async () => {
      const { store, stream } = await startStream();
      await store.query(`SELECT pg_terminate_backend(pid) ${STREAMING_CONNECTIONS}`);
      const error = await stream.next().catch((cause) => cause);
      expect(error).toBeInstanceOf(StoreUnavailableError);
      expect(await stream.next()).toEqual({ done: true, value: undefined });
    }, 120_000);

    test('closes its connection when it is stopped early', async () => {
      const { store, stream } = await startStream();
      await stream.return?.();
      await retryUntil(30_000, async () => {
        expect(await store.query(`SELECT 1 ${STREAMING_CONNECTIONS}`)).toHaveLength(0);
      });
    }, 120_000);
  },
);
