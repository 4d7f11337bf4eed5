import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { catalogue } from '../../../src/catalogue/index.ts';
import type { Dataset } from '../../../src/catalogue/model/dataset.ts';
import { checkDatabase } from '../../../src/publish/check/check-database.ts';
import { PublishError } from '../../../src/publish/errors.ts';
import { loadFiles } from '../../../src/publish/load/load-files.ts';
import { publishRecords } from '../../../src/publish/publish-records.ts';
import { retireRecords } from '../../../src/publish/retire-records.ts';
import { revertRevision } from '../../../src/publish/revert-revision.ts';
import { getKeyValues, getStorageTable } from '../../../src/schema/storage-table.ts';
import type {
  NetChanges,
  Publisher,
  Revision,
  Store,
  StoreReader,
} from '../../../src/store/open-store.ts';
import { UNLIMITED_LOAD } from '../../support/load-workspace.ts';
import { type Entry, Model } from '../../support/reference-model.ts';
import {
  anyQuery,
  anyRecordVariant,
  buildRecord,
  formatKey,
  type Query,
  type RecordVariant,
} from '../../support/small-dataset.ts';
import { createTempFolder, ENGINES } from '../../support/store.ts';
import { withClock } from '../../support/with-clock.ts';

let folder: string;
beforeAll(() => {
  folder = createTempFolder();
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Loading {
  readonly act: 'load' | 'publish';
  readonly of: number;
  readonly touched: readonly RecordVariant[];
  readonly replace: boolean;
}

interface Retiring {
  readonly act: 'retire';
  readonly of: number;
  readonly touched: readonly RecordVariant[];
}

interface Reverting {
  readonly act: 'revert';
  readonly revision: number;
}

type Step = (Loading | Retiring | Reverting) & { readonly gapMs: number };

// Some in one instant, and some by a clock that runs backwards.
const gapMs = fc.constantFrom(0, 1, 7, 60_000, -5);
const of = fc.nat(2);
const touches = (minLength: number, maxLength: number) =>
  fc.uniqueArray(anyRecordVariant, { selector: ({ slot }) => slot, minLength, maxLength });

// Mostly one that there is, and that later ones have built upon.
const anyRevision = fc.oneof(fc.integer({ min: 1, max: 4 }), fc.nat(12));

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      act: fc.constantFrom('load' as const, 'publish' as const),
      of,
      touched: touches(1, 6),
      replace: fc.nat(3).map((n) => n === 0),
      gapMs,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ act: fc.constant('retire'), of, touched: touches(1, 3), gapMs }),
  },
  { weight: 4, arbitrary: fc.record({ act: fc.constant('revert'), revision: anyRevision, gapMs }) },
);

const names = catalogue.map(({ name }) => name);

for (const { name: engine, createStore, scaleRuns } of ENGINES) {
  describe(`${engine}: any history of loads, retirements and reverts`, () => {
    test('equals the reference model at every revision and instant', async () => {
      const someOf = fc.shuffledSubarray(names, { minLength: 1, maxLength: 2 });
      const steps = fc.array(anyStep, { minLength: 1, maxLength: 12 });
      const queries = fc.array(anyQuery, { minLength: 4, maxLength: 8 });
      await fc.assert(
        fc.asyncProperty(someOf, steps, queries, async (some, history, asked) => {
          const datasets = catalogue.filter(({ name }) => some.includes(name));
          await using store = await createStore();
          const model = new Model();
          await play(store, model, datasets, history);
          const reader = store.reader();
          await expectLedger(reader, model, datasets);
          for (const revision of model.revisions()) {
            for (const dataset of datasets) {
              await expectPast(reader, model, dataset, revision, asked);
              await expectNetChanges(reader, model, dataset, revision);
            }
          }
          await expectInstants(reader, model);
          await expectClean(store);
        }),
        { numRuns: scaleRuns(25) },
      );
    });

    test('can be reverted one by one, the newest first, until no record is left', async () => {
      const steps = fc.array(anyStep, { minLength: 2, maxLength: 12 });
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...names), steps, async (name, history) => {
          await using store = await createStore();
          const model = new Model();
          const [dataset] = catalogue.filter((each) => each.name === name) as [Dataset];
          await play(store, model, [dataset], history);
          const publisher = store.publisher();
          for (const revision of model.revisions().slice(1).toReversed()) {
            await revertRevision(publisher, catalogue, { revision, author: 'test' });
            expect(await readAll(store, dataset)).toEqual(model.texts(dataset, revision - 1));
          }
          publisher.close();
          await expectClean(store);
        }),
        { numRuns: scaleRuns(25) },
      );
    });
  });
}

