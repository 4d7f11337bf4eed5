import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { datasets } from '../../../src/catalogue/datasets/datasets.ts';
import { quotes } from '../../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../../src/catalogue/index.ts';
import type { Dataset } from '../../../src/catalogue/model/dataset.ts';
import { checkStore } from '../../../src/check/check-store.ts';
import { checkDatabase } from '../../../src/publish/check/check-database.ts';
import { getStorageTable } from '../../../src/schema/storage-table.ts';
import { ensurePrivateFolder, getPrivateFolder } from '../../../src/shared/database-folders.ts';
import { openCopyInspector } from '../../../src/store/open-reader.ts';
import {
  openInspector,
  openStore,
  StoreUnavailableError,
  StoreUnusableError,
} from '../../../src/store/open-store.ts';
import { readFixture } from '../../support/fixtures.ts';
import { buildCorrection, getKey, publishAt } from '../../support/publish-at.ts';
import { runTenor } from '../../support/run-tenor.ts';
import { createFilledStore, createTempFolder, REPETITIONS } from '../../support/store.ts';

const PAGE_BYTES = 8_192;

let folder: string;
let clean: Buffer;
beforeAll(async () => {
  folder = createTempFolder();
  clean = await createDatabase();
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The bytes of a database in which each dataset has records that stand, and a past. */
async function createDatabase(): Promise<Buffer> {
  const store = await createFilledStore();
  await store.publish(datasets, readFixture(datasets));
  for (const dataset of catalogue) {
    const [first = {}, second = {}] = readFixture(dataset);
    await publishAt(store, '2031-01-01T00:00:00Z', dataset, {
      records: [buildCorrection(dataset, first)],
      retiredKeys: [getKey(dataset, second)],
      author: 'a most remarkable author',
      files: [{ name: 'file.csv', bytes: 1_234, sha256: 'ab'.repeat(32) }],
      options: { options: { replace: true } },
      report: { tiny: 1e-7, escaped: '\u001f' },
    });
  }
  const database = new Database(store.path);
  // Without what was once on its pages and is no more, every copy of a text is one that counts.
  database.run('VACUUM');
  database.run('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  const bytes = readFileSync(store.path);
  await store.remove();
  return bytes;
}

let copies = 0;

/** A copy of the whole database, damaged by statements or by whatever is done to its bytes. */
function createDamaged(by: string | ((bytes: Buffer) => void)): string {
  const path = join(folder, `${copies++}.db`);
  const bytes = Buffer.from(clean);
  if (typeof by === 'function') by(bytes);
  writeFileSync(path, bytes);
  ensurePrivateFolder(getPrivateFolder(path));
  if (typeof by === 'string') {
    using database = new Database(path);
    database.run(by);
  }
  return path;
}

async function findFaults(path: string): Promise<readonly string[]> {
  const inspector = await openInspector(`sqlite:${path}`, catalogue);
  const { faults, faultCount } = await checkDatabase(inspector, catalogue);
  inspector.close();
  expect(faultCount).toBeGreaterThanOrEqual(faults.length);
  for (const line of faults) expect(line).not.toContain('\n');
  return faults;
}

/** By a scrub, as a server does it. */
async function scrub(path: string): Promise<readonly string[]> {
  const faults: string[] = [];
  const reader = openCopyInspector({ path }, catalogue);
  const reportFault = (fault: string) => faults.push(fault);
  await checkStore(reader, { catalogue, reportFault, afterSlice: async () => {} });
  reader.close();
  return faults;
}

const SCRUBBED_TABLES = /quotes|securities|revisions|settlement/;

async function expectFault(sql: string, fault: RegExp): Promise<void> {
  const path = createDamaged(sql);
  expect((await findFaults(path)).join('\n')).toMatch(fault);
  // In its own words, because it reads as of a revision. One dataset is enough, and quicker.
  if (SCRUBBED_TABLES.test(sql)) expect(await scrub(path)).not.toEqual([]);
}

const command = (path: string) => runTenor(['check'], { DATABASE_URL: `sqlite:${path}` });

/** Every dataset is published twice. */
const LAST = 2 * catalogue.length;

describe('tenor check', () => {
  test('reports no fault in an undamaged database, with status 0', async () => {
    const { status, out, err } = await command(createDamaged(() => {}));
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(out).toMatch(new RegExp(`Checked ${LAST} revisions, \\d+ records: 0 faults`));
  });

  test('names the record in which a bit was flipped, with status 1', async () => {
    const { status, out, err } = await command(
      createDamaged((bytes) => flip(bytes, '"lastPrice":', 15)),
    );
    expect(status).toBe(1);
    expect(out).toMatch(/^Fault: .*revision 1: its checksum does not match/m);
    expect(err).toMatch(/^tenor: the database is damaged: \d+ faults\n$/);
  });

  test('rejects a truncated file with one line and status 1', async () => {
    for (const part of [0.2, 0.5, 0.99]) {
      const path = createDamaged(() => {});
      truncateSync(path, Math.floor(clean.length * part));
      const { status, err } = await command(path);
      expect(status).toBe(1);
      expect(err).toMatch(/^tenor: cannot use .* it is cut short.*\n$/);
    }
  });
});

describe.each(catalogue.map((dataset) => [dataset.name, dataset] as const))(
  'in %s, the check finds',
  (name, dataset) => {
    const { currentTable, historyTable, columns, fixed } = getStorageTable(dataset);
    const names = [...fixed, ...columns].map((column) => column.name);
    const stored = [...names, 'record', 'since'].join(', ');
    const firstRevision = catalogue.indexOf(dataset) + 1;
    const secondRevision = catalogue.length + firstRevision;
    const rowFault = new RegExp(`^${name}, record .* of revision \\d+: `, 'm');
    const revisionFault = new RegExp(
      `^revision (${firstRevision}|${secondRevision}): (the ledger says|its checksum does not match)`,
      'm',
    );

    test.each([currentTable, historyTable])('another text in %s', async (table) => {
      const text = "replace(record, '2', '3')";
      await expectFault(`UPDATE ${table} SET record = ${text}`, revisionFault);
      await expectFault(`UPDATE ${table} SET record = record || ' '`, rowFault);
      await expectFault(`UPDATE ${table} SET record = '{'`, rowFault);
      await expectFault(`UPDATE ${table} SET record = x'00ff'`, rowFault);
    });

    test.each(columns.map((column) => column.name))('another %s', async (column) => {
      const other = `CASE typeof(${column}) WHEN 'text' THEN 'x' || ${column} ELSE 7 END`;
      for (const table of [currentTable, historyTable]) {
        const one = `SELECT ${column} FROM ${table} LIMIT 1`;
        await expectFault(
          `UPDATE ${table} SET ${column} = ${other} WHERE ${column} = (${one})`,
          /column \w+ is not what the record says|is no status/,
        );
      }
    });

    test('a changed start or end of validity', async () => {
      for (const [table, column, wrong] of [
        [currentTable, 'since', `${firstRevision + secondRevision} - since`],
        [historyTable, 'since', secondRevision],
        [historyTable, 'until', firstRevision],
      ]) {
        await expectFault(`UPDATE ${table} SET ${column} = ${wrong}`, revisionFault);
        await expectFault(`UPDATE ${table} SET ${column} = 999`, /999 is not in the ledger for it/);
        await expectFault(`UPDATE ${table} SET ${column} = 0.5`, /0\.5 is not in the ledger/);
        await expectFault(`UPDATE ${table} SET ${column} = 'x'`, /revision x is not in the ledger/);
      }
    });

    test('a removed row', async () => {
      for (const table of [currentTable, historyTable]) {
        await expectFault(`DELETE FROM ${table}`, revisionFault);
      }
    });

    test('an added row', async () => {
      const own = fixed.map(({ value }) => `'${value}'`);
      const row = [...own, ...columns.map(({ type }) => (type === 'text' ? "'x'" : '1'))].join(
        ', ',
      );
      await expectFault(
        `INSERT INTO ${currentTable} (${stored}) SELECT ${row}, record, since FROM ${currentTable} WHERE since = ${secondRevision} LIMIT 1`,
        revisionFault,
      );
    });

    test('a retired record that was restored by hand', async () => {
      const back = `INSERT INTO ${currentTable} (${stored}) SELECT ${stored} FROM ${historyTable}
        WHERE true ON CONFLICT DO NOTHING`;
      await expectFault(back, /it is valid from \d+ to \w+, which is impossible/);
      await expectFault(`${back}; DELETE FROM ${historyTable}`, revisionFault);
    });

    test('a missing table, index or column', async () => {
      await expectFault(
        `DROP INDEX ${currentTable}_by_since`,
        new RegExp(`index ${currentTable}_by_since is missing`),
      );
      await expectFault(
        `DROP TABLE ${historyTable}`,
        new RegExp(`table ${historyTable} is missing`),
      );
      await expectFault(
        `ALTER TABLE ${historyTable} RENAME COLUMN until TO til`,
        new RegExp(`table ${historyTable} is not as made`),
      );
    });
  },
);

describe('in the ledger, the check finds', () => {
  test.each([
    ['revision', '99', new RegExp(`revision ${LAST} is missing before 99`)],
    ['dataset', "'x'", new RegExp(`revision ${LAST} is not in the ledger for it`)],
    ['published_at', "'2030-01-01T00:00:00.000Z'", /published before the one it follows/],
    ['published_at', "'2031-01-01T00:00:00.001Z'", /its checksum/],
    ['source', "'x'", /its checksum/],
    ['files', "'[]'", /its checksum/],
    ['files', "'[{'", /its checksum/],
    ['author', "'x'", /its checksum/],
    ['sample', '1', /its checksum/],
    ['sample', '2', /its checksum/],
    ['added', 'added + 1', /the ledger says/],
    ['corrected', 'corrected + 1', /the ledger says/],
    ['retired', 'retired + 1', /the ledger says/],
    ['unchanged', 'unchanged + 1', /its checksum/],
    ['report', "'{}'", /its checksum/],
    ['options', "'{}'", /its checksum/],
    ['options', "'nothing'", /its checksum/],
    ['report', "'nothing'", /its checksum/],
    ['report', "replace(report, 'e-7', 'E-7')", /its checksum/],
    ['report', "replace(report, '001f', '001F')", /its checksum/],
    ['newest', "'2031-01-01'", /its checksum/],
    ['checksum', "'x'", /its checksum/],
    ['checksum', 'NULL', /its checksum is gone/],
  ])('another %s: %s', async (column, value, fault) => {
    await expectFault(`UPDATE revisions SET ${column} = ${value} WHERE revision = ${LAST}`, fault);
  });

  test('a missing entry, or all of them missing', async () => {
    await expectFault('DELETE FROM revisions WHERE revision = 3', /revision 3 is missing before 4/);
    await expectFault('DELETE FROM revisions', /revision 1 is not in the ledger for it/);
    await expectFault('DROP TABLE revisions', /table revisions is missing/);
    await expectFault('DROP INDEX revisions_by_instant', /index revisions_by_instant is missing/);
  });

  test('a bit that was flipped in the file', async () => {
    const author = createDamaged((bytes) => flip(bytes, 'a most remarkable author', 3));
    expect(await findFaults(author)).toContainEqual(expect.stringMatching(/its checksum does not/));
    const sha = createDamaged((bytes) => flip(bytes, 'abababab', 20));
    expect(await findFaults(sha)).toContainEqual(expect.stringMatching(/its checksum does not/));
  });
});

test('an unreadable page is reported as unavailable by a read as well as by the check', async () => {
  const path = createDamaged((bytes) => {
    const page = Math.floor(bytes.indexOf('"lastPrice":') / PAGE_BYTES);
    bytes.fill(0xff, page * PAGE_BYTES, page * PAGE_BYTES + 100);
  });
  expect((await findFaults(path)).join('\n')).toContain('quotes cannot be read: ');
  const reader = (await openStore(`sqlite:${path}`, catalogue)).reader();
  const records = reader.records(quotes)[Symbol.asyncIterator]();
  await expect(records.next()).rejects.toBeInstanceOf(StoreUnavailableError);
  reader.close();
});

describe('a flipped bit in the file', () => {
  test('is found wherever it is in the text of a record', async () => {
    const texts = storedTexts();
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...texts), fc.nat(), async (text, bit) => {
        const bits = 8 * Buffer.byteLength(text);
        const path = createDamaged((bytes) => flip(bytes, text, bit % bits));
        expect(await findFaults(path)).not.toEqual([]);
        expect(await scrub(path)).not.toEqual([]);
        rmSync(path);
      }),
      { numRuns: 30 * REPETITIONS },
    );
  });

  test('is found, or changes nothing that is served', async () => {
    const undamaged = await readServed(createDamaged(() => {}));
    await fc.assert(
      fc.asyncProperty(fc.nat(clean.length - 1), fc.nat(7), async (offset, bit) => {
        const path = createDamaged((bytes) => flipAt(bytes, offset, bit));
        const found = await findFaults(path).catch((cause) => {
          expect(cause).toBeInstanceOf(StoreUnusableError);
          return [cause.message];
        });
        if (found.length === 0) expect(await readServed(path)).toBe(undamaged);
        const scrubbed = await scrub(path).catch((cause: Error) => [cause.message]);
        // What cannot be opened is not served at all.
        if (scrubbed.length === 0)
          expect(await readServed(path).catch(() => undamaged)).toBe(undamaged);
        rmSync(path);
      }),
      { numRuns: 25 * REPETITIONS },
    );
  });
});

