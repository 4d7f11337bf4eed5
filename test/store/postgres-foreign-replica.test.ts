import { expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { publishRecords } from '../../src/publish/publish-records.ts';
import { openStore } from '../../src/store/open-store.ts';
import { retryUntil } from '../support/eventually.ts';
import { generateQuotes } from '../support/generate-quotes.ts';
import { explainMissingPostgres, getSharedPostgres } from '../support/postgres.ts';

test.skipIf(explainMissingPostgres() !== undefined)(
  'an address of a replica that leads to another store is never read from, and told of',
  async () => {
    const server = await getSharedPostgres();
    const [own, other] = [await server.createDatabase(), await server.createDatabase()];
    const publishing = async (url: string, days: readonly string[]) => {
      const publisher = (await openStore(url, catalogue)).publisher();
      for (const day of days) {
        const records = generateQuotes([day], 1);
        await publishRecords(publisher, {
          dataset: quotes,
          records,
          source: 'test',
          author: 'test',
        });
      }
      publisher.close();
    };
    await publishing(own, ['2026-06-01']);
    await publishing(other, ['2026-06-02', '2026-06-03', '2026-06-04']);
    const told: string[] = [];
    const store = await openStore(own, catalogue, {
      replicas: [other],
      onHealthChange: (_, condition) => told.push(condition),
    });
    const reader = store.reader();
    for (let round = 0; round < 5; round++) {
      const result = await reader.read({ kind: 'quotes', dataset: quotes, limit: 5 });
      expect(result.revision).toBe(1);
      expect(result.records).toContain('2026-06-01');
      expect(await reader.revision()).toBe(1);
    }
    // It is told when it is next heard, where the other one was heard first.
    await retryUntil(10_000, async () => expect(told.at(-1)).toBe('diverged'));
    reader.close();
    for (const url of [own, other]) await server.dropDatabase(url);
  },
);
