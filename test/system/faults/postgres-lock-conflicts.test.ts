import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { SQL } from 'bun';
import { funds } from '../../../src/catalogue/datasets/funds.ts';
import { quotes } from '../../../src/catalogue/datasets/quotes.ts';
import { publishRecords } from '../../../src/publish/publish-records.ts';
import {
  LockConflictError,
  StoreBusyError,
  StoreUnavailableError,
} from '../../../src/store/open-store.ts';
import { closeAfterEach } from '../../support/close-after-each.ts';
import { explainMissingPostgres } from '../../support/postgres.ts';
import { quote } from '../../support/quote-fixture.ts';
import { createPostgresStore, type TestStore } from '../../support/store.ts';

const publication = { source: 'test', author: 'test' };
const ofQuotes = { ...publication, dataset: quotes, records: [quote({ symbol: 'ONE' })] };
const ofFunds = { ...publication, dataset: funds, records: [funds.example] };

describe.skipIf(explainMissingPostgres() !== undefined)('locks of another session', () => {
  const { closing } = closeAfterEach();
  let store: TestStore;
  let other: SQL;
  beforeEach(async () => {
    store = await createPostgresStore();
    other = new SQL(store.url, { max: 1 });
  }, 120_000);
  afterEach(async () => {
    await other.close();
    await store.remove();
  });
  const lock = (table: string) =>
    other.unsafe(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`).simple();
  const release = async () => {
    await other.unsafe('ROLLBACK');
  };
  const countRevisions = async () => (await store.query('SELECT revision FROM revisions')).length;

  test('make a publisher run its transaction again after a deadlock, and publish once', async () => {
    // Its own check for deadlocks comes later, so that the publisher's finds this one.
    await other.unsafe("SET deadlock_timeout = '30s'");
    await lock('quotes_now');
    const causes: StoreBusyError[] = [];
    const publisher = closing(store.publisher({ onWait: (cause) => causes.push(cause) }));
    let calls = 0;
    let released: Promise<unknown> | undefined;
    await publisher.transaction(async (transaction) => {
      calls++;
      await publishRecords(transaction, ofFunds);
      // This waits for the transaction, which waits for it in turn.
      released ??= other
        .unsafe('LOCK TABLE records_now IN ACCESS EXCLUSIVE MODE')
        .simple()
        .then(release);
      await publishRecords(transaction, ofQuotes);
    });
    await released;
    expect(calls).toBe(2);
    expect(causes).toEqual([expect.any(LockConflictError)]);
    expect(causes[0]?.message).toContain('deadlock detected');
    expect(await countRevisions()).toBe(2);
  }, 120_000);

  test('make a publisher that waits for one for long release its own, and try again', async () => {
    await lock('quotes_now');
    let calls = 0;
    const publisher = closing(store.publisher({ waitMs: 1_000, onWait: release }));
    await publisher.transaction(async (transaction) => {
      calls++;
      await publishRecords(transaction, ofQuotes);
    });
    expect(calls).toBe(2);
    expect(await countRevisions()).toBe(1);
  }, 120_000);

  test('let a publisher fail that must not wait, or whose rows can be read only once', async () => {
    await lock('quotes_now');
    const impatient = closing(store.publisher({ waitMs: 0 }));
    const load = impatient.transaction((transaction) => publishRecords(transaction, ofQuotes));
    await expect(load).rejects.toThrow(/lock timeout\); gave up at once$/);
    const patient = closing(store.publisher({ waitMs: 1_000, onWait: () => expect.unreachable() }));
    const failure = await publishRecords(patient, ofQuotes).catch((cause) => cause);
    expect(failure).toBeInstanceOf(StoreUnavailableError);
    expect(failure).not.toBeInstanceOf(StoreBusyError);
    await release();
    expect(await countRevisions()).toBe(0);
  }, 120_000);
});
