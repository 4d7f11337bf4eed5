import { Database } from 'bun:sqlite';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AnyRecord, Dataset } from '../../src/catalogue/dataset.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { tableOf } from '../../src/derive/table.ts';
import { publish } from '../../src/publish/publish.ts';
import type { Revision, Store } from '../../src/store/index.ts';
import { openStore } from '../../src/store/index.ts';
import { fixtureOf } from './fixtures.ts';

/** Every engine that the contract is tested on: its name, and how to get an empty store of it. */
export const engines: readonly { name: string; emptyStore: () => TestStore }[] = [
  { name: 'sqlite', emptyStore },
];

export interface TestStore extends Store {
  /** Publishes records through the door that all data goes through. */
  publish(dataset: Dataset, records: readonly unknown[]): Promise<Revision | undefined>;
  /** What a statement gives, asked behind the store's back. */
  rows(sql: string): Promise<AnyRecord[]>;
  /** The history of a dataset, as stored. */
  past(dataset: Dataset): Promise<AnyRecord[]>;
  /** Removes what the store left behind. */
  remove(): void;
}

/** An empty embedded store in a folder of its own. */
export function emptyStore(): TestStore {
  const folder = tempFolder();
  const store = openStore(`sqlite:${join(folder, 'test.db')}`, catalogue);
  const rows = async (sql: string) => {
    using database = new Database(store.path, { readonly: true });
    return database.query<AnyRecord, []>(sql).all();
  };
  return {
    ...store,
    rows,
    past: (dataset) => rows(`SELECT record, since, until FROM ${tableOf(dataset).past}`),
    publish: (dataset, records) => publishInto(store, dataset, records),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** An embedded store that holds every dataset's fixture. */
export async function filledStore(): Promise<TestStore> {
  const store = emptyStore();
  for (const dataset of catalogue) await store.publish(dataset, fixtureOf(dataset));
  return store;
}

/** A new folder for a test's files. */
export function tempFolder(): string {
  return mkdtempSync(join(tmpdir(), 'tenor-test-'));
}

async function publishInto(
  store: Store,
  dataset: Dataset,
  records: readonly unknown[],
): Promise<Revision | undefined> {
  const publisher = store.publisher();
  try {
    return await publish(publisher, { dataset, records, source: 'test', author: 'test' });
  } finally {
    publisher.close();
  }
}
