import { describe, expect, test } from 'bun:test';
import { funds } from '../../src/catalogue/datasets/funds.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { getStoredForm } from '../../src/catalogue/model/create-dataset.ts';
import type { AnyRecord, Dataset } from '../../src/catalogue/model/dataset.ts';
import { publishRecords } from '../../src/publish/publish-records.ts';
import { serializeRecord } from '../../src/schema/serialize-record.ts';
import { getStorageTable } from '../../src/schema/storage-table.ts';
import {
  type DatasetChange,
  type EncodedRow,
  formatKey,
  type NetChangesFilter,
  type RevisionFilter,
  StoreBusyError,
  type StoreQueries,
} from '../../src/store/open-store.ts';
import { closeAfterEach, shareStore } from '../support/close-after-each.ts';
import { retryUntil } from '../support/eventually.ts';
import { findStructureFaults } from '../support/find-structure-faults.ts';
import { readFixture } from '../support/fixtures.ts';
import { generateQuotes } from '../support/generate-quotes.ts';
import { buildCorrection, encodeRow, getKey, publishAt } from '../support/publish-at.ts';
import { quote } from '../support/quote-fixture.ts';
import { buildRecord } from '../support/small-dataset.ts';
import { ENGINES, type TestStore } from '../support/store.ts';

const { closing, removing } = closeAfterEach();

const instant = (revision: number) => `2026-01-0${revision}T00:00:00.000Z`;

