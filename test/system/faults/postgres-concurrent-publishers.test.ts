import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { quotes } from '../../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../../src/catalogue/index.ts';
import { checkDatabase } from '../../../src/publish/check/check-database.ts';
import { publishRecords } from '../../../src/publish/publish-records.ts';
import { retryUntil } from '../../support/eventually.ts';
import { explainMissingPostgres } from '../../support/postgres.ts';
import { quote } from '../../support/quote-fixture.ts';
import { spawnChild } from '../../support/spawn-child.ts';
import { createPostgresStore, type TestStore } from '../../support/store.ts';

const WAITING = 'tenor: waiting for another publisher to finish\n';
const ROOT = join(import.meta.dirname, '../../..');
const UNFINISHED_LOAD = join(import.meta.dirname, '../../support/unfinished-load.ts');

let store: TestStore;

describe.skipIf(explainMissingPostgres() !== undefined)('publishers in several processes', () => {
  beforeEach(async () => {
    store = await createPostgresStore();
  }, 120_000);
  afterEach(() => store.remove());

  test('wait for each other on one connection each, and publish all revisions', async () => {
    const publisher = store.publisher();
    const released = Promise.withResolvers<void>();
    const held = publisher.transaction(async (transaction) => {
      const records = [quote({ symbol: 'HELD' })];
      await publishRecords(transaction, {
        dataset: quotes,
        records,
        source: 'held',
        author: 'test',
      });
      await released.promise;
    });
    const children = [1, 2].map((at) => loading(whole(at)));
    const errors = children.map(({ stderr }) => new Response(stderr).text());
    const connections = () =>
      store.query(`SELECT pid FROM pg_stat_activity WHERE application_name = 'tenor'
        AND datname = current_database() ORDER BY pid`);
    let before: unknown;
    await retryUntil(20_000, async () => {
      before = await connections();
      // A publisher has one connection for its work, and one that listens for pulses.
      expect(before).toHaveLength(6);
      await Bun.sleep(300);
      expect(await connections()).toEqual(before as never);
    });
    expect(await ledger()).toEqual([]);
    released.resolve();
    await held;
    publisher.close();
    expect(await Promise.all(children.map(({ exited }) => exited))).toEqual([0, 0]);
    expect(await Promise.all(errors)).toEqual([WAITING, WAITING]);
    expect((await ledger()).length).toBe(3);
    await expectClean();
  }, 120_000);

  test('give up when their lock wait is over', async () => {
    const publisher = store.publisher();
    await publisher.transaction(async () => {
      const child = loading(whole(1), ['--wait', '1s']);
      const err = await new Response(child.stderr).text();
      expect([await child.exited, err]).toEqual([
        5,
        `${WAITING}tenor: another publisher holds the database; gave up after 1 s; nothing was published\n`,
      ]);
    });
    publisher.close();
    expect(await ledger()).toEqual([]);
  }, 120_000);

  test('release the write lock and leave nothing when they are killed during a load', async () => {
    const killed = spawnChild([process.execPath, UNFINISHED_LOAD, store.url], {
      cwd: ROOT,
      stdout: 'ignore',
    });
    // Some of it is written, and it waits for more.
    await retryUntil(20_000, async () => {
      expect(
        await store.query(`SELECT 1 FROM pg_stat_activity WHERE state = 'idle in transaction'
          AND datname = current_database() AND query LIKE '%quotes_now%'`),
      ).toHaveLength(1);
    });
    const next = loading(whole(1));
    // It waits.
    for await (const chunk of next.stderr) {
      expect(new TextDecoder().decode(chunk)).toBe(WAITING);
      break;
    }
    killed.kill('SIGKILL');
    await killed.exited;
    expect(await next.exited).toBe(0);
    expect((await ledger()).length).toBe(1);
    expect(await store.query('SELECT count(*) AS count FROM quotes_now')).toEqual([{ count: 1 }]);
    await expectClean();
  }, 120_000);
});

/** Starts a load of what comes by standard input. */
function loading(stdin: Blob, options: readonly string[] = []) {
  return spawnChild([join(ROOT, 'bin/tenor'), 'load', 'quotes', '-', ...options], {
    cwd: ROOT,
    env: { ...process.env, DATABASE_URL: store.url },
    stdin,
    stdout: 'pipe',
    stderr: 'pipe',
  });
}

/** A load of one quote with a price. */
function whole(lastPrice: number): Blob {
  return new Blob([JSON.stringify([quote({ symbol: 'WHOLE', lastPrice })])]);
}

async function ledger(): Promise<unknown[]> {
  return store.query('SELECT revision FROM revisions ORDER BY revision');
}

async function expectClean(): Promise<void> {
  const inspector = store.inspector();
  expect((await checkDatabase(inspector, catalogue)).faults).toEqual([]);
  inspector.close();
}
