import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { SQL } from 'bun';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { StoreUnavailableError } from '../../src/store/open-store.ts';
import {
  findIndexFaults,
  readServerFingerprint,
} from '../../src/store/postgres/server-fingerprint.ts';
import type { Dialect } from '../../src/store/sql/dialect.ts';
import { startPausableProxy } from '../support/pausable-proxy.ts';
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

  test('a scrub skips an index whose comparison takes too long, and compares the others', async () => {
    const compared: unknown[] = [];
    for await (const { faults } of findIndexFaults(store.url, dialect, catalogue, TIMEOUT_MS))
      compared.push(faults);
    expect(compared.length).toBeGreaterThan(10);
    expect(compared.flat()).toEqual([]);
  });

  test('a look on a connection that falls silent ends', async () => {
    const url = new URL(store.url);
    using proxy = startPausableProxy(Number(url.port));
    url.port = String(proxy.port);
    const look = readServerFingerprint(url.href, dialect, catalogue, TIMEOUT_MS);
    setTimeout(() => proxy.pause(), TIMEOUT_MS / 2);
    const error = await look.catch((cause) => cause);
    expect(error).toBeInstanceOf(StoreUnavailableError);
    expect(error.message).toContain('silent');
  });
});
