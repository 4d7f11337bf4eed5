import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { catalogue } from '../../../src/catalogue/index.ts';
import { checkDatabase } from '../../../src/publish/check/check-database.ts';
import { getStorageTable } from '../../../src/schema/storage-table.ts';
import { openInspector, openStore, StoreUnusableError } from '../../../src/store/open-store.ts';
import { readFixture } from '../../support/fixtures.ts';
import { withConnection } from '../../support/postgres/databases.ts';
import { explainMissingPostgres, getSharedPostgres } from '../../support/postgres.ts';
import { buildCorrection, getKey, publishAt } from '../../support/publish-at.ts';
import { createPostgresStore, type TestStore } from '../../support/store.ts';

// The first who asks for a server waits until it has started.
setDefaultTimeout(120_000);

/** One dataset of each shape. */
const datasets = ['quotes', 'fund', 'series', 'reference'].flatMap((shape) =>
  catalogue.filter((dataset) => dataset.shape === shape).slice(0, 1),
);
const LAST = 2 * datasets.length;

describe.skipIf(explainMissingPostgres() !== undefined)(
  'the check of a PostgreSQL database',
  () => {
    let clean: TestStore;
    beforeAll(async () => {
      clean = await wholeStore();
    });
    afterAll(() => clean.remove());

    /** What a check finds in a copy of the whole database that statements have damaged. */
    async function faultsAfter(...statements: readonly string[]): Promise<string> {
      const server = await getSharedPostgres();
      const url = await server.createDatabase(undefined, clean.url);
      try {
        await withConnection(url, async (sql) => {
          for (const statement of statements) await sql.unsafe(statement);
        });
        return (await faultsAt(url)).join('\n');
      } finally {
        await server.dropDatabase(url);
      }
    }

    test('reports no fault in an undamaged one', async () => {
      expect(await faultsAfter()).toBe('');
    });

    for (const dataset of datasets) {
      const { currentTable, historyTable, columns, fixed } = getStorageTable(dataset);
      const names = [...fixed, ...columns].map(({ name }) => name);
      const stored = [...names, 'record', 'since'].join(', ');
      const row = new RegExp(`^${dataset.name}, record .* of revision \\d+: `, 'm');
      const revision = /^revision \d+: (the ledger says|its checksum does not match)/m;
      const [first] = columns;
      const other = first?.type === 'text' ? "'x'" : '7';
      const one = `ctid = (SELECT ctid FROM ${historyTable} LIMIT 1)`;

      test.each<[string, string, RegExp]>([
        ['another text', `UPDATE ${currentTable} SET record = replace(record, '2', '3')`, revision],
        ['another text of the past', `UPDATE ${historyTable} SET record = record || ' '`, row],
        ['a text that is none', `UPDATE ${currentTable} SET record = '{'`, row],
        [
          'a changed column',
          `UPDATE ${historyTable} SET ${first?.name} = ${other} WHERE ${one}`,
          /column \w+ is not what the record says/,
        ],
        [
          'a changed start of validity',
          `UPDATE ${currentTable} SET since = 999`,
          /999 is not in the ledger for it/,
        ],
        [
          'a changed end of validity',
          `UPDATE ${historyTable} SET until = 999`,
          /999 is not in the ledger for it/,
        ],
        ['a removed row', `DELETE FROM ${currentTable}`, revision],
        ['a removed row of the past', `DELETE FROM ${historyTable}`, revision],
        [
          'a retired record that was restored',
          `INSERT INTO ${currentTable} (${stored}) SELECT ${stored}
          FROM ${historyTable} ON CONFLICT DO NOTHING`,
          /it is valid from \d+ to \w+, which is impossible/,
        ],
      ])(`finds in ${dataset.name} %s`, async (_, damage, fault) => {
        expect(await faultsAfter(damage)).toMatch(fault);
      });
    }

    test.each([
      ['dataset', "'x'", new RegExp(`revision ${LAST} is not in the ledger for it`)],
      ['published_at', "'2030-01-01T00:00:00.000Z'", /published before the one it follows/],
      ['source', "'x'", /its checksum/],
      ['files', "'[{'", /its checksum/],
      ['sample', '2', /its checksum/],
      ['added', 'added + 1', /the ledger says/],
      ['report', "replace(report, 'e-7', 'E-7')", /its checksum/],
      ['newest', "'2031-01-01'", /its checksum/],
      ['checksum', 'NULL', /its checksum is gone/],
    ])('finds in the ledger another %s: %s', async (column, value, fault) => {
      const damage = `UPDATE revisions SET ${column} = ${value} WHERE revision = ${LAST}`;
      expect(await faultsAfter(damage)).toMatch(fault);
    });

    test('finds missing entries of the ledger', async () => {
      const gone = 'DELETE FROM revisions WHERE revision';
      expect(await faultsAfter(`${gone} = 3`)).toMatch(/revision 3 is missing before 4/);
      expect(await faultsAfter(`${gone} > 0`)).toMatch(/revision 1 is not in the ledger for it/);
    });

    test.each([
      ['DROP INDEX quotes_now_by_isin', 'structure: index quotes_now_by_isin is missing'],
      ['DROP VIEW quotes', 'structure: view quotes is missing'],
      ['DROP INDEX revisions_by_instant', 'structure: index revisions_by_instant is missing'],
      [
        'ALTER TABLE tokens DROP CONSTRAINT tokens_digest_key',
        'index tokens_digest_key is missing',
      ],
      [
        'DROP INDEX quotes_now_by_isin; CREATE INDEX quotes_now_by_isin ON quotes_now (isin_key)',
        'structure: index quotes_now_by_isin is not as made',
      ],
      [
        "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'quotes_now_key'::regclass",
        'structure: index quotes_now_key is not as made',
      ],
      [
        'ALTER TABLE quotes_past ALTER symbol_key TYPE text COLLATE "default"',
        'structure: table quotes_past is not as made',
      ],
      [
        'ALTER TABLE revisions ALTER added TYPE bigint, ALTER source DROP NOT NULL',
        'structure: table revisions is not as made',
      ],
      ['DROP VIEW quotes; CREATE VIEW quotes AS SELECT 1 AS one', 'view quotes is not as made'],
    ])('finds a structure that is not as made: %s', async (damage, fault) => {
      expect(await faultsAfter(damage)).toContain(fault);
    });

    test('reports what cannot be read at all, and stops there', async () => {
      const dropped = await faultsAfter('DROP TABLE quotes_past');
      expect(dropped).toContain('structure: table quotes_past is missing');
      expect(dropped).toContain('structure: index quotes_past_by_until is missing');
      expect(dropped).toMatch(/the database cannot be read: relation "quotes_past" does not exist/);
      const renamed = await faultsAfter('ALTER TABLE quotes_past RENAME COLUMN until TO til');
      expect(renamed).toContain('structure: table quotes_past is not as made');
    });
  },
);

