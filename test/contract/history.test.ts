import { describe, expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { AnyRecord, Dataset } from '../../src/catalogue/model/dataset.ts';
import { checkDatabase } from '../../src/publish/check/check-database.ts';
import { withDryRun } from '../../src/publish/dry-run.ts';
import { revertRevision } from '../../src/publish/revert-revision.ts';
import { serializeRecord } from '../../src/schema/serialize-record.ts';
import { getStorageTable } from '../../src/schema/storage-table.ts';
import type {
  DatasetChange,
  EncodedRow,
  SecurityTerms,
  StoredRow,
  StoreQueries,
} from '../../src/store/open-store.ts';
import { StoreBusyError } from '../../src/store/open-store.ts';
import { closeAfterEach } from '../support/close-after-each.ts';
import { readFixture } from '../support/fixtures.ts';
import { buildCorrection, getKey, publishAt } from '../support/publish-at.ts';
import { quote } from '../support/quote-fixture.ts';
import { buildRecord } from '../support/small-dataset.ts';
import { ENGINES } from '../support/store.ts';

const { closing, removing } = closeAfterEach();

const instant = (revision: number) => `2026-01-0${revision}T00:00:00.000Z`;

for (const { name: engine, createStore } of ENGINES) {
  const freshStore = async () => removing(await createStore());

  describe.each(catalogue.map((dataset) => [dataset.name, dataset] as const))(
    `${engine}: the history of %s`,
    (_, dataset) => {
      const [a = {}, b = {}] = inOrder(dataset, readFixture(dataset));
      const a2 = buildCorrection(dataset, a);
      const text = (record: AnyRecord) => serializeRecord(dataset, record);

      /** Adds a; corrects a and adds b; retires b. */
      const threeRevisions = async () => {
        const store = await freshStore();
        await publishAt(store, instant(1), dataset, { records: [a] });
        await publishAt(store, instant(2), dataset, { records: [a2, b] });
        await publishAt(store, instant(3), dataset, { retiredKeys: [getKey(dataset, b)] });
        return store;
      };
      const states = [[], [a], [a2, b], [a2]];

      test('has every record of every revision, in the order of answers', async () => {
        const reader = closing((await threeRevisions()).reader());
        for (const [asOf, records] of states.entries()) {
          expect(await walked(reader, dataset, asOf)).toEqual(records.map(text));
        }
        expect(await walked(reader, dataset)).toEqual([text(a2)]);
        expect(await walked(reader, dataset, 99)).toEqual([text(a2)]);
      });

      test('is walked in the state in which the walk began', async () => {
        const store = await threeRevisions();
        const walk = closing(store.reader()).records(dataset)[Symbol.asyncIterator]();
        const first = await walk.next();
        await publishAt(store, instant(4), dataset, { records: [b] });
        expect([first.value, (await walk.next()).done]).toEqual([[text(a2)], true]);
      });

      test('the changes of each revision are listed in pages of up to a limit', async () => {
        const reader = closing((await threeRevisions()).reader());
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

      test('gives the change that undoes a revision, and whose work is in its way', async () => {
        const store = await threeRevisions();
        const publisher = closing(store.publisher());
        await publisher.transaction(async (transaction) => {
          const undoing = async (revision: number) => {
            const { rows, retiredKeys, conflictingRevisions } = await transaction.planRevert(
              dataset,
              revision,
            );
            const texts = (await Array.fromAsync(rows)).flat().map((row) => row.json);
            const keys = (await Array.fromAsync(retiredKeys)).map((key) => [...key]);
            return { texts, retired: keys, inTheWay: conflictingRevisions };
          };
          const [keyA, keyB] = [[...getKey(dataset, a)], [...getKey(dataset, b)]];
          expect(await undoing(3)).toEqual({ texts: [text(b)], retired: [], inTheWay: [] });
          expect(await undoing(2)).toEqual({ texts: [text(a)], retired: [keyB], inTheWay: [3] });
          expect(await undoing(1)).toEqual({ texts: [], retired: [keyA], inTheWay: [2] });
          expect(await undoing(4)).toEqual({ texts: [], retired: [], inTheWay: [] });
        });
      });

      test('can be undone from its end, because what is undone is in nobody’s way', async () => {
        const store = await threeRevisions();
        const publisher = closing(store.publisher());
        const about = { dataset, source: 'undo', author: 'test' };
        for (const revision of [3, 2, 1]) {
          await publisher.transaction(async (within) => {
            const { conflictingRevisions: inTheWay, ...change } = await within.planRevert(
              dataset,
              revision,
            );
            expect(inTheWay).toEqual([]);
            await within.publish({ ...about, ...change });
          });
          const reader = closing(store.reader());
          const left = (states[revision - 1] ?? []).map(text);
          expect(await walked(reader, dataset)).toEqual(left);
        }
      });

      test('names the work that stands in the way, not what undid the work behind it', async () => {
        const store = await freshStore();
        for (const variant of [0, 1, 2]) {
          const records = [buildRecord(dataset, { slot: 0, variant })];
          await publishAt(store, instant(variant + 1), dataset, { records });
        }
        const publisher = closing(store.publisher());
        await publisher.transaction(async (within) => {
          const { conflictingRevisions: _, ...undone } = await within.planRevert(dataset, 3);
          await within.publish({ dataset, source: 'undo', author: 'test', ...undone });
          expect((await within.planRevert(dataset, 1)).conflictingRevisions).toEqual([2]);
          expect((await within.planRevert(dataset, 2)).conflictingRevisions).toEqual([]);
          expect((await within.planRevert(dataset, 3)).conflictingRevisions).toEqual([4]);
        });
      });

      test('knows which records stand', async () => {
        const publisher = closing((await threeRevisions()).publisher());
        await publisher.transaction(async ({ hasCurrentRecord }) => {
          expect(await hasCurrentRecord(dataset, getKey(dataset, a))).toBe(true);
          expect(await hasCurrentRecord(dataset, getKey(dataset, b))).toBe(false);
        });
      });

      test('is replaced by a change that is the whole dataset', async () => {
        const store = await freshStore();
        const replace = (at: number, records: readonly AnyRecord[]) =>
          publishAt(store, instant(at), dataset, { records, replace: true });
        expect(await replace(1, [a, b])).toMatchObject({ added: 2, retired: 0 });
        expect(await replace(2, [a, b])).toBeUndefined();
        expect(await replace(2, [a2])).toMatchObject({ added: 0, corrected: 1, retired: 1 });
        expect(await replace(3, [b])).toMatchObject({ added: 1, corrected: 0, retired: 1 });
        expect(await replace(4, [a, b])).toMatchObject({ added: 1, retired: 0, unchanged: 1 });
        expect(await replace(5, [])).toMatchObject({ added: 0, retired: 2 });
        const reader = closing(store.reader());
        expect(await walked(reader, dataset)).toEqual([]);
        expect(await walked(reader, dataset, 3)).toEqual([text(b)]);
      });

      test('is laid open to an inspector, row by row, by key and then by age', async () => {
        const store = await threeRevisions();
        const inspector = closing(store.inspector());
        expect(await inspector.findStructureFaults()).toEqual([]);
        const rows: StoredRow[] = [];
        for await (const batch of inspector.rows(dataset)) rows.push(...batch);
        const columns = (record: AnyRecord) =>
          getStorageTable(dataset).columns.map(({ getValue }) => getValue(record));
        expect(rows).toEqual([
          { columns: columns(a), json: text(a), since: 1, until: 2 },
          { columns: columns(a2), json: text(a2), since: 2, until: null },
          { columns: columns(b), json: text(b), since: 2, until: 3 },
        ]);
        const ledger = await inspector.ledger();
        expect(ledger.map(({ revision }) => revision)).toEqual([1, 2, 3]);
        for (const { checksum } of ledger) expect(checksum).toMatch(/^[0-9a-f]{64}$/);
        expect(new Set(ledger.map(({ checksum }) => checksum)).size).toBe(3);
      });
    },
  );

  describe(`${engine}: the ledger`, () => {
    const [, second, third] = catalogue as [Dataset, Dataset, Dataset];

    const sixRevisions = async () => {
      const store = await freshStore();
      for (const [index, dataset] of [quotes, second, third].entries()) {
        const [record = {}, ...rest] = readFixture(dataset);
        await publishAt(store, instant(2 * index + 1), dataset, { records: [record] });
        await publishAt(store, instant(2 * index + 2), dataset, { records: rest });
      }
      return store;
    };

    test('lists revisions, newest first: of some datasets, before one, up to a limit', async () => {
      const reader = closing((await sixRevisions()).reader());
      const numbers = async (which?: Parameters<StoreQueries['revisions']>[0]) =>
        (await reader.revisions(which)).map(({ revision }) => revision);
      expect(await numbers()).toEqual([6, 5, 4, 3, 2, 1]);
      expect(await numbers({ limit: 2 })).toEqual([6, 5]);
      expect(await numbers({ before: 3 })).toEqual([2, 1]);
      expect(await numbers({ datasets: [second.name] })).toEqual([4, 3]);
      const some = { datasets: [second.name, third.name], before: 6, limit: 2 };
      expect(await numbers(some)).toEqual([5, 4]);
      expect(await numbers({ datasets: [] })).toEqual([]);
    });

    test('knows the newest revision of every instant', async () => {
      const reader = closing((await sixRevisions()).reader());
      const at = async (when: string) => (await reader.revisionAt(when))?.revision;
      expect(await at('2025-12-31T23:59:59.999Z')).toBeUndefined();
      expect(await at(instant(1))).toBe(1);
      expect(await at('2026-01-01T23:59:59.999Z')).toBe(1);
      expect(await at(instant(2))).toBe(2);
      expect(await at('2099-01-01T00:00:00.000Z')).toBe(6);
    });

    test('gives the last of several revisions of one instant', async () => {
      const store = await freshStore();
      for (const lastPrice of [1, 2, 3]) {
        await publishAt(store, instant(1), quotes, { records: [quote({ lastPrice })] });
      }
      const reader = closing(store.reader());
      expect((await reader.revisionAt(instant(1)))?.revision).toBe(3);
    });

    test('keeps files and report with a revision, and has no others', async () => {
      const store = await freshStore();
      const files = [{ name: 'ä "1".csv', bytes: 3, sha256: 'cd' }];
      const report = { records: 1, nested: { list: [1, null, 'ü'] } };
      const records = [quote({})];
      const conclude = async () => ({ report });
      await publishAt(store, instant(1), quotes, { records, files, finalize: conclude });
      const reader = closing(store.reader());
      expect(await reader.ledgerEntry(1)).toMatchObject({ revision: 1, files, report, added: 1 });
      expect(await reader.ledgerEntry(1)).not.toHaveProperty('checksum');
      expect(await reader.ledgerEntry(2)).toBeUndefined();
    });
  });

  describe(`${engine}: while the store is held`, () => {
    const rows = [rowOf(quote({ symbol: 'A' })), rowOf(quote({ symbol: 'B' }))];
    const change: DatasetChange = { dataset: quotes, rows: [rows], source: 'test', author: 'test' };
    const latest = { kind: 'quotes', dataset: quotes, limit: 9 } as const;

    test('reads see what the work has done, and nobody else does', async () => {
      const store = await freshStore();
      const reader = closing(store.reader());
      await closing(store.publisher()).transaction(async (transaction) => {
        await transaction.publish(change);
        expect((await transaction.read(latest)).count).toBe(2);
        expect(await walked(transaction, quotes)).toHaveLength(2);
        expect(await transaction.revision()).toBe(1);
        expect((await reader.read(latest)).count).toBe(0);
        expect(await reader.revision()).toBe(0);
      });
      expect(await reader.revision()).toBe(1);
    });

    test('the end of a change is told its counts, and may still undo all of it', async () => {
      const store = await freshStore();
      const publisher = closing(store.publisher());
      const conclude: DatasetChange['finalize'] = async (counts) => {
        expect(counts).toEqual({ added: 2, corrected: 0, retired: 0, unchanged: 0 });
        throw new Error('no');
      };
      await expect(publisher.publish({ ...change, finalize: conclude })).rejects.toThrow('no');
      expect(await publisher.revisions()).toEqual([]);
      // The indexes that a first load makes anew are undone and there, too.
      expect(await closing(store.inspector()).findStructureFaults()).toEqual([]);
      expect(await publisher.publish(change)).toMatchObject({ revision: 1, added: 2 });
    });

    test('rows whose key came before are told, where somebody asks for them', async () => {
      const publisher = closing((await freshStore()).publisher());
      const [first, second] = rows as [EncodedRow, EncodedRow];
      const told: EncodedRow[] = [];
      const repeated = (row: EncodedRow) => told.push(row);
      const all = [[first, second], [first], [second]];
      expect(
        await publisher.publish({ ...change, rows: all, onDuplicateKey: repeated }),
      ).toMatchObject({
        added: 2,
      });
      expect(told).toEqual([first, second]);
    });

    test('terms are a part of a revision: kept with it, undone with it, sealed with it', async () => {
      const store = await freshStore();
      const publisher = closing(store.publisher());
      const bond = { couponRate: 12.5, couponFrequency: 2, pricing: null };
      const bill = { couponRate: null, couponFrequency: null, pricing: 'discount' };
      const teach = (terms: Record<string, SecurityTerms>) =>
        publisher.publish({
          ...change,
          finalize: async () => ({ terms: new Map(Object.entries(terms)) }),
        });
      const kept = async () =>
        Object.fromEntries(await publisher.transaction((within) => within.terms(quotes)));
      const sound = async () =>
        expect((await checkDatabase(closing(store.inspector()), catalogue)).faults).toEqual([]);

      expect(await teach({ A: bond })).toMatchObject({ revision: 1 });
      expect(await kept()).toEqual({ A: bond });
      expect(await teach({ A: bond })).toBeUndefined();
      expect(await teach({ A: bill, B: bond })).toMatchObject({ revision: 2, corrected: 0 });
      expect(await kept()).toEqual({ A: bill, B: bond });
      await sound();

      await revertRevision(publisher, catalogue, { revision: 2, author: 'a' });
      expect(await kept()).toEqual({ A: bond });
      await sound();
      await expect(
        withDryRun(publisher, true, async (within) => {
          const conclude = async () => ({ terms: new Map([['A', bill]]) });
          await within.publish({ ...change, finalize: conclude });
          return within.terms(quotes);
        }),
      ).resolves.toEqual(new Map([['A', bill]]));
      expect(await kept()).toEqual({ A: bond });
    });

    test('another publisher waits, told so once, or finds the store busy', async () => {
      const store = await freshStore();
      const hasty = closing(store.publisher({ waitMs: 0, onWait: () => expect.unreachable() }));
      let waits = 0;
      const patient = closing(store.publisher({ onWait: () => waits++ }));
      let later: Promise<unknown> = Promise.resolve();
      await closing(store.publisher()).transaction(async () => {
        await expect(hasty.publish(change)).rejects.toBeInstanceOf(StoreBusyError);
        later = patient.publish(change);
        await Bun.sleep(100);
        expect(waits).toBe(1);
      });
      expect(await later).toMatchObject({ revision: 1 });
      expect(waits).toBe(1);
    });
  });
}

/** Records in the order of answers: newest first, or by the name of the fund. */
function inOrder(dataset: Dataset, records: readonly AnyRecord[]): AnyRecord[] {
  const [first] = getStorageTable(dataset).key;
  const direction = first?.isDescending ? -1 : 1;
  const before = (a: AnyRecord, b: AnyRecord) => (keyText(a) < keyText(b) ? -1 : 1) * direction;
  const keyText = (record: AnyRecord) => String(getKey(dataset, record)[0]);
  const distinct = new Map(records.map((record) => [keyText(record), record]));
  return [...distinct.values()].toSorted(before);
}

function rowOf(record: AnyRecord): EncodedRow {
  return {
    columns: getStorageTable(quotes).columns.map(({ getValue }) => getValue(record)),
    json: serializeRecord(quotes, record),
  };
}

async function walked(reads: StoreQueries, dataset: Dataset, asOf?: number): Promise<string[]> {
  const texts: string[] = [];
  for await (const batch of reads.records(dataset, asOf)) texts.push(...batch);
  return texts;
}
