import { Database } from 'bun:sqlite';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SQL } from 'bun';
import { datasets } from '../../src/catalogue/datasets/datasets.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { AnyRecord, Dataset } from '../../src/catalogue/model/dataset.ts';
import { publishRecords } from '../../src/publish/publish-records.ts';
import { getStorageTable } from '../../src/schema/storage-table.ts';
import { ensurePrivateFolder, getPrivateFolder } from '../../src/shared/database-folders.ts';
import { openStore, type Revision, type Store } from '../../src/store/open-store.ts';
import type { Connector } from '../../src/store/postgres/connection-pool.ts';
import { singleServerDialect } from '../../src/store/postgres/dialect.ts';
import { createPostgresStore as connectToServers } from '../../src/store/postgres/open-postgres.ts';
import { readSigners, writeSigners } from '../../src/store/sqlite/signers-file.ts';
import { acquireDistributedDatabase, explainMissingCitus } from './citus.ts';
import { readFixture } from './fixtures.ts';
import { createReusingConnector } from './postgres/reusing-connector.ts';
import type { PostgresDatabases } from './postgres/types.ts';
import { explainMissingPostgres, getSharedPostgres } from './postgres.ts';

/** How many times as many runs as usual: a thorough trial takes hours. */
export const REPETITIONS = Number(process.env.TENOR_TEST_RUNS ?? 1);

/** All datasets but series that differ from another by their names alone. */
const differing = catalogue.filter((dataset, index) => {
  const describeStored = ({ shape, name, period, fields }: Dataset) =>
    shape === 'series'
      ? `${period?.kind.periodsPerYear} ${Object.values(fields).some(({ itemFields }) => itemFields)}`
      : name;
  const stored = describeStored(dataset);
  return index === catalogue.findIndex((other) => describeStored(other) === stored);
});

/** What takes longer than on SQLite. */
const OTHER_ENGINE = {
  datasets: catalogue.filter(
    ({ shape }, index) =>
      shape !== 'series' || index === catalogue.findIndex((other) => other.shape === shape),
  ),
  scaleRuns: (many: number) => Math.ceil((many * REPETITIONS) / 5),
};

/** The engines that the contract is tested on. */
export const ENGINES: readonly Engine[] = [
  { name: 'sqlite', createStore, datasets: differing, scaleRuns: (many) => many * REPETITIONS },
  ...(explainMissingPostgres() === undefined
    ? [{ name: 'postgres', createStore: reusePostgresStore, ...OTHER_ENGINE }]
    : []),
  ...(explainMissingCitus() === undefined
    ? [{ name: 'citus', createStore: createCitusStore, ...OTHER_ENGINE }]
    : []),
];

export interface Engine {
  readonly name: string;
  createStore(): Promise<TestStore>;
  /** Those that differ in how they are stored: series differ by declaration alone. */
  readonly datasets: readonly Dataset[];
  /** The runs of a property that creates a store in each: fewer where that takes longer. */
  scaleRuns(many: number): number;
}

export interface TestStore extends Store, AsyncDisposable {
  readonly url: string;
  /** Publishes records as loads do. */
  publish(dataset: Dataset, records: readonly unknown[]): Promise<Revision | undefined>;
  /** The rows of a statement, on a connection of its own. */
  query(sql: string): Promise<AnyRecord[]>;
  /** The history table of a dataset. */
  history(dataset: Dataset): Promise<AnyRecord[]>;
  /** Whether a publisher was closed since the last call. */
  takePublished?(): boolean;
  /** Closes what is still open, and removes the database; so does the end of `await using`. */
  remove(): Promise<void>;
}

export interface SqliteTestStore extends TestStore {
  readonly path: string;
}

/** An empty SQLite store in a folder of its own. */
export async function createStore(): Promise<SqliteTestStore> {
  emptyDatabase ??= createDatabaseFile();
  return openDatabaseFile(await emptyDatabase);
}

/** An empty database at a path, which most commands need. */
export async function createEmptyDatabase(path: string): Promise<void> {
  emptyDatabase ??= createDatabaseFile();
  writeDatabase(path, await emptyDatabase);
}

