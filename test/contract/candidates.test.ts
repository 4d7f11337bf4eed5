import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import {
  atmTransactionsAnnualVolume as atm,
  ivrBankingAnnualValue as ivr,
  onlineBankingAnnualVolume as online,
} from '../../src/catalogue/datasets/series/index.ts';
import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import { declareDatasets } from '../../src/publish/declare-dataset.ts';
import { packLoad, readPartLines } from '../../src/publish/desk/candidate-files.ts';
import { describeChanges } from '../../src/publish/desk/describe-changes.ts';
import { findStale } from '../../src/publish/desk/find-stale.ts';
import { ReleaseDesk, type StageRequest } from '../../src/publish/desk/release-desk.ts';
import { withReview } from '../../src/publish/desk/with-review.ts';
import { loadFiles } from '../../src/publish/load/load-files.ts';
import type { Candidate, CandidateStore } from '../../src/store/open-store.ts';
import { closeAfterEach } from '../support/close-after-each.ts';
import { KIBOR } from '../support/declared-rates.ts';
import { dumpTables } from '../support/dump-tables.ts';
import { findStructureFaults } from '../support/find-structure-faults.ts';
import { quote } from '../support/quote-fixture.ts';
import { createTempFolder, ENGINES, type TestStore } from '../support/store.ts';

setDefaultTimeout(120_000);
const { closing, removing } = closeAfterEach();

/** A record of the series of online banking. */
function year(label: string, cash: number) {
  const figures = { cash_wtl: cash, cash_deposit: 1, funds_transfer: 1 };
  return { year: label, ...figures, total: cash + 2 };
}

const [FIRST, SECOND] = [year('2023', 5), year('2024', 6)];

let folder: string;
beforeEach(() => {
  folder = createTempFolder();
});
afterEach(() => rmSync(folder, { recursive: true }));

function writeRecords(name: string, records: readonly object[]) {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(records));
  return [{ path, name }];
}

/** The desk of somebody. */
function openDesk(store: TestStore, account = 'ann'): ReleaseDesk {
  const candidates: CandidateStore = closing(store.candidates());
  const own = { ...candidates, findAccount: async () => account };
  return new ReleaseDesk(closing(store.publisher()), own);
}

async function packRecords(dataset: Dataset, records: readonly object[], replace = false) {
  const options = { mapping: {}, replace, canRetireMany: true, canCorrectMany: true };
  const files = writeRecords('records.json', records);
  return packLoad({ kind: 'load', dataset: dataset.name, options }, files, undefined);
}

async function stage(
  desk: ReleaseDesk,
  records: readonly object[],
  {
    dataset = online,
    replace = false,
    ...request
  }: Partial<StageRequest> & {
    readonly dataset?: Dataset;
    readonly replace?: boolean;
  } = {},
): Promise<Candidate> {
  const packed = await packRecords(dataset, records, replace);
  const request2 = {
    author: 'ann',
    bundle: undefined,
    due: undefined,
    note: undefined,
    ...request,
  };
  return (await desk.stage({ ...packed, ...request2 })) as Candidate;
}

/** All that readers may see. */
async function dumpPublished(store: TestStore) {
  const {
    candidates: _,
    candidate_parts: __,
    reviews: ___,
    ...tables
  } = await dumpTables(store.url);
  return tables;
}

