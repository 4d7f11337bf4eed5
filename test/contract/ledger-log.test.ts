import { Database } from 'bun:sqlite';
import { afterEach, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { openNote, parseCheckpoint, parseVerifierKey } from '../../src/ledger/note.ts';
import { hashSubtree, isSameHash, proveConsistency } from '../../src/ledger/tree.ts';
import { checkDatabase } from '../../src/publish/check/check-database.ts';
import { publishRecords } from '../../src/publish/publish-records.ts';
import type { PublisherOptions, StoreInspector, StoreReader } from '../../src/store/open-store.ts';
import { getSignersFile } from '../../src/store/sqlite/signers-file.ts';
import { readFixture } from '../support/fixtures.ts';
import { runSql } from '../support/postgres/databases.ts';
import { quote } from '../support/quote-fixture.ts';
import { ENGINES, type TestStore } from '../support/store.ts';
import { computeConsistentRoots } from '../support/tree-proofs.ts';

const NEW_QUOTE = {
  dataset: quotes,
  records: [quote({ symbol: 'NEW' })],
  source: 'a',
  author: 'b',
};
const stores: TestStore[] = [];

afterEach(async () => {
  for (const store of stores.splice(0)) await store.remove();
});

/** A store with a revision of each dataset, each corrected: the same on every engine. */
async function createPublishedStore(engine: (typeof ENGINES)[number]): Promise<TestStore> {
  const store = await engine.createStore();
  stores.push(store);
  await publishAll(store, catalogue.length);
  return store;
}

async function publishAll(store: TestStore, count: number, options: PublisherOptions = {}) {
  const publisher = store.publisher({ ...countedSalts(), ...options });
  for (const [index, dataset] of catalogue.slice(0, count).entries()) {
    const at = new Date(Date.UTC(2026, 0, index + 1));
    const records = readFixture(dataset);
    await publishRecords(publisher, { dataset, records, source: 'a', author: 'b', at });
  }
  publisher.close();
}

/** Every publisher gives the same ones. */
function countedSalts(): PublisherOptions {
  let count = 0;
  return { createSalt: () => new Uint8Array(16).fill(++count) };
}

async function readLog(store: TestStore) {
  const reader = store.reader();
  try {
    const keys = await reader.ledgerKeys();
    const key = await parseVerifierKey(keys.at(-1)?.key ?? '');
    const text = key && (await openNote((await reader.checkpoint()) ?? '', key));
    return { keys, checkpoint: parseCheckpoint(text ?? '') };
  } finally {
    reader.close();
  }
}

const readHash = (reader: StoreReader) => async (level: number, position: number) => {
  const [hash] = await reader.treeHashes(level, position, 1);
  if (!hash) throw new Error(`there is no hash ${position} of level ${level}`);
  return hash;
};

test('every engine has the same root for the same publications, with the same salts', async () => {
  const roots = new Set<string>();
  for (const engine of ENGINES) {
    const { checkpoint } = await readLog(await createPublishedStore(engine));
    expect(checkpoint?.size).toBe(catalogue.length);
    roots.add(String(checkpoint?.root.toHex()));
  }
  expect(roots.size).toBe(1);
});

describe.each(ENGINES)('the log of a ledger: $name', (engine) => {
  test('has the name that it is given, and its stored hashes prove that it only grew', async () => {
    const store = await engine.createStore();
    stores.push(store);
    await publishAll(store, catalogue.length, { ledgerName: 'prices.example.org/log' });
    const { checkpoint: before } = await readLog(store);
    const publisher = store.publisher();
    await publishRecords(publisher, NEW_QUOTE);
    publisher.close();
    const { checkpoint, keys } = await readLog(store);
    expect(checkpoint).toMatchObject({
      origin: 'prices.example.org/log',
      size: catalogue.length + 1,
    });
    expect(keys).toHaveLength(1);
    const reader = store.reader();
    const root = await hashSubtree(0, catalogue.length, readHash(reader));
    expect(root.toHex()).toBe(String(before?.root.toHex()));
    const args = [catalogue.length, catalogue.length + 1] as const;
    const proof = await proveConsistency(...args, readHash(reader));
    const [, later] = await computeConsistentRoots(...args, root, proof);
    expect(checkpoint && isSameHash(later, checkpoint.root)).toBe(true);
    reader.close();
    const inspector = store.inspector();
    expect(await checkDatabase(inspector, catalogue)).toMatchObject({ faults: [] });
    inspector.close();
  });

  test('has no key of a publication that was abandoned', async () => {
    const store = await engine.createStore();
    stores.push(store);
    const publisher = store.publisher();
    await publisher.transaction(async (transaction) => {
      await publishRecords(transaction, NEW_QUOTE);
      transaction.abandon();
    });
    expect(await readLog(store)).toEqual({ keys: [], checkpoint: undefined });
    await publishAll(store, 2);
    const replaced = await publisher.replaceLedgerKey({});
    publisher.close();
    const { keys, checkpoint } = await readLog(store);
    expect(keys.map(({ key, size }) => ({ key, size }))).toEqual([
      { key: String(keys[0]?.key), size: 0 },
      { key: replaced.key, size: 2 },
    ]);
    expect(checkpoint?.size).toBe(2);
  });

  test('goes on after a new key, which the old one signs, and after a restart by another name', async () => {
    const store = await createPublishedStore(engine);
    const publisher = store.publisher();
    const {
      keys: [first],
      checkpoint: before,
    } = await readLog(store);
    await publisher.replaceLedgerKey({});
    const rotated = await readLog(store);
    expect(rotated.checkpoint).toEqual(before);
    await publisher.replaceLedgerKey({ name: 'another', size: 3 });
    await publishRecords(publisher, NEW_QUOTE);
    publisher.close();
    const { keys, checkpoint } = await readLog(store);
    expect(checkpoint).toMatchObject({ origin: 'another', size: catalogue.length + 1 });
    const names = keys.map(({ key }) => key.split('+')[0]);
    expect(names).toEqual([before?.origin, before?.origin, 'another']);
    for (const [index, { key, size, note }] of keys.entries()) {
      if (index === 0) continue;
      const signer = await parseVerifierKey(keys[index - 1]?.key ?? '');
      expect(signer && (await openNote(note ?? '', signer))).toBe(
        `tenor ledger key\n${key}\n${size}\n`,
      );
    }
    expect(first?.key).toBe(String(keys[0]?.key));
  });

  test('begins after the last revision of a restored copy, and warns of the first one after it', async () => {
    const store = await createPublishedStore(engine);
    const { length: size } = catalogue;
    const isSqlite = store.url.startsWith('sqlite:');
    const bytes = isSqlite ? `CAST('${size}' AS BLOB)` : `convert_to('${size}', 'UTF8')`;
    await change(store, `INSERT INTO secrets VALUES ('copied', ${bytes})`);
    const warnings: string[] = [];
    const publisher = store.publisher({ onRestored: (message) => warnings.push(message) });
    await publishRecords(publisher, NEW_QUOTE);
    await publishRecords(publisher, { ...NEW_QUOTE, records: [quote({ symbol: 'NEXT' })] });
    expect(warnings).toEqual([expect.stringContaining(`restored with ${size} revisions`)]);
    // A new key of the same log is none of another.
    expect((await publisher.replaceLedgerKey({})).size).toBe(size + 2);
    expect((await publisher.replaceLedgerKey({ name: 'another' })).size).toBe(size);
    expect((await publisher.replaceLedgerKey({ name: 'third' })).size).toBe(size + 2);
    publisher.close();
  });

  test('is checked in all that is stored of it', async () => {
    const store = await createPublishedStore(engine);
    const newest = catalogue.length;
    const levels = ['hashes of level 1', 'hashes of level 2'];
    for (const [sql, faults] of [
      ['DELETE FROM ledger_hashes WHERE level = 7', []],
      [`UPDATE ledger_hashes SET hash = '${'0'.repeat(64)}' WHERE level = 1`, levels.slice(0, 1)],
      ['DELETE FROM ledger_hashes WHERE level = 2', levels],
      [`DELETE FROM revision_digests WHERE revision = ${newest}`, [...levels, 'of another log']],
      ["UPDATE revision_digests SET checkpoint = 'x'", ['not signed by its key']],
      ['DELETE FROM revision_digests', ['not signed by its key']],
      ['DELETE FROM ledger_keys', ['its log is gone']],
    ] as const) {
      await change(store, sql);
      expect(await check(store)).toEqual(faults.map((fault) => expect.stringContaining(fault)));
    }
  });

  test('is checked up to the revision that a check of a cluster reads', async () => {
    const store = await createPublishedStore(engine);
    expect(await check(store, { revision: async () => catalogue.length - 1 })).toEqual([]);
  });

  test.each([
    ['its hashes are missing', 'DELETE FROM ledger_hashes', 'lacks hashes'],
    [
      'its last entry is missing',
      `DELETE FROM revision_digests WHERE revision = ${catalogue.length}`,
      `has only ${catalogue.length - 1} of ${catalogue.length} revisions; restore a backup`,
    ],
  ])('is not added to if %s', async (_, damage, message) => {
    const store = await createPublishedStore(engine);
    await change(store, damage);
    const publisher = store.publisher();
    await expect(publishRecords(publisher, NEW_QUOTE)).rejects.toThrow(message);
    publisher.close();
  });

  test('is not added to without its private key, and nothing is published', async () => {
    const store = await createPublishedStore(engine);
    const before = await readLog(store);
    if (store.url.startsWith('sqlite:')) rmSync(getSignersFile(store.url.slice(7)));
    else await change(store, 'DELETE FROM ledger_signers');
    const publisher = store.publisher();
    await expect(publishRecords(publisher, NEW_QUOTE)).rejects.toThrow(
      /^nothing was published: the private key of the ledger \(.*\) is not in .*restart --lost-key$/,
    );
    await expect(publisher.replaceLedgerKey({})).rejects.toThrow(/private key/);
    expect(await readLog(store)).toEqual(before);
    const lost = await publisher.replaceLedgerKey({ name: 'another', isLost: true });
    expect(lost).toMatchObject({ note: null, size: catalogue.length });
    expect((await publishRecords(publisher, NEW_QUOTE))?.revision).toBe(catalogue.length + 1);
    publisher.close();
  });
});

/** The faults of the log that a check finds. */
async function check(store: TestStore, changed: Partial<StoreInspector> = {}) {
  const inspector = store.inspector();
  const { faults } = await checkDatabase({ ...inspector, ...changed }, catalogue);
  inspector.close();
  return faults;
}

async function change(store: TestStore, sql: string): Promise<void> {
  if (!store.url.startsWith('sqlite:')) return void (await runSql(store.url, sql));
  using database = new Database(store.url.slice(7));
  database.run(sql);
}
