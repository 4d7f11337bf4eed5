import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue } from '../../src/catalogue/index.ts';
import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import { publishRecords } from '../../src/publish/publish-records.ts';
import { openStore } from '../../src/store/open-store.ts';
import { findStructureFaults } from '../support/find-structure-faults.ts';
import { readFixture } from '../support/fixtures.ts';
import { createTempFolder } from '../support/store.ts';

let folder: string;
let url: string;
beforeEach(() => {
  folder = createTempFolder();
  url = `sqlite:${join(folder, 'x.db')}`;
});
afterEach(() => rmSync(folder, { recursive: true }));

const [quotes, ...others] = catalogue as [Dataset, ...Dataset[]];

async function publishQuotes(datasets: readonly Dataset[]): Promise<void> {
  const publisher = (await openStore(url, datasets)).publisher();
  const records = readFixture(quotes);
  await publishRecords(publisher, { dataset: quotes, records, source: 'a', author: 'a' });
  publisher.close();
}

function query(statement: string): Record<string, unknown>[] {
  using database = new Database(join(folder, 'x.db'));
  return database.query<Record<string, unknown>, []>(statement).all();
}

describe('opening an existing database', () => {
  test('creates the tables of a new dataset', async () => {
    await publishQuotes([quotes]);
    const store = await openStore(url, catalogue);
    const reader = store.reader();
    for (const dataset of others.filter(({ shape }) => shape === 'series')) {
      expect(await reader.read({ kind: 'records', dataset })).toMatchObject({
        revision: 1,
        count: 0,
      });
    }
    reader.close();
  });

  test('creates views and indexes that are missing', async () => {
    await publishQuotes(catalogue);
    query('DROP VIEW quotes');
    query('DROP INDEX quotes_now_by_type');
    const store = await openStore(url, catalogue);
    const inspector = store.inspector();
    expect(await findStructureFaults(inspector)).toEqual([]);
    inspector.close();
  });

  test('does not need the write lock if the schema is up to date', async () => {
    const publisher = (await openStore(url, catalogue)).publisher();
    await publisher.transaction(async () => {
      const reader = (await openStore(url, catalogue)).reader();
      expect(await reader.revision()).toBe(0);
      reader.close();
    });
    publisher.close();
  });
});
