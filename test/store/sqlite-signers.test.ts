import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test';
import {
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { publishRecords } from '../../src/publish/publish-records.ts';
import { openStore, type Store } from '../../src/store/open-store.ts';
import { readSigners } from '../../src/store/sqlite/signers-file.ts';
import { quote } from '../support/quote-fixture.ts';
import { createStore, type SqliteTestStore } from '../support/store.ts';

let store: SqliteTestStore;

beforeEach(async () => {
  store = await createStore();
  await publishQuote(store, 'A');
});

afterEach(() => store.remove());

const createChange = (symbol: string) => ({
  dataset: quotes,
  records: [quote({ symbol })],
  source: 'a',
  author: 'b',
});

async function publishQuote(published: Pick<Store, 'publisher'>, symbol: string) {
  const publisher = published.publisher();
  await publishRecords(publisher, createChange(symbol));
  publisher.close();
}

test('a database has the same private key by every link, and the key may be behind a link', async () => {
  const keyFile = `${store.path}.private/ledger-key`;
  const movedKeys = join(dirname(store.path), 'keys');
  renameSync(keyFile, movedKeys);
  symlinkSync(movedKeys, keyFile);
  const link = join(dirname(store.path), 'link.db');
  symlinkSync(store.path, link);
  const linked = await openStore(`sqlite:${link}`, catalogue);
  await publishQuote(linked, 'B');
  const publisher = linked.publisher();
  const { key } = await publisher.replaceLedgerKey({});
  publisher.close();
  expect(lstatSync(keyFile).isSymbolicLink()).toBe(true);
  expect(readSigners(store.path)).toHaveLength(1);
  expect(readSigners(store.path)[0]).toContain(key.split('+', 2).join('+'));
  await publishQuote(store, 'C');
});

test('a new key whose transaction fails does not remove the one that signs', async () => {
  const publisher = store.publisher();
  const { run } = Database.prototype;
  const failing = spyOn(Database.prototype, 'run').mockImplementation(function (
    this: Database,
    ...values
  ) {
    if (values[0] === 'COMMIT') throw new Error('the disk is full');
    return run.apply(this, values);
  });
  await expect(publisher.replaceLedgerKey({})).rejects.toThrow('the disk is full');
  failing.mockRestore();
  for (const symbol of ['B', 'C']) await publishRecords(publisher, createChange(symbol));
  publisher.close();
  await publishQuote(store, 'D');
});

test('a file of keys may have ends of lines of another system, and is named if it cannot be read', async () => {
  const keyFile = `${store.path}.private/ledger-key`;
  writeFileSync(keyFile, readFileSync(keyFile, 'utf8').replaceAll('\n', '\r\n'));
  await publishQuote(store, 'B');
  rmSync(keyFile);
  mkdirSync(keyFile);
  await expect(publishQuote(store, 'C')).rejects.toThrow(
    `cannot read the private key of the ledger in ${keyFile}: EISDIR`,
  );
});
