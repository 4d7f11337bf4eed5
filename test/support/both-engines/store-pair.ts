import { Database } from 'bun:sqlite';
import { catalogue } from '../../../src/catalogue/index.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { connected } from '../postgres/databases.ts';
import { sharedPostgres } from '../postgres.ts';
import type { TestFile, TestStore } from '../store.ts';
import { emptyPostgres, emptyStore } from '../store.ts';
import { serviceOver, type TestService } from '../test-server.ts';

/** A store of each engine, which sign their cursors alike. */
export interface Pair extends AsyncDisposable {
  readonly sqlite: TestFile;
  readonly postgres: TestStore;
  /** Serves both. */
  served(): Promise<Served>;
}

/** A server over each of the two. */
export interface Served extends AsyncDisposable {
  readonly sqlite: TestService;
  readonly postgres: TestService;
}

const SECRET = '5e'.repeat(32);

/**
 * Two empty stores. The database of the one has a language, whose order is not that of bytes, and
 * settings that change how values are read and written.
 */
export async function emptyPair(): Promise<Pair> {
  template ??= inEnglish();
  const [sqlite, postgres] = await Promise.all([emptyStore(), emptyPostgres(await template)]);
  await connected(postgres.url, (sql) => sql.unsafe(ODD_SETTINGS));
  using database = new Database(sqlite.path);
  database.run(`UPDATE secrets SET value = x'${SECRET}'`);
  return {
    sqlite,
    postgres,
    served: () => served(sqlite, postgres),
    async [Symbol.asyncDispose]() {
      await Promise.all([sqlite.remove(), postgres.remove()]);
    },
  };
}

async function served(...stores: readonly [TestStore, TestStore]): Promise<Served> {
  // The stores outlive their servers.
  const [sqlite, postgres] = (await Promise.all(
    stores.map((store) => serviceOver({ ...store, remove: async () => {} })),
  )) as [TestService, TestService];
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
async function inEnglish(): Promise<string> {
  const server = await sharedPostgres();
  const name = `tenor_test_en_${crypto.randomUUID().replaceAll('-', '')}`;
  await connected(server.url(), (sql) =>
    sql.unsafe(
      `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' LOCALE_PROVIDER icu ICU_LOCALE 'en' LOCALE 'C'`,
    ),
  );
  const url = server.url(name);
  await openStore(url, catalogue);
  await connected(url, (sql) =>
    sql.unsafe(`UPDATE secrets SET value = decode('${SECRET}', 'hex')`),
  );
  return url;
}
