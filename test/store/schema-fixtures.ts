import { Database } from 'bun:sqlite';
import { afterAll, beforeAll } from 'bun:test';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue } from '../../src/catalogue/index.ts';
import { ensurePrivateFolder, getPrivateFolder } from '../../src/shared/database-folders.ts';
import { openStore, type SchemaChange, type StorePreparation } from '../../src/store/open-store.ts';
import { writeSigners } from '../../src/store/sqlite/signers-file.ts';
import { withConnection } from '../support/postgres/databases.ts';
import { explainMissingPostgres, getSharedPostgres } from '../support/postgres.ts';
import { createTempFolder } from '../support/store.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures/schema');
/** Databases of every version from the first release on, of the engines that there are. */
export const FIXTURE_NAMES = readdirSync(FIXTURES)
  .filter((name) => name.endsWith('.sql'))
  .filter((name) => name.startsWith('sqlite') || explainMissingPostgres() === undefined);

/** Functions that make databases of fixtures, in a folder that is removed after all tests. */
export function useSchemaFixtures() {
  let folder: string;
  const postgresUrls: string[] = [];
  beforeAll(() => {
    folder = createTempFolder();
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    for (const url of postgresUrls) await (await getSharedPostgres()).dropDatabase(url);
  });

  function restoreSqlite(name: string): string {
    const directory = join(folder, crypto.randomUUID());
    mkdirSync(directory);
    const path = join(directory, 'x.db');
    using database = new Database(path, { create: true });
    const sql = readFixtureSql(name);
    database.run(sql);
    database.run('PRAGMA journal_mode = WAL');
    ensurePrivateFolder(getPrivateFolder(path));
    writeSigners(path, sql.match(/(?<=^-- ).+/gm) ?? []);
    return path;
  }

  return {
    inFolder: (name: string) => join(folder, name),
    restoreSqlite,
    /** The URL of a new database with the content of a fixture. */
    async restoreFixture(name: string): Promise<string> {
      if (name.startsWith('sqlite')) return `sqlite:${restoreSqlite(name)}`;
      const url = await (await getSharedPostgres()).createDatabase();
      postgresUrls.push(url);
      await withConnection(url, (sql) => sql.unsafe(readFixtureSql(name)));
      return url;
    },
  };
}

const readFixtureSql = (name: string) => readFileSync(join(FIXTURES, name), 'utf8');

export async function openFixture(url: string, preparation: StorePreparation) {
  const changes: SchemaChange[] = [];
  const onSchemaChange = (change: SchemaChange) => changes.push(change);
  return { store: await openStore(url, catalogue, { preparation, onSchemaChange }), changes };
}
