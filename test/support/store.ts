import { Database } from 'bun:sqlite';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SQL } from 'bun';
import { catalogue } from '../../src/catalogue/index.ts';
import type { AnyRecord, Dataset } from '../../src/catalogue/model/dataset.ts';
import { publishRecords } from '../../src/publish/publish-records.ts';
import { getStorageTable } from '../../src/schema/storage-table.ts';
import type { Revision, Store } from '../../src/store/open-store.ts';
import { openStore } from '../../src/store/open-store.ts';
import { citusAbsent, distributedDatabase } from './citus.ts';
import { fixtureOf } from './fixtures.ts';
import type { PostgresDatabases } from './postgres/types.ts';
import { postgresAbsent, sharedPostgres } from './postgres.ts';

/** Every engine that the contract is tested on: its name, and how to get an empty store of it. */
export const engines: readonly Engine[] = [
  { name: 'sqlite', emptyStore, runs: (many) => many },
  ...(postgresAbsent() === undefined
    ? [{ name: 'postgres', emptyStore: reusedPostgres, runs: aFifth }]
    : []),
  ...(citusAbsent() === undefined ? [{ name: 'citus', emptyStore: emptyCitus, runs: aFifth }] : []),
];

export interface Engine {
  readonly name: string;
  emptyStore(): Promise<TestStore>;
  /** How many runs a property gets that makes a store in each: some take longer to make. */
  runs(many: number): number;
}

function aFifth(many: number): number {
  return Math.ceil(many / 5);
}

export interface TestStore extends Store {
  readonly url: string;
  /** Publishes records through the door that all data goes through. */
  publish(dataset: Dataset, records: readonly unknown[]): Promise<Revision | undefined>;
  /** What a statement gives, asked behind the store's back. */
  rows(sql: string): Promise<AnyRecord[]>;
  /** The history of a dataset, as stored. */
  past(dataset: Dataset): Promise<AnyRecord[]>;
  /** Removes what the store left behind. */
  remove(): Promise<void>;
}

export interface TestFile extends TestStore {
  /** The file of an embedded store. */
  readonly path: string;
}

/** An empty embedded store in a folder of its own. */
export async function emptyStore(): Promise<TestFile> {
  const folder = tempFolder();
  const path = join(folder, 'test.db');
  const rows = async (sql: string) => {
    using database = new Database(path, { readonly: true });
    return database.query<AnyRecord, []>(sql).all();
  };
  const remove = async () => rmSync(folder, { recursive: true });
  return { ...(await testStore(`sqlite:${path}`, rows, remove)), path };
}

/** An empty database of its own on the server that the tests share, like another where named. */
export async function emptyPostgres(like?: string): Promise<TestStore> {
  const server = await sharedPostgres();
  template ??= migrated(server);
  const url = await server.createDatabase(undefined, like ?? (await template));
  return postgresStore(url, () => server.dropDatabase(url));
}

/**
 * The same, emptied and given to the next who asks rather than dropped: for tests that change data
 * only. A server of the tester's own is left as it was.
 */
async function reusedPostgres(): Promise<TestStore> {
  if (process.env.TENOR_TEST_POSTGRES) return emptyPostgres();
  const url = free.pop() ?? (await emptyPostgres()).url;
  const store = await postgresStore(url, async () => {
    await store.rows(EMPTYING);
    free.push(url);
  });
  return store;
}

const free: string[] = [];
const EMPTYING = `DO $$ DECLARE name text; BEGIN
  FOR name IN SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace
    AND relkind = 'r' AND relname NOT IN ('secrets', 'tenor_schema')
  LOOP EXECUTE format('DELETE FROM %I', name); END LOOP;
END $$`;

/** An empty database of its own on the cluster that the tests share, with its quotes spread. */
export async function emptyCitus(): Promise<TestStore> {
  const { url, giveBack } = await distributedDatabase();
  return postgresStore(url, giveBack);
}

async function postgresStore(url: string, remove: TestStore['remove']): Promise<TestStore> {
  const rows = async (sql: string) => {
    const connection = new SQL(url, { max: 1, bigint: true });
    try {
      const rows: AnyRecord[] = await connection.unsafe(sql);
      return rows.map((row) =>
        Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])),
      );
    } finally {
      await connection.close();
    }
  };
  return testStore(url, rows, remove);
}

/** A database with all tables and no data: a copy of it takes less time than making them. */
let template: Promise<string> | undefined;

async function migrated(server: PostgresDatabases): Promise<string> {
  const url = await server.createDatabase();
  await openStore(url, catalogue);
  return url;
}

/** Days and large numbers as the other engine gives them. */
function plain(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString().slice(0, 10);
  return typeof value === 'bigint' ? Number(value) : value;
}

async function testStore(
  url: string,
  rows: TestStore['rows'],
  remove: TestStore['remove'],
): Promise<TestStore> {
  const store = await openStore(url, catalogue);
  return {
    ...store,
    url,
    rows,
    past: (dataset) =>
      rows(`SELECT record, since, until FROM ${getStorageTable(dataset).historyTable}`),
    publish: (dataset, records) => publishInto(store, dataset, records),
    remove,
  };
}

/** An embedded store that holds every dataset's fixture. */
export async function filledStore(): Promise<TestFile> {
  return filled(await emptyStore());
}

/** A store with every dataset's fixture put into it. */
export async function filled<T extends TestStore>(store: T): Promise<T> {
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
    return await publishRecords(publisher, { dataset, records, source: 'test', author: 'test' });
  } finally {
    publisher.close();
  }
}
