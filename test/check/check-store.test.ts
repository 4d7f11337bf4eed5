import { Database } from 'bun:sqlite';
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { datasets } from '../../src/catalogue/datasets/datasets.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { checkStore } from '../../src/check/check-store.ts';
import { retireDataset } from '../../src/publish/declare-dataset.ts';
import { getStorageTable } from '../../src/schema/storage-table.ts';
import { openCopyInspector } from '../../src/store/open-reader.ts';
import { type ReaderSource, StoreDamagedError } from '../../src/store/open-store.ts';
import { declareIn, KIBOR, KIBOR_RECORDS, kibor } from '../support/declared-rates.ts';
import { readFixture } from '../support/fixtures.ts';
import { runSql } from '../support/postgres/databases.ts';
import { quote } from '../support/quote-fixture.ts';
import { createFilledStore, ENGINES, type TestStore } from '../support/store.ts';

setDefaultTimeout(120_000);

const DAYS = 6;
const SYMBOLS = 500;

/** More quotes than a slice has, each of which is corrected, and some retired. */
async function publishHistory(store: TestStore): Promise<void> {
  for (const dataset of catalogue) await store.publish(dataset, readFixture(dataset));
  for (const ytm of [10, 11]) await store.publish(quotes, buildQuotes(ytm));
}

function buildQuotes(ytm: number) {
  return Array.from({ length: DAYS * SYMBOLS }, (_, index) =>
    quote({
      date: `2026-03-0${1 + (index % DAYS)}`,
      symbol: `S${Math.floor(index / DAYS)}`,
      isin: `ZZ${1_000_000_000 + Math.floor(index / DAYS)}`,
      ytm,
    }),
  );
}

async function check(store: TestStore, afterSlice: (slice: number) => Promise<void> | void) {
  const faults: string[] = [];
  let records = 0;
  let slices = 0;
  const inspector = openCopyInspector(store.readerSource as ReaderSource, catalogue);
  try {
    await checkStore(inspector, {
      catalogue,
      reportFault: (fault) => faults.push(fault),
      async afterSlice(count) {
        records += count;
        await afterSlice(slices++);
      },
    });
  } finally {
    inspector.close();
  }
  return { faults, records, slices };
}

async function damage({ url }: TestStore, sql: string): Promise<void> {
  if (url.startsWith('postgres')) {
    await runSql(url, sql);
    return;
  }
  using database = new Database(url.replace('sqlite:', ''));
  database.run(sql);
}

describe.each(ENGINES.map((engine) => [engine.name, engine] as const))(
  'a check on %s',
  (_, { createStore }) => {
    test('finds no fault in what is stored, whatever is published meanwhile', async () => {
      await using store = await createStore();
      await publishHistory(store);
      let ytm = 12;
      const publishSometimes = async (slice: number) => {
        if (slice % 7 === 0 && ytm < 15) await store.publish(quotes, buildQuotes(ytm++));
      };
      const { faults, records, slices } = await check(store, publishSometimes);
      expect(faults).toEqual([]);
      expect(ytm).toBeGreaterThan(13);
      expect(records).toBeGreaterThanOrEqual(2 * DAYS * SYMBOLS);
      expect(slices).toBeGreaterThan(10);
    });

    test('finds no fault in a dataset that is declared, loaded and retired meanwhile', async () => {
      await using store = await createStore();
      let slices = 0;
      const { faults } = await check(store, async () => {
        if (slices++ > 0) return;
        await declareIn(store, KIBOR);
        await store.publish(kibor, KIBOR_RECORDS);
        const publisher = store.publisher();
        await retireDataset(publisher, { name: KIBOR.name, author: 'test', withRecords: true });
        publisher.close();
      });
      expect(faults).toEqual([]);
    });
  },
);

test.each(['{', '{}', '[]', 'null', '{"name":"card-payments","title":"Card payments"}'])(
  'a check finds a declaration whose text is %s, and readers do not go on without it',
  async (text) => {
    await using store = await createFilledStore();
    await store.publish(datasets, readFixture(datasets));
    await damage(store, `UPDATE ${getStorageTable(datasets).currentTable} SET record = '${text}'`);
    const { faults } = await check(store, () => {});
    const fault = new RegExp(`^datasets, record .* of revision ${catalogue.length}: `, 'm');
    expect(faults.join('\n')).toMatch(fault);
    const reader = store.reader();
    const declarations = (async () => reader.declarations(catalogue.length))();
    await expect(declarations).rejects.toThrow(StoreDamagedError);
    reader.close();
  },
);

describe('a check of a file', () => {
  test('leaves the write-ahead log free to be moved into the file after every slice', async () => {
    await using store = await createFilledStore();
    using writer = new Database(store.path);
    const results: unknown[] = [];
    await check(store, async (slice) => {
      if (slice % 10 > 0) return;
      await store.publish(quotes, [quote({ symbol: `S${slice}` })]);
      results.push(writer.query<unknown, []>('PRAGMA wal_checkpoint(TRUNCATE)').values()[0]);
    });
    expect(results.length).toBeGreaterThan(3);
    expect(new Set(results.map(String))).toEqual(new Set(['0,0,0']));
  });

  test('finds a record of a revision that the ledger does not have', async () => {
    await using store = await createFilledStore();
    const { currentTable } = getStorageTable(quotes);
    await damage(store, `UPDATE ${currentTable} SET since = 999`);
    const { faults } = await check(store, () => {});
    expect(faults.join('\n')).toMatch(
      /^quotes, record .* of revision 999: revision 999 is not in the ledger for it$/m,
    );
  });

  test('finds a changed byte of an index, though every record is right', async () => {
    await using store = await createFilledStore();
    await store.publish(quotes, [quote({ symbol: 'LOOKEDFOR' })]);
    using database = new Database(store.path);
    // Without what was once on its pages and is no more, every copy of a text is one that counts.
    database.run('VACUUM');
    database.run('PRAGMA wal_checkpoint(TRUNCATE)');
    database.close();
    const clean = readFileSync(store.path);
    const faultLists: string[][] = [];
    for (const offset of findAll(clean, 'LOOKEDFOR')) {
      const bytes = Buffer.from(clean);
      bytes.write('X', offset + 1);
      writeFileSync(store.path, bytes);
      faultLists.push((await check(store, () => {})).faults);
    }
    for (const faults of faultLists) expect(faults).not.toEqual([]);
    const inIndexesOnly = faultLists.filter((faults) =>
      faults.every((fault) => /^structure: index \w+ lacks 1 of its first rows$/.test(fault)),
    );
    // By symbol: key, symbol and record; by ISIN, type and revision: symbol.
    expect(inIndexesOnly.length).toBeGreaterThanOrEqual(4);
  });
});

function findAll(bytes: Buffer, text: string): number[] {
  const offsets: number[] = [];
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) offsets.push(at);
  return offsets;
}
