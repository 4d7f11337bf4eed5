import { describe, expect, test } from 'bun:test';
import { catalogue } from '../../src/catalogue/index.ts';
import type { AnyRecord, Dataset } from '../../src/catalogue/model/dataset.ts';
import { RecordValidationError } from '../../src/publish/errors.ts';
import { serializeRecord } from '../../src/schema/serialize-record.ts';
import { getStorageTable } from '../../src/schema/storage-table.ts';
import { DuplicateKeyError, type EncodedRow, type Selection } from '../../src/store/open-store.ts';
import { closeAfterEach } from '../support/close-after-each.ts';
import { readFixture } from '../support/fixtures.ts';
import { buildCorrection, encodeRow, getKey } from '../support/publish-at.ts';
import { ENGINES } from '../support/store.ts';

const { closing, removing } = closeAfterEach();
const PUBLICATION = { source: 'test', author: 'test' };

for (const { name: engine, createStore, datasets } of ENGINES) {
  const openStore = async () => removing(await createStore());

  describe.each(datasets.map((dataset) => [dataset.name, dataset] as const))(
    `${engine}: a store with %s`,
    (_, dataset) => {
      const fixture = readFixture(dataset);
      const [first = {}, ...others] = fixture;
      const toText = (record: AnyRecord) => serializeRecord(dataset, record);
      const { json: storedText } = encodeRow(dataset, first);
      const openFilledStore = async () => {
        const store = await openStore();
        const revision = await store.publish(dataset, fixture);
        return { store, revision };
      };

      test('reads what was published, byte for byte', async () => {
        const { store } = await openFilledStore();
        const reader = closing(store.reader());
        for (const record of fixture) {
          const { records } = await reader.read(select(dataset, record));
          expect(records).toContain(toText(record));
        }
      });

      test('reads revision 0 and no records while it is empty', async () => {
        const reader = closing((await openStore()).reader());
        expect(await reader.revision()).toBe(0);
        const result = await reader.read(select(dataset, dataset.example));
        expect(result).toEqual({ revision: 0, count: 0, records: '' });
      });

      test('counts additions, and publishes nothing when the same records come again', async () => {
        const { store, revision } = await openFilledStore();
        const counts = { added: fixture.length, corrected: 0, retired: 0, unchanged: 0 };
        expect(revision).toMatchObject({ revision: 1, dataset: dataset.name, ...counts });
        expect(await store.publish(dataset, fixture)).toBeUndefined();
        expect(await closing(store.reader()).revision()).toBe(1);
      });

      test('replaces a corrected record and keeps the old one as history', async () => {
        const { store } = await openFilledStore();
        const correction = buildCorrection(dataset, first);
        const revision = await store.publish(dataset, [correction, ...others]);
        const counts = { added: 0, corrected: 1, unchanged: others.length };
        expect(revision).toMatchObject({ revision: 2, ...counts });
        const { records } = await closing(store.reader()).read(select(dataset, first));
        expect(records).toContain(toText(correction));
        expect(records).not.toContain(toText(first));
        expect(await store.history(dataset)).toEqual([{ record: storedText, since: 1, until: 2 }]);
      });

      test('does not read a retired record and keeps it as history', async () => {
        const { store } = await openFilledStore();
        const publisher = closing(store.publisher());
        const change = { ...PUBLICATION, dataset, retiredKeys: [getKey(dataset, first)] };
        expect(await publisher.publish(change)).toMatchObject({ retired: 1, added: 0 });
        expect(await publisher.publish(change)).toBeUndefined();
        const { records } = await closing(store.reader()).read(select(dataset, first));
        expect(records).not.toContain(toText(first));
        expect(await store.history(dataset)).toEqual([{ record: storedText, since: 1, until: 2 }]);
      });

      test('rejects all records because of one invalid record, and names each problem', async () => {
        const store = await openStore();
        const names = Object.keys(dataset.fields);
        const invalid = { ...Object.fromEntries(names.map((name) => [name, {}])), extra: 1 };
        const error = await store.publish(dataset, [...fixture, invalid, first]).catch((e) => e);
        expect(error).toBeInstanceOf(RecordValidationError);
        const { problems, count } = error as RecordValidationError;
        expect(count).toBe(names.length + 1);
        expect(problems.map(({ field }) => field)).toEqual([...names, 'extra']);
        for (const { record } of problems) expect(record).toBe(fixture.length + 1);
        expect(await closing(store.reader()).revision()).toBe(0);
      });

      test('has a view with a typed column for every field', async () => {
        const { store } = await openFilledStore();
        const rows = await store.query(`SELECT * FROM ${getStorageTable(dataset).view}`);
        expect(rows).toHaveLength(fixture.length);
        const flatRows = rows.map(stringifyLists);
        for (const record of fixture) {
          const row = { ...JSON.parse(toText(record)), revision: 1 };
          expect(flatRows).toContainEqual(stringifyLists(row));
        }
      });
    },
  );

  describe(`${engine}: a publisher`, () => {
    const [dataset] = catalogue as [Dataset];
    const rows = readFixture(dataset).map((record) => encodeRow(dataset, record));
    const [first, second, third] = rows as [EncodedRow, EncodedRow, EncodedRow];
    const publication = { ...PUBLICATION, dataset };

    test('commits all changes of a transaction, or none', async () => {
      const store = await openStore();
      const publisher = closing(store.publisher());
      const transaction = publisher.transaction(async ({ publish }) => {
        await publish({ ...publication, rows: [rows] });
        throw new Error('in the middle');
      });
      await expect(transaction).rejects.toThrow('in the middle');
      expect(await closing(store.reader()).revision()).toBe(0);
      expect(await publisher.revisions()).toEqual([]);
    });

    test('leaves no trace of a rejected change, alone, beside others or in a transaction', async () => {
      const store = await openStore();
      const publisher = closing(store.publisher());
      const duplicate = { ...publication, rows: [[second], [second]] };
      const outcomes = await Promise.allSettled([
        publisher.publish({ ...publication, rows: [[first]] }),
        publisher.publish(duplicate),
        publisher.transaction(async ({ publish }) => {
          await expect(publish(duplicate)).rejects.toBeInstanceOf(DuplicateKeyError);
          return publish({ ...publication, rows: [[third]] });
        }),
      ]);
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
      expect(await publisher.revisions()).toMatchObject([{ revision: 1, added: 1 }]);
      const { count } = await closing(store.reader()).read(select(dataset, {}));
      expect(count).toBe(1);
      const revision = await publisher.publish({ ...publication, rows: [[second]] });
      expect(revision).toMatchObject({ added: 1 });
    });

    test('rejects a key that comes twice, whether changed, unchanged or retired', async () => {
      const publisher = closing((await openStore()).publisher());
      const [record = {}] = readFixture(dataset);
      const corrected = encodeRow(dataset, buildCorrection(dataset, record));
      const key = getKey(dataset, record);
      await publisher.publish({ ...publication, rows: [[first]] });
      for (const change of [
        { rows: [[first, corrected]] },
        { rows: [[corrected, first]] },
        { rows: [[first, first]] },
        { rows: [[corrected]], retiredKeys: [key] },
        { rows: [[first]], retiredKeys: [key] },
        { retiredKeys: [key, key] },
      ]) {
        const rejected = publisher.publish({ ...publication, ...change });
        await expect(rejected).rejects.toBeInstanceOf(DuplicateKeyError);
      }
      expect(await publisher.revisions()).toHaveLength(1);
    });

    test('records source, files, author, instant and sample in the ledger', async () => {
      const publisher = closing((await openStore()).publisher());
      const files = [{ name: 'sheet.xlsx', bytes: 7, sha256: 'ab' }];
      const metadata = { source: 'sheet', files, author: 'ann', sample: true };
      const at = new Date('2026-06-01T10:00:00Z');
      await publisher.publish({ dataset, ...metadata, at, rows: [rows] });
      expect(await publisher.revisions()).toEqual([
        {
          revision: 1,
          dataset: dataset.name,
          publishedAt: '2026-06-01T10:00:00.000Z',
          ...metadata,
          added: rows.length,
          corrected: 0,
          retired: 0,
          unchanged: 0,
        },
      ]);
    });
  });
}

/** A selection that contains the record. */
function select(dataset: Dataset, record: AnyRecord): Selection {
  switch (dataset.shape) {
    case 'series':
    case 'reference':
      return { kind: 'records', dataset };
    case 'fund':
      return { kind: 'records', dataset, identifiers: [String(record.fund_id)] };
    case 'quotes':
      return { kind: 'quotes', dataset, dateRange: ['0001-01-01', '9999-12-31'], limit: 10_000 };
  }
}

/** A view has lists as JSON; SQLite has no booleans. */
function stringifyLists(row: AnyRecord): AnyRecord {
  const cells = Object.entries(row).map(([name, value]) => [
    name,
    typeof value === 'object' ? JSON.stringify(value) : typeof value === 'boolean' ? +value : value,
  ]);
  return Object.fromEntries(cells);
}
