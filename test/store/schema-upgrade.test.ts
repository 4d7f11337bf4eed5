import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { chmodSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue } from '../../src/catalogue/index.ts';
import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import { publishRecords } from '../../src/publish/publish-records.ts';
import { openStore, type StoredToken } from '../../src/store/open-store.ts';
import {
  CREATE_TOKENS_TABLE,
  DROP_TOKENS_TABLE,
  getMigrations,
} from '../../src/store/sql/schema.ts';
import { sqliteTableDialect } from '../../src/store/sqlite/dialect.ts';
import { findStructureFaults } from '../support/find-structure-faults.ts';
import { readFixture } from '../support/fixtures.ts';
import { createTempFolder } from '../support/store.ts';

const LOG_TABLES = ['revision_digests', 'ledger_hashes', 'ledger_keys'];

let folder: string;
let url: string;
beforeEach(() => {
  folder = createTempFolder();
  url = `sqlite:${join(folder, 'x.db')}`;
});
afterEach(() => rmSync(folder, { recursive: true }));

const [quotes, ...others] = catalogue as [Dataset, ...Dataset[]];

/** The schema version from which SQLite has tokens in their own file. */
const TOKENS_MOVED_VERSION = getMigrations(sqliteTableDialect).indexOf(DROP_TOKENS_TABLE) + 1;

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

/** Reverts the schema to its first version. */
function downgradeSchema(): void {
  const indexes = ['revisions_by_dataset', 'revisions_by_instant'];
  const columns = ['files', 'report', 'newest', 'checksum', 'options'];
  for (const name of indexes) query(`DROP INDEX ${name}`);
  for (const name of columns) query(`ALTER TABLE revisions DROP COLUMN ${name}`);
  for (const name of ['secrets', 'archived_terms', ...LOG_TABLES]) query(`DROP TABLE ${name}`);
  query('PRAGMA user_version = 1');
}

describe('opening an existing database', () => {
  test('migrates the schema of the first version and keeps the data', async () => {
    await publishQuotes(catalogue);
    downgradeSchema();
    const store = await openStore(url, catalogue);
    const tokens = store.tokens();
    expect(await tokens.all()).toEqual([]);
    tokens.close();
    const reader = store.reader();
    // The migration that adds conventions is a revision.
    expect(await reader.revision()).toBe(2);
    expect((await reader.secret()).length).toBe(32);
    reader.close();
    expect(query('PRAGMA user_version')).toEqual([
      { user_version: getMigrations(sqliteTableDialect).length },
    ]);
  });

  test('moves tokens from the database to their own file, and what was revoked there stays revoked', async () => {
    const token = {
      name: 'a',
      scopes: ['quotes', 'funds'],
      rate: '5/min',
      createdAt: '2026-01-01T00:00:00.000Z',
      expiresAt: '2030-01-01T00:00:00.000Z',
      revokedAt: null,
      lastUsedAt: '2026-01-02T00:00:00.000Z',
      target: null,
    };
    const [kept, revoked] = ['kept', 'revoked'].map((id) => ({ ...token, id, digest: id }));
    const restoreOldTokens = () => {
      query(CREATE_TOKENS_TABLE);
      for (const id of ['kept', 'revoked']) {
        query(`INSERT INTO tokens VALUES ('${id}', 'a', '${id}', 'quotes funds', '5/min',
          '${token.createdAt}', '${token.expiresAt}', NULL, '${token.lastUsedAt}')`);
      }
      query('DROP TABLE archived_terms');
      for (const name of LOG_TABLES) query(`DROP TABLE ${name}`);
      query('ALTER TABLE revisions DROP COLUMN options');
      query(`PRAGMA user_version = ${TOKENS_MOVED_VERSION - 1}`);
    };
    await openStore(url, catalogue);
    restoreOldTokens();
    chmodSync(join(folder, 'x.db'), 0o640);
    const tokens = (await openStore(url, catalogue)).tokens();
    expect(await tokens.all()).toEqual([kept, revoked] as StoredToken[]);
    expect(query("SELECT 1 FROM sqlite_schema WHERE name = 'tokens'")).toEqual([]);
    // Whoever could read the database before can read the tokens still.
    expect(statSync(join(folder, 'x.db-tokens')).mode & 0o777).toBe(0o640);
    await tokens.update('revoked', { revokedAt: '2026-01-03T00:00:00.000Z' });
    restoreOldTokens();
    await openStore(url, catalogue);
    const listRevoked = async () => (await tokens.all()).map(({ revokedAt }) => revokedAt !== null);
    expect(await listRevoked()).toEqual([false, true]);
    // An older program, which knows of no other file, has revoked one as well.
    restoreOldTokens();
    query("UPDATE tokens SET revoked_at = '2026-01-04T00:00:00.000Z' WHERE id = 'kept'");
    await openStore(url, catalogue);
    expect(await listRevoked()).toEqual([true, true]);
    tokens.close();
  });

  test('creates the tables of a new dataset', async () => {
    await publishQuotes([quotes]);
    const store = await openStore(url, catalogue);
    const reader = store.reader();
    for (const dataset of others.filter(({ shape }) => shape === 'series')) {
      expect(await reader.read({ kind: 'series', dataset })).toMatchObject({
        revision: 1,
        count: 0,
      });
    }
    reader.close();
  });

  test('recreates an outdated view', async () => {
    await publishQuotes(catalogue);
    query('DROP VIEW quotes');
    query("CREATE VIEW quotes AS SELECT record ->> '$.symbol' AS symbol FROM quotes_now");
    await openStore(url, catalogue);
    const [row = {}] = query('SELECT * FROM quotes');
    expect(Object.keys(row)).toEqual([...Object.keys(quotes.fields), 'revision']);
  });

  test('recreates an outdated index', async () => {
    await publishQuotes(catalogue);
    query('DROP INDEX quotes_now_by_type');
    query('CREATE INDEX quotes_now_by_type ON quotes_now (type, date DESC, symbol)');
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