async function play(
  store: Store,
  model: Model,
  datasets: readonly Dataset[],
  history: readonly Step[],
): Promise<void> {
  let atMs = Date.parse('2026-05-01T00:00:00.000Z');
  const publisher = store.publisher();
  const timed = withClock(publisher, () => new Date(atMs));
  for (const step of history) {
    atMs += step.gapMs;
    if (step.act === 'revert') {
      await playRevert(timed, model, step, atMs);
      continue;
    }
    const dataset = datasets[step.of % datasets.length] as Dataset;
    if (step.act === 'retire') await playRetire(timed, model, dataset, step, atMs);
    else await playLoad(timed, model, dataset, step, atMs);
  }
  publisher.close();
}

async function playLoad(
  publisher: Publisher,
  model: Model,
  dataset: Dataset,
  { act, touched, replace }: Loading,
  atMs: number,
): Promise<void> {
  const records = touched.map((touch) => buildRecord(dataset, touch));
  const expected = model.load(dataset, records, { replace, atMs, source: 'records.json' });
  if (act === 'publish') {
    const about = { dataset, source: 'records.json', author: 'test', replace };
    expectEntry(await publishRecords(publisher, { ...about, records }), expected);
    return;
  }
  const path = join(folder, 'records.json');
  writeFileSync(path, JSON.stringify(records));
  const files = [{ path, name: path }];
  const loaded = await loadFiles(publisher, {
    dataset,
    files,
    mapping: {},
    author: 'test',
    replace,
    ...UNLIMITED_LOAD,
  });
  expectEntry(loaded.revision, expected);
}

async function playRetire(
  publisher: Publisher,
  model: Model,
  dataset: Dataset,
  { touched }: Retiring,
  atMs: number,
): Promise<void> {
  const records = touched.map((touch) => buildRecord(dataset, touch));
  const keys = records.map((record) => formatKey(dataset, record));
  const retiring = retireRecords(publisher, { dataset, keys, author: 'test' });
  if (records.every((record) => model.holds(dataset, record))) {
    expectEntry(await retiring, model.retire(dataset, records, atMs));
  } else {
    await expect(retiring).rejects.toBeInstanceOf(PublishError);
  }
}

async function playRevert(
  publisher: Publisher,
  model: Model,
  { revision }: Reverting,
  atMs: number,
): Promise<void> {
  const reverting = revertRevision(publisher, catalogue, { revision, author: 'test' });
  const inTheWay = model.inTheWayOf(revision);
  if (inTheWay?.length === 0) {
    expectEntry((await reverting).revision, model.revert(revision, atMs));
    return;
  }
  const error = await reverting.catch((cause) => cause);
  expect(error).toBeInstanceOf(PublishError);
  const reversion = / is reverted already, by revision (\d+);/.exec(error.message)?.[1];
  if (reversion !== undefined) {
    // It alone is named, whatever else is in the way.
    expect(inTheWay).toContain(Number(reversion));
    const { source } = model.entries[Number(reversion) - 1] ?? {};
    expect(source).toBe(`revert of revision ${revision}`);
    return;
  }
  const conflicts = / by revisions? ([\d, ]+);/.exec(error.message)?.[1];
  expect(conflicts).toBe(inTheWay?.join(', '));
}

function expectEntry(revision: Revision | undefined, entry: Entry | undefined): void {
  expect(revision && pickLedgerFields(revision)).toEqual(entry && pickLedgerFields(entry));
}

type LedgerFields = Omit<Revision, 'files' | 'author' | 'sample'>;

function pickLedgerFields({ revision, dataset, publishedAt, source, ...rest }: LedgerFields) {
  const { added, corrected, retired, unchanged } = rest;
  return { revision, dataset, publishedAt, source, added, corrected, retired, unchanged };
}

async function expectLedger(
  reader: StoreReader,
  model: Model,
  datasets: readonly Dataset[],
): Promise<void> {
  const newestFirst = model.entries.toReversed();
  expect((await reader.revisions()).map(pickLedgerFields)).toEqual(
    newestFirst.map(pickLedgerFields),
  );
  for (const entry of newestFirst) {
    const dataset = datasets.find(({ name }) => name === entry.dataset) as Dataset;
    for (const limit of [1_000, 2]) {
      const changes = await reader.changes(dataset, entry.revision, limit);
      expect(changes).toEqual(model.changes(dataset, entry.revision).slice(0, limit));
    }
    expect(await reader.ledgerEntry(entry.revision)).toMatchObject(pickLedgerFields(entry));
  }
}

