import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { SQL } from 'bun';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { StoreUnavailableError } from '../../src/store/open-store.ts';
import { compareIndexes } from '../../src/store/postgres/compare-indexes.ts';
import { createReadPool } from '../../src/store/postgres/connection-pool.ts';
import { createSnapshotReader } from '../../src/store/postgres/inspector.ts';
import type { Dialect } from '../../src/store/sql/dialect.ts';
import { startPausableProxy } from '../support/pausable-proxy.ts';
import { runSql } from '../support/postgres/databases.ts';
import { explainMissingPostgres } from '../support/postgres.ts';
import { quote } from '../support/quote-fixture.ts';
import { createPostgresStore, type TestStore } from '../support/store.ts';

setDefaultTimeout(120_000);

const TIMEOUT_MS = 1_000;

describe.skipIf(explainMissingPostgres() !== undefined)('on PostgreSQL', () => {
  let store: TestStore;
  let dialect: Dialect;
  let locker: SQL;
  beforeAll(async () => {
    store = await createPostgresStore();
    await store.publish(quotes, [quote({})]);
    dialect = (store.readerSource as { dialect: Dialect }).dialect;
    locker = new SQL(store.url, { max: 1 });
    // A statement that reads the table waits until its timeout.
    await locker.unsafe('BEGIN');
    await locker.unsafe('LOCK TABLE revisions');
  });
  afterAll(async () => {
    await locker.close();
    await store.remove();
  });

  const openReader = (url: string) =>
    createSnapshotReader(createReadPool(url, 1, { poolSize: 1, ...dialect }), TIMEOUT_MS);

  test('an index whose comparison takes too long is skipped, and the others are compared', async () => {
    // A server that checks its pages by itself has none compared.
    const database = new URL(store.url).pathname.slice(1);
    await runSql(store.url, `ALTER DATABASE "${database}" SET ignore_checksum_failure = on`);
    const found = await Array.fromAsync(compareIndexes(openReader(store.url), catalogue));
    expect(found.length).toBeGreaterThan(10);
    expect(found.flatMap(({ faults }) => faults)).toEqual([]);
  });

  test('a read on a connection that falls silent ends', async () => {
    const url = new URL(store.url);
    using proxy = startPausableProxy(Number(url.port));
    url.port = String(proxy.port);
    const reading = Array.fromAsync(compareIndexes(openReader(url.href), catalogue));
    setTimeout(() => proxy.pause(), TIMEOUT_MS / 2);
    const error = await reading.catch((cause) => cause);
    expect(error).toBeInstanceOf(StoreUnavailableError);
    expect(error.message).toContain('silent');
  });
});
