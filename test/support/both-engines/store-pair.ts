import { Database } from 'bun:sqlite';
import { catalogue } from '../../../src/catalogue/index.ts';
import { startThread } from '../../../src/http/server/thread/start-thread.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { withConnection } from '../postgres/databases.ts';
import { getSharedPostgres } from '../postgres.ts';
import {
  createPostgresStore,
  createStore,
  type SqliteTestStore,
  type TestStore,
} from '../store.ts';
import { startTestServer, type TestServer } from '../test-server.ts';

/** A store of each engine, which sign their cursors alike. */
export interface StorePair extends AsyncDisposable {
  readonly sqlite: SqliteTestStore;
  readonly postgres: TestStore;
  /** Serves both. */
  startServers(): Promise<ServerPair>;
}

/** A server over each of the two. */
export interface ServerPair extends AsyncDisposable {
  readonly sqlite: TestServer;
  readonly postgres: TestServer;
}

const SECRET = '5e'.repeat(32);

/**
 * Two empty stores. The database of the one has a language, whose order is not that of bytes, and
 * settings that change how values are read and written.
 */
export async function createStorePair(): Promise<StorePair> {
  template ??= createEnglishTemplate();
  const [sqlite, postgres] = await Promise.all([
    createStore(),
    createPostgresStore(await template),
  ]);
  await withConnection(postgres.url, (sql) => sql.unsafe(ODD_SETTINGS));
  using database = new Database(sqlite.path);
  database.run(`UPDATE secrets SET value = x'${SECRET}'`);
  return {
    sqlite,
    postgres,
    startServers: () => startServerPair(sqlite, postgres),
    async [Symbol.asyncDispose]() {
      await Promise.all([sqlite.remove(), postgres.remove()]);
    },
  };
}

async function startServerPair(...stores: readonly [TestStore, TestStore]): Promise<ServerPair> {
  // The stores outlive their servers.
  const [sqlite, postgres] = (await Promise.all(
    // With background threads of their own, as they are served.
    stores.map((store) => startTestServer({ ...store, remove: async () => {} }, { startThread })),
  )) as [TestServer, TestServer];
  return {
    sqlite,
    postgres,
    async [Symbol.asyncDispose]() {
      await Promise.all([sqlite.stop(), postgres.stop()]);
    },
  };
}

const ODD_SETTINGS = `DO $$ DECLARE setting text; BEGIN
  FOREACH setting IN ARRAY ARRAY['DateStyle = German', 'IntervalStyle = sql_standard',
    'bytea_output = escape', 'extra_float_digits = -15', 'array_nulls = off',
    'quote_all_identifiers = on', 'standard_conforming_strings = off', 'transform_null_equals = on',
    'default_transaction_isolation = serializable', 'default_transaction_deferrable = on']
  LOOP
    EXECUTE format('ALTER DATABASE %I SET ', current_database()) || setting;
  END LOOP;
END $$`;

let template: Promise<string> | undefined;

/** A database with all tables and no data, in which letters are ordered as in a dictionary. */
async function createEnglishTemplate(): Promise<string> {
  const server = await getSharedPostgres();
  const name = `tenor_test_en_${crypto.randomUUID().replaceAll('-', '')}`;
  await withConnection(server.url(), (sql) =>
    sql.unsafe(
      `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' LOCALE_PROVIDER icu ICU_LOCALE 'en' LOCALE 'C'`,
    ),
  );
  const url = server.url(name);
  await openStore(url, catalogue);
  await withConnection(url, (sql) =>
    sql.unsafe(`UPDATE secrets SET value = decode('${SECRET}', 'hex')`),
  );
  return url;
}
