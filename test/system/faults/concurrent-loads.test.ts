import { afterEach, beforeEach, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quotes } from '../../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../../src/catalogue/index.ts';
import { checkDatabase } from '../../../src/publish/check/check-database.ts';
import { publishRecords } from '../../../src/publish/publish-records.ts';
import { openStore, type Publisher, type Store } from '../../../src/store/open-store.ts';
import { retryUntil } from '../../support/eventually.ts';
import { quote } from '../../support/quote-fixture.ts';
import { runTenorProcess, spawnTenor, startTenorServer } from '../../support/run-tenor.ts';
import { createTempFolder } from '../../support/store.ts';

let folder: string;
let store: Store;
let settings: Record<string, string>;
beforeEach(async () => {
  folder = createTempFolder();
  const DATABASE_URL = `sqlite:${join(folder, 'x.db')}`;
  settings = { DATABASE_URL, API_TOKEN: 'token-for-the-tests', SAMPLE_DATA: 'off' };
  store = await openStore(DATABASE_URL, catalogue);
});
afterEach(() => rmSync(folder, { recursive: true }));

const WAITING = 'tenor: waiting for another publisher to finish\n';

function fileOf(name: string, lastPrice: number, securities = 1): string {
  const path = join(folder, name);
  const symbols = Array.from({ length: securities }, (_, index) => `Z${index}`);
  writeFileSync(path, JSON.stringify(symbols.map((symbol) => quote({ symbol, lastPrice }))));
  return path;
}

/** Runs work while a publisher holds the store, with something done that nobody may see yet. */
async function whileHeld(callback: (release: () => void) => Promise<void>): Promise<void> {
  const publisher: Publisher = store.publisher();
  const released = Promise.withResolvers<void>();
  const held = publisher.transaction(async (transaction) => {
    const records = [quote({ symbol: 'HELD', lastPrice: 1 })];
    await publishRecords(transaction, { dataset: quotes, records, source: 'held', author: 'test' });
    await released.promise;
  });
  try {
    await callback(released.resolve);
  } finally {
    released.resolve();
    await held;
    publisher.close();
  }
}

async function ledger(): Promise<string[]> {
  const reader = store.reader();
  const sources = (await reader.revisions()).map(({ source }) => source);
  reader.close();
  return sources.toReversed();
}

async function expectClean(): Promise<void> {
  const inspector = store.inspector();
  expect((await checkDatabase(inspector, catalogue)).faults).toEqual([]);
  inspector.close();
}

test('a load waits for the one before it, says so once, and both are published', async () => {
  const path = fileOf('second.json', 2);
  await whileHeld(async (release) => {
    const child = spawnTenor(['load', 'quotes', path], settings);
    let err = '';
    const errors = (async () => {
      for await (const chunk of child.stderr) err += new TextDecoder().decode(chunk);
    })();
    await retryUntil(30_000, async () => expect(err).toBe(WAITING));
    await Bun.sleep(1_000);
    expect(child.exitCode).toBeNull();
    release();
    await errors;
    expect([await child.exited, err]).toEqual([0, WAITING]);
  });
  expect(await ledger()).toEqual(['held', 'second.json']);
  await expectClean();
});

test('concurrent loads are published one after the other', async () => {
  const paths = Array.from({ length: 5 }, (_, index) => fileOf(`${index}.json`, index, 2_000));
  const args = ['--correct-many'];
  const loads = paths.map((path) => runTenorProcess(['load', 'quotes', path, ...args], settings));
  const finished = await Promise.all(loads);
  expect(finished.map(({ status }) => status)).toEqual([0, 0, 0, 0, 0]);
  for (const { err } of finished) expect(['', WAITING]).toContain(err);
  expect((await ledger()).toSorted()).toEqual(['0.json', '1.json', '2.json', '3.json', '4.json']);
  await expectClean();
});

test.each([
  ['0s', '', 'at once'],
  ['1s', WAITING, 'after 1 s'],
])('a load with --wait %s gives up with one line and status 5', async (wait, waiting, when) => {
  const path = fileOf('second.json', 2);
  await whileHeld(async () => {
    const { status, out, err } = await runTenorProcess(
      ['load', 'quotes', path, '--wait', wait],
      settings,
    );
    const givingUp = `tenor: another publisher holds the database; gave up ${when}; nothing was published\n`;
    expect({ status, out, err }).toEqual({ status: 5, out: '', err: waiting + givingUp });
  });
  expect(await ledger()).toEqual(['held']);
});

test('a server serves the old revision during a load, and the new one afterwards', async () => {
  const publisher = store.publisher();
  const records = [quote({ symbol: 'HELD', lastPrice: 9 })];
  await publishRecords(publisher, { dataset: quotes, records, source: 'first', author: 'test' });
  publisher.close();
  const server = await startTenorServer(settings);
  const price = async () => {
    const headers = { authorization: 'Bearer token-for-the-tests' };
    const response = await fetch(`${server.address}/2.0/bnb/quotes?symbol=HELD`, { headers });
    expect(response.status).toBe(200);
    return ((await response.json()) as { data: { lastPrice: number }[] }).data[0]?.lastPrice;
  };
  await whileHeld(async () => {
    for (let asked = 0; asked < 50; asked++) expect(await price()).toBe(9);
  });
  await retryUntil(1_000, async () => expect(await price()).toBe(1));
  expect((await server.stop()).status).toBe(0);
});