let emptyDatabase: Promise<Uint8Array> | undefined;

/** The bytes of a database file: copying one takes less time than creating and filling another. */
export async function createDatabaseFile(
  fill?: (store: Store) => Promise<void>,
): Promise<Uint8Array> {
  const folder = createTempFolder();
  try {
    const path = join(folder, 'test.db');
    const store = await openStore(`sqlite:${path}`, catalogue);
    await fill?.(store);
    checkpoint(path);
    const bytes = readFileSync(path);
    privateKeys.set(bytes, readSigners(path));
    return bytes;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Those of the ledgers in files that were read: a publication to a copy needs them. */
const privateKeys = new WeakMap<Uint8Array, readonly string[]>();

/** Writes the bytes of a database, and what belongs into its private folder. */
function writeDatabase(path: string, bytes: Uint8Array): void {
  writeFileSync(path, bytes);
  writePrivateKeys(bytes, path);
}

/** Adds those of the bytes of a database to those of the file that they are written to. */
export function writePrivateKeys(bytes: Uint8Array, path: string): void {
  ensurePrivateFolder(getPrivateFolder(path));
  const keys = privateKeys.get(bytes) ?? [];
  if (keys.length > 0) writeSigners(path, [...readSigners(path), ...keys]);
}

/** Moves the write-ahead log into the database file, so that a copy of the file is complete. */
export function checkpoint(path: string): void {
  runSqlite(path, 'PRAGMA wal_checkpoint(TRUNCATE)');
}

export function runSqlite(path: string, sql: string): void {
  using database = new Database(path);
  database.run(sql);
}

/** A SQLite store on a copy of a database file, with a signing secret of its own. */
export async function openDatabaseFile(bytes: Uint8Array): Promise<SqliteTestStore> {
  const folder = createTempFolder();
  const path = join(folder, 'test.db');
  writeDatabase(path, bytes);
  runSqlite(path, 'UPDATE secrets SET value = randomblob(32)');
  const rows = async (sql: string) => {
    using database = new Database(path, { readonly: true });
    return database.query<AnyRecord, []>(sql).all();
  };
  const remove = async () => rmSync(folder, { recursive: true });
  const url = `sqlite:${path}`;
  return { ...toTestStore(await openStore(url, catalogue), url, rows, remove), path };
}

/** An empty database on the shared server, or a copy of another one. */
export async function createPostgresStore(sourceUrl?: string): Promise<TestStore> {
  const server = await getSharedPostgres();
  templateUrl ??= createTemplate(server);
  const url = await server.createDatabase(undefined, sourceUrl ?? (await templateUrl));
  return openPostgresStore(url, () => server.dropDatabase(url));
}

/**
 * An empty database that is emptied and reused rather than dropped, for tests that change only data.
 * On a server that `TENOR_TEST_POSTGRES` names, every database is dropped.
 */
export async function reusePostgresStore(): Promise<TestStore> {
  if (process.env.TENOR_TEST_POSTGRES) return createPostgresStore();
  const idle = idleDatabases.pop() ?? (await createReusableDatabase());
  const { url, connection, connector } = idle;
  // Another store than before: a test may still hold what knows the revisions of the last one.
  const servers = { url, urls: [url], dialect: singleServerDialect, catalogue };
  const store = toTestStore(
    connectToServers(servers, { connector }),
    url,
    (sql) => readRows(connection, sql),
    async () => {
      await connection.unsafe(DELETE_ALL_SQL);
      idleDatabases.push(idle);
    },
  );
  // Readers and publishers share connections until the last of them is closed: with this one, they
  // are opened once in a test.
  store.tokens();
  return store;
}

interface ReusableDatabase {
  readonly url: string;
  /** For what is not done by the store. */
  readonly connection: SQL;
  /** Connections stay open, because tables take long to read about for a new one. */
  readonly connector: Connector;
}

const idleDatabases: ReusableDatabase[] = [];

async function createReusableDatabase(): Promise<ReusableDatabase> {
  const { url } = await createPostgresStore();
  return { url, connection: connect(url), connector: createReusingConnector() };
}

const DELETE_ALL_SQL = `DO $$ DECLARE name text; BEGIN
  FOR name IN SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace
    AND relkind = 'r' AND relname NOT IN ('secrets', 'tenor_schema')
  LOOP EXECUTE format('DELETE FROM %I', name); END LOOP;
END $$`;

/** An empty database on the cluster, with distributed quotes. */
export async function createCitusStore(): Promise<TestStore> {
  const { url, release: giveBack } = await acquireDistributedDatabase();
  return openPostgresStore(url, giveBack);
}

export async function openPostgresStore(
  url: string,
  remove: TestStore['remove'],
): Promise<TestStore> {
  return toTestStore(await openStore(url, catalogue), url, queryPostgres(url), remove);
}

function queryPostgres(url: string): TestStore['query'] {
  return async (sql) => {
    const connection = connect(url);
    try {
      return await readRows(connection, sql);
    } finally {
      await connection.close();
    }
  };
}

function connect(url: string): SQL {
  return new SQL(url, { max: 1, bigint: true });
}

async function readRows(connection: SQL, sql: string): Promise<AnyRecord[]> {
  const rows: AnyRecord[] = await connection.unsafe(sql);
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, toPlainValue(value)])),
  );
}

