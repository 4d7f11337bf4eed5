import { describe, expect, test } from 'bun:test';
import { catalogue } from '../../src/catalogue/index.ts';
import type { AnyRecord, Dataset } from '../../src/catalogue/model/dataset.ts';
import { RecordValidationError } from '../../src/publish/errors.ts';
import { serializeRecord } from '../../src/schema/serialize-record.ts';
import { getStorageTable } from '../../src/schema/storage-table.ts';
import type { Selection } from '../../src/store/open-store.ts';
import { DuplicateKeyError } from '../../src/store/open-store.ts';
import { closeAfterEach } from '../support/close-after-each.ts';
import { readFixture } from '../support/fixtures.ts';
import { ENGINES } from '../support/store.ts';

const { closing, removing } = closeAfterEach();

for (const { name: engine, createStore } of ENGINES) {
  const freshStore = async () => removing(await createStore());

  describe.each(catalogue.map((dataset) => [dataset.name, dataset] as const))(
    `${engine}: %s`,
    (_, dataset) => {
      const fixture = readFixture(dataset);

      test('what is published is what is read, byte for byte', async () => {
        const store = await freshStore();
        await store.publish(dataset, fixture);
        const reader = closing(store.reader());
        for (const record of fixture) {
          const { records } = await reader.read(selecting(dataset, record));
          expect(records).toContain(serializeRecord(dataset, record));
        }
      });

      test('an empty store reads as revision 0 and no records', async () => {
        const reader = closing((await freshStore()).reader());
        expect(await reader.revision()).toBe(0);
        const result = await reader.read(selecting(dataset, dataset.example));
        expect(result).toEqual({ revision: 0, count: 0, records: '' });
      });

      test('publishing counts what it added, and the same again publishes nothing', async () => {
        const store = await freshStore();
        const first = await store.publish(dataset, fixture);
        expect(first).toMatchObject({
          revision: 1,
          dataset: dataset.name,
          added: fixture.length,
          corrected: 0,
          retired: 0,
          unchanged: 0,
        });
        expect(await store.publish(dataset, fixture)).toBeUndefined();
        expect(await closing(store.reader()).revision()).toBe(1);
      });

      test('a correction takes the place of the record and keeps the old one as history', async () => {
        const store = await freshStore();
        const [before = {}, ...rest] = fixture;
        await store.publish(dataset, fixture);
        const after = changed(dataset, before);
        const revision = await store.publish(dataset, [after, ...rest]);
        expect(revision).toMatchObject({
          revision: 2,
          added: 0,
          corrected: 1,
          unchanged: rest.length,
        });
        const { records } = await closing(store.reader()).read(selecting(dataset, before));
        expect(records).toContain(serializeRecord(dataset, after));
        expect(records).not.toContain(serializeRecord(dataset, before));
        expect(await store.history(dataset)).toEqual([
          { record: serializeRecord(dataset, before), since: 1, until: 2 },
        ]);
      });

      test('a retired record is gone from answers and stays in history', async () => {
        const store = await freshStore();
        const [gone = {}] = fixture;
        await store.publish(dataset, fixture);
        const publisher = closing(store.publisher());
        const change = {
          dataset,
          retiredKeys: [keyOf(dataset, gone)],
          source: 'test',
          author: 'test',
        };
        expect(await publisher.publish(change)).toMatchObject({ retired: 1, added: 0 });
        expect(await publisher.publish(change)).toBeUndefined();
        const { records } = await closing(store.reader()).read(selecting(dataset, gone));
        expect(records).not.toContain(serializeRecord(dataset, gone));
        expect(await store.history(dataset)).toEqual([
          { record: serializeRecord(dataset, gone), since: 1, until: 2 },
        ]);
      });

      test('a key given twice is refused and nothing is published', async () => {
        const store = await freshStore();
        const [first = {}] = fixture;
        const twice = store.publish(dataset, [...fixture, changed(dataset, first)]);
        await expect(twice).rejects.toBeInstanceOf(DuplicateKeyError);
        expect(await closing(store.reader()).revision()).toBe(0);
      });

      test('one wrong record refuses them all, and each problem is named', async () => {
        const store = await freshStore();
        const [first = {}] = fixture;
        const names = Object.keys(dataset.fields);
        const wrong = { ...Object.fromEntries(names.map((name) => [name, null])), extra: 1 };
        const refused = await store.publish(dataset, [...fixture, wrong, first]).catch((e) => e);
        expect(refused).toBeInstanceOf(RecordValidationError);
        const { problems, count } = refused as RecordValidationError;
        expect(count).toBe(names.length + 1);
        expect(problems.map(({ field }) => field)).toEqual([...names, 'extra']);
        expect(new Set(problems.map(({ record }) => record))).toEqual(
          new Set([fixture.length + 1]),
        );
        expect(await closing(store.reader()).revision()).toBe(0);
      });

      test('the typed view has a column for every field', async () => {
        const store = await freshStore();
        await store.publish(dataset, fixture);
        const rows = await store.query(`SELECT * FROM ${getStorageTable(dataset).view}`);
        expect(rows).toHaveLength(fixture.length);
        const plain = rows.map((row) => flattened(row));
        for (const record of fixture) {
          expect(plain).toContainEqual(
            flattened({ ...JSON.parse(serializeRecord(dataset, record)), revision: 1 }),
          );
        }
      });
    },
  );

  describe(`${engine}: publishing`, () => {
    const [dataset] = catalogue as [Dataset];

    test('what is published together lands together, or not at all', async () => {
      const store = await freshStore();
      const publisher = closing(store.publisher());
      const failing = publisher.transaction(async (transaction) => {
        await transaction.publish({ dataset, rows: [rowsOf(dataset)], source: 'a', author: 'a' });
        throw new Error('in the middle');
      });
      await expect(failing).rejects.toThrow('in the middle');
      expect(await closing(store.reader()).revision()).toBe(0);
      expect(await publisher.revisions()).toEqual([]);
    });

    test('a refused change leaves no trace, alone, beside others or caught on the way', async () => {
      const store = await freshStore();
      const publisher = closing(store.publisher());
      const [first, second, third] = rowsOf(dataset).map((row) => [row]);
      const about = { dataset, source: 'a', author: 'a' };
      const twice = { ...about, rows: [second ?? [], second ?? []] };
      const outcomes = await Promise.allSettled([
        publisher.publish({ ...about, rows: [first ?? []] }),
        publisher.publish(twice),
        publisher.transaction(async (within) => {
          await expect(within.publish(twice)).rejects.toBeInstanceOf(DuplicateKeyError);
          return within.publish({ ...about, rows: [third ?? []] });
        }),
      ]);
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(await publisher.revisions()).toMatchObject([
        { revision: 2, added: 1 },
        { revision: 1, added: 1 },
      ]);
      const { count } = await closing(store.reader()).read(selecting(dataset, {}));
      expect(count).toBe(2);
      expect(await publisher.publish({ ...about, rows: [second ?? []] })).toMatchObject({
        added: 1,
      });
    });

    test('a key is given once: among changed, unchanged and retired ones, in any order', async () => {
      const publisher = closing((await freshStore()).publisher());
      const [standing] = rowsOf(dataset);
      const [record = {}] = readFixture(dataset);
      if (!standing) throw new Error('the fixture is empty');
      const other = { ...standing, json: serializeRecord(dataset, changed(dataset, record)) };
      const about = { dataset, source: 'a', author: 'a' };
      await publisher.publish({ ...about, rows: [[standing]] });
      for (const rows of [
        [standing, other],
        [other, standing],
        [standing, standing],
      ]) {
        await expect(publisher.publish({ ...about, rows: [rows] })).rejects.toBeInstanceOf(
          DuplicateKeyError,
        );
      }
      const key = keyOf(dataset, record);
      for (const change of [
        { rows: [[other]], retiredKeys: [key] },
        { rows: [[standing]], retiredKeys: [key] },
        { retiredKeys: [key, key] },
      ]) {
        const refused = publisher.publish({ ...about, ...change });
        await expect(refused).rejects.toBeInstanceOf(DuplicateKeyError);
      }
      expect(await publisher.revisions()).toHaveLength(1);
    });

    test('the ledger tells source, author, instant and whether data is made up', async () => {
      const publisher = closing((await freshStore()).publisher());
      const at = new Date('2026-06-01T10:00:00Z');
      const rows = rowsOf(dataset);
      const files = [{ name: 'sheet.xlsx', bytes: 7, sha256: 'ab' }];
      const about = { dataset, source: 'sheet', files, author: 'ann', sample: true, at };
      await publisher.publish({ ...about, rows: [rows] });
      expect(await publisher.revisions()).toEqual([
        {
          revision: 1,
          dataset: dataset.name,
          publishedAt: '2026-06-01T10:00:00.000Z',
          source: 'sheet',
          files,
          author: 'ann',
          sample: true,
          added: rows.length,
          corrected: 0,
          retired: 0,
          unchanged: 0,
        },
      ]);
    });

    test('instants never run backwards, even where the clock does', async () => {
      const publisher = closing((await freshStore()).publisher());
      const [first, second] = rowsOf(dataset);
      const about = { dataset, source: 'a', author: 'a' };
      await publisher.publish({
        ...about,
        rows: first ? [[first]] : [],
        at: new Date('2026-06-02'),
      });
      await publisher.publish({
        ...about,
        rows: second ? [[second]] : [],
        at: new Date('2026-06-01'),
      });
      const [two, one] = await publisher.revisions();
      expect(two?.publishedAt).toBe(one?.publishedAt as string);
    });
  });
}

