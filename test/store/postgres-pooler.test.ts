import { expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { publishRecords } from '../../src/publish/publish-records.ts';
import { openReader } from '../../src/store/open-reader.ts';
import { openStore, type ReaderSource } from '../../src/store/open-store.ts';
import { generateQuotes } from '../support/generate-quotes.ts';
import { startPoolerProxy } from '../support/pooler-proxy.ts';
import { explainMissingPostgres } from '../support/postgres.ts';
import { createPostgresStore } from '../support/store.ts';

test.skipIf(explainMissingPostgres() !== undefined)(
  'a connection pooler is found out, and used without settings and prepared statements',
  async () => {
    await using direct = await createPostgresStore();
    const pooler = startPoolerProxy(Number(new URL(direct.url).port));
    const url = direct.url.replace(/:\d+\//, `:${pooler.port}/`);
    const store = await openStore(url, catalogue);
    const publisher = store.publisher();
    await publishRecords(publisher, {
      dataset: quotes,
      records: generateQuotes(['2026-06-01', '2026-06-02'], 3),
      source: 'test',
      author: 'test',
    });
    publisher.close();
    const readers = [store.reader(), openReader(store.readerSource as ReaderSource)];
    for (const reader of readers) {
      const result = await reader.read({ kind: 'quotes', dataset: quotes, limit: 5 });
      expect(result).toMatchObject({ revision: 1, count: 3 });
      const records = await Array.fromAsync(reader.records(quotes));
      expect(records.flat()).toHaveLength(6);
      reader.close();
    }
    expect([...pooler.preparedStatements]).toEqual([]);
    pooler.stop();
  },
  120_000,
);