async function expectPast(
  reader: StoreReader,
  model: Model,
  dataset: Dataset,
  asOf: number,
  queries: readonly Query[],
): Promise<void> {
  const texts = model.texts(dataset, asOf);
  expect(await collectTexts(reader, dataset, asOf)).toEqual(texts);
  const expectRead = async (selection: Parameters<StoreReader['read']>[0], expected: string[]) => {
    const { lastKey, ...reading } = await reader.read(selection);
    const records = expected.join(',');
    expect(reading).toEqual({ revision: asOf, count: expected.length, records });
    return lastKey;
  };
  if (dataset.shape === 'series' || dataset.shape === 'reference') {
    await expectRead({ kind: 'records', dataset, asOf }, texts);
  } else if (dataset.shape === 'fund') {
    for (const id of ['fund-a', 'FUND-B', 'nobody']) {
      const mine = (text: string) => JSON.parse(text).fund_id.toLowerCase() === id.toLowerCase();
      await expectRead({ kind: 'records', dataset, identifiers: [id], asOf }, texts.filter(mine));
    }
  } else {
    for (const query of queries) {
      const { limit } = query;
      const all = model.quotes(texts, { ...query, limit: 100 });
      const selection = { kind: 'quotes', dataset, asOf, ...query } as const;
      const last = await expectRead(selection, all.slice(0, limit));
      const { date, symbol } = JSON.parse(all[limit - 1] ?? '{}');
      if (all.length > limit) expect(last).toEqual([date, symbol]);
      else expect(last).toBeUndefined();
      expect(await reader.read({ ...selection, includeTotal: true })).toMatchObject({
        total: all.length,
      });
      if (last && query.dateRange) {
        const next = all.slice(limit, 2 * limit);
        await expectRead({ ...selection, after: last }, next);
      }
    }
  }
}

/** Changes since every earlier revision, in short pages. */
async function expectNetChanges(
  reader: StoreReader,
  model: Model,
  dataset: Dataset,
  until: number,
): Promise<void> {
  const table = getStorageTable(dataset);
  const byKey = (revision: number) =>
    new Map(
      model
        .texts(dataset, revision)
        .map((text) => [JSON.stringify(getKeyValues(table, JSON.parse(text))), text]),
    );
  const after = byKey(until);
  for (let since = 0; since <= until; since++) {
    const copy = byKey(since);
    const keys: string[] = [];
    let position: NetChanges['last'];
    do {
      const filter = { since, until, limit: 1 + (since % 3), after: position };
      const { revision, changes, last } = await reader.netChanges(dataset, filter);
      expect(revision).toBe(until);
      for (const { key, old, new: replacement } of changes) {
        const name = JSON.stringify(key);
        expect(copy.get(name) ?? null).toBe(old);
        expect(replacement).not.toBe(old);
        if (replacement === null) copy.delete(name);
        else copy.set(name, replacement);
        keys.push(name);
      }
      position = last;
    } while (position);
    expect([...copy].toSorted()).toEqual([...after].toSorted());
    const order = [...new Set([...after.keys(), ...keys])].filter((name) => after.has(name));
    const listed = keys.filter((name) => after.has(name));
    expect(listed).toEqual(order.filter((name) => listed.includes(name)));
  }
}

async function readAll(store: Store, dataset: Dataset): Promise<string[]> {
  const reader = store.reader();
  const texts = await collectTexts(reader, dataset);
  reader.close();
  return texts;
}

async function collectTexts(
  reader: StoreReader,
  dataset: Dataset,
  asOf?: number,
): Promise<string[]> {
  const texts: string[] = [];
  for await (const batch of reader.records(dataset, asOf)) texts.push(...batch);
  return texts;
}

/** Asks just before, at and just after every revision. */
async function expectInstants(reader: StoreReader, model: Model): Promise<void> {
  const marks = model.entries.flatMap(({ publishedAt }) => {
    const ms = Date.parse(publishedAt);
    return [ms - 1, ms, ms + 1];
  });
  for (const ms of [0, ...marks, Date.parse('2099-01-01')]) {
    const instant = new Date(ms).toISOString();
    const { revision: found } = await reader.revisionAt(instant);
    const expected = model.entries.findLast(({ publishedAt }) => publishedAt <= instant);
    expect([instant, found?.revision]).toEqual([instant, expected?.revision]);
  }
}

async function expectClean(store: Store): Promise<void> {
  const inspector = store.inspector();
  const { faults } = await checkDatabase(inspector, catalogue);
  inspector.close();
  expect(faults).toEqual([]);
}