for (const { name: engine, createStore, datasets } of ENGINES) {
  const openStore = async () => removing(await createStore());

  describe.each(datasets.map((dataset) => [dataset.name, dataset] as const))(
    `${engine}: the history of %s`,
    (_, dataset) => {
      const [a = {}, b = {}] = inOrder(dataset, readFixture(dataset));
      const a2 = buildCorrection(dataset, a);
      const text = (record: AnyRecord) => serializeRecord(dataset, record);

      /** Adds a; corrects a and adds b; retires b. */
      const publishThreeRevisions = async (store: TestStore) => {
        await publishAt(store, instant(1), dataset, { records: [a] });
        await publishAt(store, instant(2), dataset, { records: [a2, b] });
        await publishAt(store, instant(3), dataset, { retiredKeys: [getKey(dataset, b)] });
        return store;
      };
      const sharedStore = shareStore(async () => publishThreeRevisions(await createStore()));
      const states = [[], [a], [a2, b], [a2]];

      test('has every record of every revision, in the order of responses', async () => {
        const reader = closing(sharedStore().reader());
        for (const [asOf, records] of states.entries()) {
          expect(await readRecords(reader, dataset, asOf)).toEqual(records.map(text));
        }
        expect(await readRecords(reader, dataset)).toEqual([text(a2)]);
        expect(await readRecords(reader, dataset, 99)).toEqual([text(a2)]);
      });

      test('is streamed as of the start of the stream', async () => {
        const store = await publishThreeRevisions(await openStore());
        const stream = closing(store.reader()).records(dataset)[Symbol.asyncIterator]();
        const first = await stream.next();
        await publishAt(store, instant(4), dataset, { records: [b] });
        expect([first.value, (await stream.next()).done]).toEqual([[text(a2)], true]);
      });

      test('the changes of each revision are listed in pages of up to a limit', async () => {
        const reader = closing(sharedStore().reader());
        const added = (record: AnyRecord) => ({ change: 'added', old: null, new: text(record) });
        const correction = { change: 'corrected', old: text(a), new: text(a2) };
        const retired = { change: 'retired', old: text(b), new: null };
        expect(await reader.changes(dataset, 1, 9)).toEqual([added(a)] as never);
        expect(await reader.changes(dataset, 2, 9)).toEqual([correction, added(b)] as never);
        expect(await reader.changes(dataset, 2, 1)).toEqual([correction] as never);
        const afterCorrection = { isAddition: false, key: getKey(dataset, a) };
        expect(await reader.changes(dataset, 2, 9, afterCorrection)).toEqual([added(b)] as never);
        const afterAddition = { isAddition: true, key: getKey(dataset, b) };
        expect(await reader.changes(dataset, 2, 9, afterAddition)).toEqual([]);
        expect(await reader.changes(dataset, 3, 9)).toEqual([retired] as never);
        expect(await reader.changes(dataset, 4, 9)).toEqual([]);
      });

      test('has the records that differ between any two revisions, whatever came later', async () => {
        const reader = closing(sharedStore().reader());
        const keyText = (record: AnyRecord) => JSON.stringify(getKey(dataset, record));
        for (const [since, before] of states.entries())
          for (const [until, after] of states.entries()) {
            if (until < since) continue;
            const expected = [a, b].flatMap((record) => {
              const find = (list: readonly AnyRecord[]) =>
                list.find((other) => keyText(other) === keyText(record));
              const [old, replacement] = [find(before), find(after)];
              if (old === replacement) return [];
              const texts = {
                old: old ? text(old) : null,
                new: replacement ? text(replacement) : null,
              };
              return [{ key: [...getKey(dataset, record)], ...texts }];
            });
            const filter = { since, until, limit: 10 };
            expect(await reader.netChanges(dataset, filter)).toEqual({
              revision: until,
              changes: expected,
            });
          }
        // In pages of one record each, the last of which is empty.
        const all = await reader.netChanges(dataset, { since: 0, until: 2, limit: 10 });
        const paged: (typeof all.changes)[number][] = [];
        for (let after: NetChangesFilter['after'] | 'end'; after !== 'end'; ) {
          const filter = { since: 0, until: 2, limit: 1, after };
          const { changes, last } = await reader.netChanges(dataset, filter);
          paged.push(...changes);
          after = last ?? 'end';
        }
        expect(all.changes).toHaveLength(2);
        expect(paged).toEqual([...all.changes]);
        expect(await reader.netChanges(dataset, { since: 2, until: 99, limit: 10 })).toMatchObject({
          revision: 3,
          changes: [{ old: text(b), new: null }],
        });
      });

      test('plans the change that reverts a revision, and lists conflicting revisions', async () => {
        const publisher = closing(sharedStore().publisher());
        await publisher.transaction(async (transaction) => {
          const plan = async (revision: number) => {
            const { rows, retiredKeys, conflictingRevisions } = await transaction.planRevert(
              dataset,
              revision,
            );
            const texts = (await Array.fromAsync(rows)).flat().map((row) => row.json);
            const keys = (await Array.fromAsync(retiredKeys)).map((key) => [...key]);
            return { texts, keys, conflicts: conflictingRevisions };
          };
          const stored = (record: AnyRecord) =>
            serializeRecord(getStoredForm(dataset, record), record);
          const [keyA, keyB] = [[...getKey(dataset, a)], [...getKey(dataset, b)]];
          expect(await plan(3)).toEqual({ texts: [stored(b)], keys: [], conflicts: [] });
          expect(await plan(2)).toEqual({ texts: [stored(a)], keys: [keyB], conflicts: [3] });
          expect(await plan(1)).toEqual({ texts: [], keys: [keyA], conflicts: [2] });
          expect(await plan(4)).toEqual({ texts: [], keys: [], conflicts: [] });
        });
      });

      test('conflicts with the change that is current, not with reverted changes', async () => {
        const store = await openStore();
        for (const variant of [0, 1, 2]) {
          const records = [buildRecord(dataset, { slot: 0, variant })];
          await publishAt(store, instant(variant + 1), dataset, { records });
        }
        const publisher = closing(store.publisher());
        await publisher.transaction(async ({ planRevert, publish }) => {
          const { conflictingRevisions: _, ...revert } = await planRevert(dataset, 3);
          await publish({ dataset, source: 'revert', author: 'test', ...revert });
          for (const [revision, conflicts] of [[], [2], [], [4]].entries()) {
            const plan = await planRevert(dataset, revision);
            expect(plan.conflictingRevisions).toEqual(conflicts);
          }
        });
      });

      test('has current records by key', async () => {
        const publisher = closing(sharedStore().publisher());
        await publisher.transaction(async ({ currentRecords }) => {
          const [key, absent] = [getKey(dataset, a), getKey(dataset, b)];
          const current = await currentRecords(dataset, [absent, key]);
          expect([...current]).toEqual([[formatKey(key), encodeRow(dataset, a2).json]]);
          expect((await currentRecords(dataset, [])).size).toBe(0);
        });
      });

      test('retires all other records when a change replaces the dataset', async () => {
        const store = await openStore();
        const replace = (revision: number, records: readonly AnyRecord[]) =>
          publishAt(store, instant(revision), dataset, { records, replace: true });
        expect(await replace(1, [a, b])).toMatchObject({ added: 2, retired: 0 });
        expect(await replace(2, [a, b])).toBeUndefined();
        expect(await replace(2, [a2])).toMatchObject({ added: 0, corrected: 1, retired: 1 });
        expect(await replace(3, [b])).toMatchObject({ added: 1, corrected: 0, retired: 1 });
        expect(await replace(4, [a, b])).toMatchObject({ added: 1, retired: 0, unchanged: 1 });
        expect(await replace(5, [])).toMatchObject({ added: 0, retired: 2 });
        const reader = closing(store.reader());
        expect(await readRecords(reader, dataset)).toEqual([]);
        expect(await readRecords(reader, dataset, 3)).toEqual([text(b)]);
      });

      test('is inspected row by row, by key and then by age', async () => {
        const inspector = closing(sharedStore().inspector());
        expect(await findStructureFaults(inspector)).toEqual([]);
        const revision = await inspector.revision();
        const slices = await Array.fromAsync(inspector.slices(getStorageTable(dataset), revision));
        expect(slices.flatMap(({ rows }) => rows)).toEqual([
          { ...encodeRow(dataset, a), since: 1, until: 2 },
          { ...encodeRow(dataset, a2), since: 2, until: null },
          { ...encodeRow(dataset, b), since: 2, until: 3 },
        ]);
        const ledger = (await Array.fromAsync(inspector.ledger(revision))).flat();
        expect(ledger.map(({ revision }) => revision)).toEqual([1, 2, 3]);
        for (const { checksum } of ledger) expect(checksum).toMatch(/^[0-9a-f]{64}$/);
        expect(new Set(ledger.map(({ checksum }) => checksum)).size).toBe(3);
      });
    },
  );

  test(`${engine}: a dataset of many rows is inspected in its order, a day at most in one slice`, async () => {
    const store = removing(await createStore());
    const days = ['2026-06-01', '2026-06-02', '2026-06-03', '2026-06-04'];
    await store.publish(quotes, generateQuotes(days, 700));
    const inspector = closing(store.inspector());
    const slices = inspector.slices(getStorageTable(quotes), await inspector.revision());
    const dates: string[][] = [];
    for await (const { rows } of slices) dates.push(rows.map(({ columns }) => String(columns[0])));
    expect(dates.length).toBeGreaterThan(1);
    expect(dates.flat()).toEqual(days.toReversed().flatMap((day) => Array(700).fill(day)));
    const dayLists = dates.map((list) => [...new Set(list)]);
    expect(dayLists.flat()).toEqual(days.toReversed());
  });

  describe(`${engine}: the ledger`, () => {
    const [, second, third] = catalogue as [Dataset, Dataset, Dataset];

    const sixRevisions = async () => {
      const store = await openStore();
      for (const [index, dataset] of [quotes, second, third].entries()) {
        const [record = {}, ...rest] = readFixture(dataset);
        await publishAt(store, instant(2 * index + 1), dataset, { records: [record] });
        await publishAt(store, instant(2 * index + 2), dataset, { records: rest });
      }
      return store;
    };

    test('lists revisions, newest first: of some datasets, before one, up to a limit', async () => {
      const reader = closing((await sixRevisions()).reader());
      const numbers = async (filter?: RevisionFilter) =>
        (await reader.revisions(filter)).map(({ revision }) => revision);
      expect(await numbers()).toEqual([6, 5, 4, 3, 2, 1]);
      expect(await numbers({ limit: 2 })).toEqual([6, 5]);
      expect(await numbers({ before: 3 })).toEqual([2, 1]);
      expect(await numbers({ datasets: [second.name] })).toEqual([4, 3]);
      const datasets = [second.name, third.name];
      expect(await numbers({ datasets, before: 6, limit: 2 })).toEqual([5, 4]);
      expect(await numbers({ datasets: [] })).toEqual([]);
    });

    test('has the files, the report and the options of a revision', async () => {
      const store = await openStore();
      const files = [{ name: 'ä "1".csv', bytes: 3, sha256: 'cd' }];
      const options = { mapping: { columns: { ä: 'ytm' } }, muted: ['isin-check-digit'] };
      const report = { records: 1, nested: { list: [1, null, 'ü'] } };
      await publishAt(store, instant(1), quotes, {
        records: [quote({})],
        files,
        options,
        report,
      });
      const reader = closing(store.reader());
      expect(await reader.ledgerEntry(1)).toMatchObject({ revision: 1, files, report, options });
      expect(await reader.ledgerEntry(1)).not.toHaveProperty('checksum');
      expect(await reader.ledgerEntry(2)).toBeUndefined();
    });
  });

  describe(`${engine}: a publish transaction`, () => {
    const rows = ['A', 'B'].map((symbol) => encodeRow(quotes, quote({ symbol })));
    const change: DatasetChange = { dataset: quotes, rows: [rows], source: 'test', author: 'test' };
    const latest = { kind: 'quotes', dataset: quotes, limit: 9 } as const;

    test('reads what it has written, and other readers do not', async () => {
      const store = await openStore();
      const reader = closing(store.reader());
      await closing(store.publisher()).transaction(async (transaction) => {
        await transaction.publish(change);
        expect((await transaction.read(latest)).count).toBe(2);
        expect(await readRecords(transaction, quotes)).toHaveLength(2);
        expect(await transaction.revision()).toBe(1);
        expect((await reader.read(latest)).count).toBe(0);
        expect(await reader.revision()).toBe(0);
      });
      expect(await reader.revision()).toBe(1);
    });

    test('counts the rows of a staged change, which can be abandoned', async () => {
      const store = await openStore();
      const publisher = closing(store.publisher());
      const abandoned = await publisher.transaction(async (transaction) => {
        const { counts } = await transaction.stage(change);
        transaction.abandon();
        return counts;
      });
      expect(abandoned).toEqual({ added: 2, corrected: 0, retired: 0, unchanged: 0 });
      expect(await publisher.revisions()).toEqual([]);
      // The indexes, which the first load recreates, are rolled back too.
      expect(await findStructureFaults(closing(store.inspector()))).toEqual([]);
      expect(await publisher.publish(change)).toMatchObject({ revision: 1, added: 2 });
    });

    test('records a staged change with the report that is decided on after it', async () => {
      const store = await openStore();
      const revision = await closing(store.publisher()).transaction(async (transaction) => {
        const staged = await transaction.stage(change);
        return staged.record({ added: staged.counts.added });
      });
      expect(revision).toMatchObject({ revision: 1, added: 2 });
      const entry = await closing(store.reader()).ledgerEntry(1);
      expect(entry).toMatchObject({ report: { added: 2 } });
    });

    test('fails if a staged change is neither recorded nor abandoned', async () => {
      const publisher = closing((await openStore()).publisher());
      const message = 'a staged change was neither recorded nor abandoned';
      await expect(publisher.transaction(({ stage }) => stage(change))).rejects.toThrow(message);
      const twice = publisher.transaction(async ({ stage, publish }) => {
        await stage(change);
        await publish(change);
      });
      await expect(twice).rejects.toThrow(message);
      expect(await publisher.revisions()).toEqual([]);
    });

    test('reports rows with duplicate keys to onDuplicateKey', async () => {
      const publisher = closing((await openStore()).publisher());
      const [first, second] = rows as [EncodedRow, EncodedRow];
      const duplicates: EncodedRow[] = [];
      const revision = await publisher.publish({
        ...change,
        rows: [[first, second], [first], [second]],
        onDuplicateKey: (row) => duplicates.push(row),
      });
      expect(revision).toMatchObject({ added: 2 });
      expect(duplicates).toEqual([first, second]);
    });

    test('plans to revert only records that no later revision has changed, if requested', async () => {
      const store = await openStore();
      const publisher = closing(store.publisher());
      const publishNames = (names: Readonly<Record<string, string>>) =>
        publishRecords(publisher, {
          dataset: funds,
          source: 'test',
          author: 'test',
          records: toFunds(names),
        });
      await publishNames({ a: 'first', b: 'first', c: 'first' });
      await publishNames({ a: 'second', b: 'second', new: 'second', newer: 'second' });
      await publishNames({ b: 'third', newer: 'third' });
      await publisher.transaction(async (transaction) => {
        const { rows, retiredKeys } = await transaction.planRevert(funds, 2, true);
        const restored = (await Array.fromAsync(rows)).flat();
        expect(restored.map(({ json }) => JSON.parse(json).fund_id)).toEqual(['a']);
        expect(await Array.fromAsync(retiredKeys)).toEqual([['NEW']]);
      });
    });

    test('plans a revert by whether a record was retired, came back, and was retired again', async () => {
      const publisher = closing((await openStore()).publisher());
      const replaceNames = (names: Readonly<Record<string, string>>) =>
        publishRecords(publisher, {
          dataset: funds,
          source: 'test',
          author: 'test',
          records: toFunds(names),
          replace: true,
        });
      await replaceNames({ kept: 'first', back: 'first', gone: 'first', late: 'first' });
      await replaceNames({ kept: 'first', late: 'second' });
      await replaceNames({ kept: 'first', back: 'third' });
      await replaceNames({ kept: 'first' });
      await publisher.transaction(async ({ planRevert }) => {
        const plan = async (revision: number, onlyUnchanged?: boolean) => {
          const { rows, conflictingRevisions } = await planRevert(funds, revision, onlyUnchanged);
          const restored = (await Array.fromAsync(rows)).flat();
          const ids = restored.map(({ json }) => JSON.parse(json).fund_id).toSorted();
          return [ids, conflictingRevisions];
        };
        // The first revision since which each of them is retired: 2, and 3 of the late one.
        expect(await plan(1)).toEqual([[], [2, 3]]);
        expect(await plan(2)).toEqual([['back', 'gone', 'late'], [3]]);
        expect(await plan(2, true)).toEqual([['gone'], [3]]);
        expect(await plan(4, true)).toEqual([['back'], []]);
      });
    });

    test('makes other publishers wait for the write lock, or throw StoreBusyError', async () => {
      const store = await openStore();
      const impatient = closing(store.publisher({ waitMs: 0, onWait: () => expect.unreachable() }));
      let waits = 0;
      const patient = closing(store.publisher({ onWait: () => waits++ }));
      let waiting: Promise<unknown> = Promise.resolve();
      await closing(store.publisher()).transaction(async () => {
        await expect(impatient.publish(change)).rejects.toBeInstanceOf(StoreBusyError);
        waiting = patient.publish(change);
        await retryUntil(10_000, async () => expect(waits).toBe(1));
      });
      expect(await waiting).toMatchObject({ revision: 1 });
      expect(waits).toBe(1);
    });
  });
}

/** Funds by their names. */
function toFunds(names: Readonly<Record<string, string>>) {
  return Object.entries(names).map(([fund_id, name]) => ({ ...funds.example, fund_id, name }));
}

/** Records in the order of responses: newest first, or by the name of the fund. */
function inOrder(dataset: Dataset, records: readonly AnyRecord[]): AnyRecord[] {
  const [first] = getStorageTable(dataset).key;
  const direction = first?.isDescending ? -1 : 1;
  const before = (a: AnyRecord, b: AnyRecord) => (keyText(a) < keyText(b) ? -1 : 1) * direction;
  const keyText = (record: AnyRecord) => String(getKey(dataset, record)[0]);
  const distinct = new Map(records.map((record) => [keyText(record), record]));
  return [...distinct.values()].toSorted(before);
}

async function readRecords(queries: StoreQueries, ...options: [Dataset, number?]) {
  return (await Array.fromAsync(queries.records(...options))).flat();
}