for (const { name: engine, createStore } of ENGINES) {
  describe(`${engine}: candidates`, () => {
    let store: TestStore;
    beforeEach(async () => {
      store = removing(await createStore());
      await store.publish(online, [FIRST]);
    });
    const readRevisions = () => closing(store.reader()).revisions();

    test('are in no table of readers until they are published, and withdrawn without a trace', async () => {
      const before = await dumpPublished(store);
      const desk = openDesk(store);
      const candidate = await stage(desk, [{ ...FIRST, cash_wtl: 4, total: 6 }, SECOND]);
      expect(candidate).toMatchObject({
        id: 1,
        state: 'staged',
        base: 1,
        stagedBy: 'ann',
        changes: [{ dataset: online.name, added: 1, corrected: 1, retired: 0, unchanged: 0 }],
      });
      const lines = await Array.fromAsync(readPartLines(desk.store, 1, `changes ${online.name}`));
      // In whatever order the engine has written them.
      const changes = lines.map((line) => JSON.parse(line));
      expect(changes.toSorted((a, b) => (a.change < b.change ? -1 : 1))).toEqual([
        { change: 'added', record: SECOND },
        { change: 'corrected', record: { ...FIRST, cash_wtl: 4, total: 6 }, old: FIRST },
      ]);
      expect(await dumpPublished(store)).toEqual(before);
      await desk.withdraw(1);
      expect(await dumpPublished(store)).toEqual(before);
      expect(await Array.fromAsync(desk.store.readPart(1, 'file 0'))).toEqual([]);
      expect(await desk.publish([1])).toMatchObject({
        all: [{ state: 'withdrawn' }],
        isNew: false,
      });
      await expect(desk.withdraw(1)).rejects.toThrow('candidate 1 is withdrawn');
      expect(await desk.store.list()).toEqual([]);
      expect(await stage(desk, [FIRST])).toBeUndefined();
    });

    test('are published by an ordinary load, whose entry tells who staged, approved and published it', async () => {
      const [ann, bob] = [openDesk(store), openDesk(store, 'bob')];
      await ann.store.setReview(online.name, 1);
      await stage(ann, [SECOND], { note: 'Late', due: '2026-01-01T00:00:00.000Z' });
      await expect(ann.publish([1])).rejects.toThrow('needs 1 more approval by others than ann');
      await expect(ann.approve(1)).rejects.toThrow('needs the approval of another account');
      await bob.approve(1);
      const { all } = await ann.publish([1]);
      expect(all).toMatchObject([{ state: 'published', closed: { revisions: [2] } }]);
      expect(await readRevisions()).toMatchObject([{ revision: 2, note: 'Late' }, { revision: 1 }]);
      const reader = closing(store.reader());
      expect((await reader.ledgerEntry(2))?.options.release).toEqual({
        note: 'Late',
        stagedBy: 'ann',
        approvedBy: ['bob'],
        publishedBy: 'ann',
        due: '2026-01-01T00:00:00.000Z',
      });
      expect((await reader.ledgerEntry(2))?.files).toMatchObject([{ name: 'records.json' }]);
      expect(await findStructureFaults(closing(store.inspector()))).toEqual([]);
    });

    test('show each figure that they add, correct or retire, the largest corrections first', async () => {
      const desk = openDesk(store);
      await stage(desk, [year('2023', 6), SECOND]);
      const describe = async (id: number) =>
        (
          await describeChanges(online, readPartLines(desk.store, id, `changes ${online.name}`))
        ).changes.map((each) => [
          each.change,
          each.period,
          each.value,
          each.old,
          each.new,
          each.percent,
        ]);
      expect(await describe(1)).toEqual([
        ['corrected', '2023', 'cash_wtl', 5, 6, 20],
        ['corrected', '2023', 'total', 7, 8, 14.2857],
        ['added', '2024', 'cash_wtl', null, 6, null],
        ['added', '2024', 'cash_deposit', null, 1, null],
        ['added', '2024', 'funds_transfer', null, 1, null],
        ['added', '2024', 'total', null, 8, null],
      ]);
      const request = { author: 'ann', bundle: undefined, due: undefined, note: undefined };
      const input = { kind: 'retire', dataset: online.name, keys: ['2023'] } as const;
      await desk.stage({ input, parts: [], ...request });
      expect((await describe(2)).map(([change, , , old]) => [change, old])).toEqual([
        ['retired', 5],
        ['retired', 1],
        ['retired', 1],
        ['retired', 7],
      ]);
    });

    test('urgent ones need no approval, and the ledger keeps the reason', async () => {
      const desk = openDesk(store);
      await desk.store.setReview(online.name, 2);
      await stage(desk, [SECOND]);
      await desk.publish([1], { urgent: 'The market is open' });
      const entry = await closing(store.reader()).ledgerEntry(2);
      expect(entry?.options.release).toMatchObject({ urgent: 'The market is open' });
    });

    test('that ask for fewer approvals need theirs even if urgent, because no revision tells of them', async () => {
      const desk = openDesk(store);
      await desk.store.setReview(online.name, 1);
      const request = { author: 'ann', bundle: undefined, due: undefined, note: undefined };
      const input = { kind: 'review', dataset: online.name, approvals: 0 } as const;
      await desk.stage({ input, parts: [], ...request });
      await expect(desk.publish([1], { urgent: 'Now' })).rejects.toThrow('needs 1 more approval');
      await openDesk(store, 'bob').approve(1);
      await desk.publish([1]);
      expect((await desk.store.reviews()).get(online.name) ?? 0).toBe(0);
    });

    test('need the approvals of a dataset if they revert its declaration', async () => {
      const desk = openDesk(store);
      const publisher = closing(store.publisher());
      const declare = async (title: string) => {
        const declarations = [{ ...KIBOR, title }];
        await declareDatasets(publisher, { declarations, source: 'test', author: 'ann' });
      };
      await declare('Rates');
      await declare('Exchange rates');
      await desk.store.setReview(KIBOR.name, 1);
      const request = { author: 'ann', bundle: undefined, due: undefined, note: undefined };
      await desk.stage({ input: { kind: 'revert', revision: 3 }, parts: [], ...request });
      await expect(desk.publish([1])).rejects.toThrow('needs 1 more approval');
      await openDesk(store, 'bob').approve(1);
      await desk.publish([1]);
      expect(await readRevisions()).toHaveLength(4);
    });

    test('of a bundle become consecutive revisions with one instant, or none of them', async () => {
      const desk = openDesk(store);
      await stage(desk, [SECOND], { bundle: 'june' });
      await stage(desk, [ivr.example], { dataset: ivr, bundle: 'june' });
      await stage(desk, [quote({ symbol: 'AAA' })], { dataset: quotes, bundle: 'june' });
      expect(await desk.publish([1, 2], { isScheduled: true })).toMatchObject({ isNew: false });
      expect(await readRevisions()).toHaveLength(1);
      const { all } = await desk.publish([2]);
      expect(all.map(({ closed }) => closed?.revisions?.[0])).toEqual([2, 3, 4]);
      const revisions = (await readRevisions()).slice(0, -1);
      expect(new Set(revisions.map(({ publishedAt }) => publishedAt)).size).toBe(1);
      const reader = closing(store.reader());
      const entries = await Promise.all([2, 3, 4].map((number) => reader.ledgerEntry(number)));
      for (const entry of entries)
        expect(entry?.options.release).toMatchObject({ first: 2, last: 4 });
      expect(await findStructureFaults(closing(store.inspector()))).toEqual([]);

      await stage(desk, [year('2025', 7)], { bundle: 'july' });
      await stage(desk, [year('2025', 7)], { bundle: 'july' });
      await expect(desk.publish([4])).rejects.toThrow('would change other records');
      expect(await readRevisions()).toHaveLength(4);
    });

    test('of one instant, a bundle and others, become revisions of one transaction, each with its own range', async () => {
      const desk = openDesk(store);
      await stage(desk, [SECOND], { bundle: 'june' });
      await stage(desk, [atm.example], { dataset: atm });
      await stage(desk, [ivr.example], { dataset: ivr, bundle: 'june' });
      const { all } = await desk.publish([1, 2, 3], { isScheduled: true });
      // Those of the bundle follow each other.
      expect(all.map(({ closed }) => closed?.revisions)).toEqual([[2], [4], [3]]);
      const instants = (await readRevisions()).map(({ publishedAt }) => publishedAt).slice(0, 3);
      expect(instants[1]).toBe(instants[2] as string);
      expect(all[1]?.closed?.at).toBe(instants[0] as string);
      expect(Date.parse(instants[0] as string)).toBeGreaterThan(Date.parse(instants[1] as string));
      const reader = closing(store.reader());
      const entries = await Promise.all([2, 3, 4].map((number) => reader.ledgerEntry(number)));
      const releases = entries.map((entry) => entry?.options.release);
      expect(releases.map((release) => [release?.first, release?.last])).toEqual([
        [2, 3],
        [2, 3],
        [undefined, undefined],
      ]);
      expect(await findStructureFaults(closing(store.inspector()))).toEqual([]);
      expect((await openDesk(store).publish([2])).all).toMatchObject([{ state: 'published' }]);
    });

    test('are stale when records that they have, changed or not, are changed by others', async () => {
      const [ann, bob] = [openDesk(store), openDesk(store, 'bob')];
      await stage(ann, [FIRST, SECOND]);
      await stage(ann, [SECOND]);
      await stage(ann, [SECOND], { replace: true });
      await store.publish(online, [year('2022', 3)]);
      const reader = closing(store.reader());
      expect(await findStale(ann.store, reader)).toMatchObject([{ id: 3, staleSince: 2 }]);
      await store.publish(online, [year('2023', 9)]);
      expect(await findStale(ann.store, closing(store.reader()))).toMatchObject([
        { id: 1, staleSince: 3 },
      ]);
      expect(await findStale(ann.store, closing(store.reader()))).toEqual([]);
      await expect(ann.publish([1])).rejects.toThrow('revision 3 changed records');
      await ann.publish([2]);
      await expect(bob.approve(1)).rejects.toThrow('it would change others now');
      // Who looks at it has not approved it.
      await ann.refresh(1);
      await expect(ann.publish([1])).rejects.toThrow('revision 3 changed records');
      await bob.approve(1);
      await ann.publish([1]);
      expect((await readRevisions())[0]).toMatchObject({ added: 0, corrected: 1, unchanged: 1 });
    });

    test('that select records by a filter are stale when any record of the dataset is changed', async () => {
      const desk = openDesk(store);
      const filter = { dimensions: [], to: 2023, canRetireMany: true, filter: 'to=2023' };
      const request = { author: 'ann', bundle: undefined, due: undefined, note: undefined };
      const input = { kind: 'retire-selected', dataset: online.name, ...filter } as const;
      await desk.stage({ input, parts: [], ...request });
      await store.publish(online, [year('2022', 3)]);
      const stale = await findStale(desk.store, closing(store.reader()));
      expect(stale).toMatchObject([{ id: 1, staleSince: 2 }]);
    });

    test('are not published if they would change other records, even unnoticed before', async () => {
      const desk = openDesk(store);
      await stage(desk, [SECOND]);
      await openDesk(store, 'bob').approve(1);
      await store.publish(online, [SECOND]);
      await expect(desk.publish([1])).rejects.toThrow('candidate 1 would change other records');
      const stale = { state: 'staged', staleSince: 2, approvals: [] };
      expect(await desk.store.find(1)).toMatchObject(stale);
      expect(await readRevisions()).toHaveLength(2);
    });

    test('are published once if a process ends after the commit, and by several at once', async () => {
      const desks = [openDesk(store), openDesk(store, 'bob')];
      const [desk] = desks as [ReleaseDesk];
      const candidate = await stage(desk, [SECOND]);
      const published = await Promise.all(desks.map((each) => each.publish([1])));
      expect(published.map(({ isNew }) => isNew).toSorted()).toEqual([false, true]);
      expect(await readRevisions()).toHaveLength(2);
      // As after a kill before the candidate was marked.
      await desk.store.update(candidate);
      await expect(desk.withdraw(1)).rejects.toThrow('candidate 1 is published as revision 2');
      await desk.store.update(candidate);
      expect((await desk.publish([1])).all).toMatchObject([{ closed: { revisions: [2] } }]);
      expect(await readRevisions()).toHaveLength(2);
    });

    test('stay withdrawn if a watcher notes meanwhile what it knows of them', async () => {
      const desk = openDesk(store);
      const { store: candidates } = openDesk(store, 'bob');
      const staged = await stage(desk, [{ ...FIRST, cash_wtl: 4, total: 6 }]);
      await store.publish(online, [year('2023', 9)]);
      // Both write after they have read; in between, somebody withdraws the candidate.
      const updateUnchanged: CandidateStore['updateUnchanged'] = async (known, changed) => {
        await desk.withdraw(known.id);
        return candidates.updateUnchanged(known, changed);
      };
      const watching = { ...candidates, updateUnchanged };
      expect(await findStale(watching, closing(store.reader()))).toEqual([]);
      const { id } = await stage(desk, [SECOND]);
      await new ReleaseDesk(closing(store.publisher()), watching).recordProblem(id, 'too late');
      const states = (await candidates.list(true)).map(({ state }) => state);
      expect([staged.id, id, ...states]).toEqual([1, 2, 'withdrawn', 'withdrawn']);
    });

    test('take the place of others in one step', async () => {
      const desk = openDesk(store);
      const { id } = await stage(desk, [SECOND]);
      await stage(desk, [year('2025', 1)], { replaces: id });
      const listed = await desk.store.list(true);
      expect(listed.map(({ state }) => state)).toEqual(['withdrawn', 'staged']);
    });

    test('are needed if a dataset is reviewed, also to declare it', async () => {
      const candidates = closing(store.candidates());
      await candidates.setReview(online.name, 1);
      const publisher = withReview(closing(store.publisher()), candidates);
      const load = {
        dataset: online,
        files: writeRecords('a.json', [SECOND]),
        mapping: {},
        author: 'x',
      };
      await expect(loadFiles(publisher, load)).rejects.toThrow(
        `changes of ${online.name} need to be approved: --stage`,
      );
      expect(await readRevisions()).toHaveLength(1);
      const other = { ...load, dataset: ivr, files: writeRecords('b.json', [ivr.example]) };
      expect((await loadFiles(publisher, other)).revision?.revision).toBe(2);
    });
  });
}
