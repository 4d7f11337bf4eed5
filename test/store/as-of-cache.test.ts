import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { type Quote, quotes } from '../../src/catalogue/datasets/quotes.ts';
import { serializeRecord } from '../../src/schema/serialize-record.ts';
import type { QuoteSelection } from '../../src/store/open-store.ts';
import { readSelection } from '../../src/store/sql/read-selection.ts';
import { AsOfCache } from '../../src/store/sql/select-records.ts';
import { sqliteDialect } from '../../src/store/sqlite/dialect.ts';
import { createReadSession } from '../../src/store/sqlite/session.ts';
import { closeAfterEach } from '../support/close-after-each.ts';
import { quote } from '../support/quote-fixture.ts';
import { checkpoint, createStore, openDatabaseFile } from '../support/store.ts';

const { removing } = closeAfterEach();

test('a revision is read from a replica that lags, after a server that has superseded all of it', async () => {
  const primary = removing(await createStore());
  const records = ['ZZ1', 'ZZ2'].map((symbol) => quote({ symbol }));
  await primary.publish(quotes, records);
  checkpoint(primary.path);
  const replica = removing(await openDatabaseFile(readFileSync(primary.path)));
  await primary.publish(
    quotes,
    records.map((record): Quote => ({ ...record, volume: 7 })),
  );
  const cache = new AsOfCache();
  const dateRange = [quote({}).date, quote({}).date] as const;
  const selection: QuoteSelection = {
    kind: 'quotes',
    dataset: quotes,
    limit: 5,
    dateRange,
    asOf: 1,
  };
  const read = async (database: Database) =>
    createReadSession(database).run(() => readSelection(selection, sqliteDialect, cache), {
      isSingleStatement: true,
    });
  const expected = {
    revision: 1,
    count: 2,
    records: records.map((record) => serializeRecord(quotes, record)).join(','),
  };
  using current = new Database(primary.path);
  using lagging = new Database(replica.path);
  // Looked up, then as cached.
  for (const database of [current, current, lagging, lagging, current])
    expect(await read(database)).toEqual(expected);
});
