import { expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { publishRecords } from '../../src/publish/publish-records.ts';
import { openStore } from '../../src/store/open-store.ts';
import { retryUntil } from '../support/eventually.ts';
import { generateQuotes } from '../support/generate-quotes.ts';
import { explainMissingPostgres, getSharedPostgres } from '../support/postgres.ts';

test.skipIf(explainMissingPostgres() !== undefined)(
  'a replica URL of another store is never read from, and is reported as diverged',
  async () => {
    const server = await getSharedPostgres();
    const [url, otherUrl] = [await server.createDatabase(), await server.createDatabase()];
    const publishDays = async (databaseUrl: string, days: readonly string[]) => {
      const publisher = (await openStore(databaseUrl, catalogue)).publisher();
      for (const day of days) {
        const change = { dataset: quotes, source: 'test', author: 'test' };
        await publishRecords(publisher, { ...change, records: generateQuotes([day], 1) });
      }
      publisher.close();
    };
    await publishDays(url, ['2026-06-01']);
    await publishDays(otherUrl, ['2026-06-02', '2026-06-03', '2026-06-04']);
    const reported: string[] = [];
    const store = await openStore(url, catalogue, {
      replicas: [otherUrl],
      onHealthChange: (_, health) => reported.push(health),
    });
    const reader = store.reader();
    for (let round = 0; round < 5; round++) {
      const result = await reader.read({ kind: 'quotes', dataset: quotes, limit: 5 });
      expect(result.revision).toBe(1);
      expect(result.records).toContain('2026-06-01');
      expect(await reader.revision()).toBe(1);
    }
    // If the replica's heartbeat came first, it is reported with the next one.
    await retryUntil(10_000, async () => expect(reported.at(-1)).toBe('diverged'));
    reader.close();
    await server.dropDatabase(url);
    await server.dropDatabase(otherUrl);
  },
);