/** A database with all tables and no data: copying it is faster than migrating another. */
let templateUrl: Promise<string> | undefined;

async function createTemplate(server: PostgresDatabases): Promise<string> {
  const url = await server.createDatabase();
  await openStore(url, catalogue);
  return url;
}

/** Dates and large numbers as SQLite returns them. */
function toPlainValue(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString().slice(0, 10);
  return typeof value === 'bigint' ? Number(value) : value;
}

function toTestStore(
  store: Store,
  url: string,
  rows: TestStore['query'],
  remove: TestStore['remove'],
): TestStore {
  let hasPublished = false;
  const opened = new Set<() => void>();
  const track = <T extends { close(): void }>(part: T, onClose?: () => void): T => {
    const close = () => {
      if (!opened.delete(close)) return;
      onClose?.();
      part.close();
    };
    opened.add(close);
    return { ...part, close };
  };
  // Earlier revisions may have made-up instants.
  const publisher: Store['publisher'] = (options) =>
    track(store.publisher({ allowsClockSkew: true, ...options }), () => {
      hasPublished = true;
    });
  let removal: Promise<void> | undefined;
  const removeOnce = () => {
    for (const close of opened) close();
    removal ??= remove();
    return removal;
  };
  return {
    ...store,
    publisher,
    reader: (options) => track(store.reader(options)),
    inspector: () => track(store.inspector()),
    tokens: () => track(store.tokens()),
    candidates: () => track(store.candidates()),
    url,
    query: rows,
    history: (dataset) =>
      rows(`SELECT record, since, until FROM ${getStorageTable(dataset).historyTable}`),
    publish: (dataset, records) => publishTo({ publisher }, dataset, records),
    takePublished() {
      const published = hasPublished;
      hasPublished = false;
      return published;
    },
    remove: removeOnce,
    [Symbol.asyncDispose]: removeOnce,
  };
}

/** A SQLite store with the fixtures of all datasets. */
export async function createFilledStore(): Promise<SqliteTestStore> {
  filledDatabase ??= createDatabaseFile(publishFixtures);
  return openDatabaseFile(await filledDatabase);
}

let filledDatabase: Promise<Uint8Array> | undefined;

/** The datasets that `fillStore` publishes: declarations would add others to them. */
export const FILLED_DATASETS = catalogue.filter((dataset) => dataset !== datasets);

/** Publishes the fixtures of all datasets but declarations, in a revision each. */
export async function fillStore<T extends TestStore>(store: T): Promise<T> {
  await publishFixtures(store);
  return store;
}

async function publishFixtures(store: Store): Promise<void> {
  for (const dataset of FILLED_DATASETS) await publishTo(store, dataset, readFixture(dataset));
}

/** A new folder for the files of a test. */
export function createTempFolder(): string {
  return mkdtempSync(join(tmpdir(), 'tenor-test-'));
}

async function publishTo(
  store: Pick<Store, 'publisher'>,
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