/** Flips one bit behind the start of a text that is in the file. */
function flip(bytes: Buffer, text: string, bit: number): void {
  const start = bytes.indexOf(text);
  expect(start).toBeGreaterThan(0);
  flipAt(bytes, start + Math.floor(bit / 8), bit % 8);
}

function flipAt(bytes: Buffer, offset: number, bit: number): void {
  bytes.writeUInt8(bytes.readUInt8(offset) ^ (1 << bit), offset);
}

/** Every record's text that the database holds, of the past as well. */
function storedTexts(): string[] {
  using database = new Database(
    createDamaged(() => {}),
    { readonly: true },
  );
  const texts = ({ currentTable, historyTable }: ReturnType<typeof getStorageTable>) =>
    database
      .query<{ record: string }, []>(
        `SELECT record FROM ${currentTable} UNION SELECT record FROM ${historyTable}`,
      )
      .all()
      .map(({ record }) => record);
  return catalogue.map(getStorageTable).flatMap(texts);
}

/** All that a server could tell from a database. */
async function readServed(path: string): Promise<string> {
  const reader = (await openStore(`sqlite:${path}`, catalogue)).reader();
  const ledger = await reader.revisions();
  const served: unknown[] = [ledger];
  for (const { revision, dataset: name } of ledger) {
    const dataset = catalogue.find((each) => each.name === name) as Dataset;
    served.push(await reader.ledgerEntry(revision), await reader.changes(dataset, revision, 1_000));
    for await (const batch of reader.records(dataset, revision)) served.push(batch);
  }
  reader.close();
  return JSON.stringify(served);
}