function selecting(dataset: Dataset, record: AnyRecord): Selection {
  switch (dataset.shape) {
    case 'series':
      return { kind: 'series', dataset };
    case 'fund':
      return { kind: 'fund', dataset, id: String(record.fund_id) };
    case 'quotes':
      return { kind: 'quotes', dataset, dateRange: ['0001-01-01', '9999-12-31'], limit: 10_000 };
  }
}

function keyOf(dataset: Dataset, record: AnyRecord): (string | number)[] {
  const { columns, key } = getStorageTable(dataset);
  return key.map(
    ({ column }) => columns.find(({ name }) => name === column)?.getValue(record) ?? '',
  );
}

function rowsOf(dataset: Dataset) {
  const { columns } = getStorageTable(dataset);
  return readFixture(dataset).map((record) => ({
    columns: columns.map((column) => column.getValue(record)),
    json: serializeRecord(dataset, record),
  }));
}

/** The same record with another value in a field that is no part of its key. */
function changed(dataset: Dataset, record: AnyRecord): AnyRecord {
  const numeric = ['price', 'amount', 'count'];
  for (const [name, { kind }] of Object.entries(dataset.fields)) {
    if (numeric.includes(kind)) return { ...record, [name]: Number(record[name]) + 1 };
    if (kind === 'instant') return { ...record, [name]: '2030-01-01T00:00:00Z' };
    if (kind !== 'list') continue;
    const [first, ...rest] = record[name] as { key: string; value: number }[];
    return { ...record, [name]: [{ ...first, value: 0.5 }, ...rest] };
  }
  throw new Error(`no field of ${dataset.name} can be changed`);
}

/** Lists come out of a view as their JSON text. */
function flattened(row: AnyRecord): AnyRecord {
  const cells = Object.entries(row).map(([name, value]) => [
    name,
    typeof value === 'object' ? JSON.stringify(value) : value,
  ]);
  return Object.fromEntries(cells);
}