describe.skipIf(explainMissingPostgres() !== undefined)(
  'the inspection of a PostgreSQL database',
  () => {
    async function withDatabase(callback: (url: string) => Promise<void>): Promise<void> {
      const server = await getSharedPostgres();
      const url = await server.createDatabase();
      try {
        await callback(url);
      } finally {
        await server.dropDatabase(url);
      }
    }

    test('creates no tables if there are none', () =>
      withDatabase(async (url) => {
        for (const _ of [1, 2]) {
          const refused = openInspector(url, catalogue);
          await expect(refused).rejects.toThrow(StoreUnusableError);
          await expect(refused).rejects.toThrow(/^there are no tables of Tenor in /);
        }
      }));

    test('repairs nothing: what is missing is reported every time', () =>
      withDatabase(async (url) => {
        await openStore(url, catalogue);
        await withConnection(url, (sql) => sql.unsafe('DROP INDEX quotes_now_by_isin'));
        for (const _ of [1, 2]) {
          expect(await faultsAt(url)).toEqual(['structure: index quotes_now_by_isin is missing']);
        }
        await openStore(url, catalogue);
        expect(await faultsAt(url)).toEqual([]);
      }));

    test('rejects a schema of an older and of a newer version', () =>
      withDatabase(async (url) => {
        await openStore(
          url,
          catalogue.filter(({ shape }) => shape !== 'quotes'),
        );
        await expect(faultsAt(url)).rejects.toThrow(/lacks tables.*run tenor migrate/);
        await withConnection(url, (sql) => sql.unsafe('UPDATE tenor_schema SET version = 99'));
        const refused = openInspector(url, catalogue);
        await expect(refused).rejects.toThrow(/as the database: its schema is version 99/);
      }));
  },
);

/** A database in which datasets have records that stand, and a past. */
async function wholeStore(): Promise<TestStore> {
  const store = await createPostgresStore();
  for (const dataset of datasets) await store.publish(dataset, readFixture(dataset));
  for (const dataset of datasets) {
    const [first = {}, second = {}] = readFixture(dataset);
    await publishAt(store, '2031-01-01T00:00:00Z', dataset, {
      records: [buildCorrection(dataset, first)],
      retiredKeys: [getKey(dataset, second)],
      files: [{ name: 'file.csv', bytes: 1_234, sha256: 'ab'.repeat(32) }],
      report: { tiny: 1e-7 },
    });
  }
  return store;
}

async function faultsAt(url: string): Promise<readonly string[]> {
  const inspector = await openInspector(url, catalogue);
  try {
    const { faults } = await checkDatabase(inspector, catalogue);
    for (const line of faults) expect(line).not.toContain('\n');
    return faults;
  } finally {
    inspector.close();
  }
}
