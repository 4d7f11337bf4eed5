import { afterEach, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { datasets, toDeclarationRecord } from '../../src/catalogue/datasets/datasets.ts';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { holidays } from '../../src/catalogue/datasets/holidays.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { securities } from '../../src/catalogue/datasets/securities.ts';
import {
  atmTransactionsAnnualVolume as annual,
  mobileMoneyMarketShareValue as keyed,
} from '../../src/catalogue/datasets/series/index.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { createDeclaredDataset } from '../../src/catalogue/model/create-dataset.ts';
import { checkMirror } from '../../src/mirror/check-mirror.ts';
import {
  MirrorError,
  type MirrorTarget,
  openMirrorTarget,
} from '../../src/mirror/mirror-target.ts';
import { readLatestRevision } from '../../src/mirror/resume-mirror.ts';
import { writeMirror } from '../../src/mirror/write-mirror.ts';
import type { FollowedRevision, StoredLogEntry } from '../../src/store/open-store.ts';
import { closeAfterEach } from '../support/close-after-each.ts';
import { KIBOR } from '../support/declared-rates.ts';
import { readFixture } from '../support/fixtures.ts';
import { applyRevisions, readRevisions } from '../support/followed-revisions.ts';
import {
  mirrorTo,
  readExports,
  readFiles,
  readRevision,
  sortByText,
} from '../support/mirror-folder.ts';
import {
  change,
  HISTORY,
  publishHistory,
  publishSteps,
  type Step,
} from '../support/published-ledger.ts';
import { type Quote, quote } from '../support/quote-fixture.ts';
import { createStore, createTempFolder, ENGINES, type TestStore } from '../support/store.ts';

const { removing } = closeAfterEach();
const folders: string[] = [];
const createFolder = () => folders[folders.push(createTempFolder()) - 1] as string;
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** With one measure more. */
const REDECLARED = {
  ...KIBOR,
  measures: [...KIBOR.measures, { field: 'volume', title: 'Volume', unit: 'units', kind: 'flow' }],
} as typeof KIBOR;
const rate = { date: '2026-06-01', tenor: '1M', bid: 11, offer: 12 };
const [january, february, march] = ['2026-01-30', '2026-02-02', '2026-03-02'].map((date) =>
  quote({ symbol: 'A', date }),
) as [Quote, Quote, Quote];

/** Every shape, several months, fields that a declaration adds, and a dataset that is retired. */
const MONTHS: readonly Step[] = [
  ...HISTORY,
  { dataset: quotes, records: [january, february, march], day: 7 },
  { dataset: fundAllocation, records: readFixture(fundAllocation), day: 8 },
  { dataset: securities, records: readFixture(securities), day: 9 },
  { dataset: holidays, records: readFixture(holidays), day: 10 },
  {
    dataset: annual,
    records: [...readFixture(annual), { ...annual.example, year: 'FY22' }],
    day: 11,
  },
  { dataset: keyed, records: readFixture(keyed), day: 12 },
  { dataset: datasets, records: [toDeclarationRecord(REDECLARED)], day: 13 },
  {
    dataset: createDeclaredDataset(REDECLARED),
    records: [{ ...rate, date: '2026-07-01', volume: 3 }],
    day: 14,
  },
  { dataset: quotes, retired: [february], day: 15 },
  { dataset: datasets, retired: [toDeclarationRecord(REDECLARED)], day: 16 },
  { dataset: datasets, records: [toDeclarationRecord(REDECLARED)], day: 17 },
];

const REVISIONS = MONTHS.length;

async function publishMonths(store: TestStore): Promise<TestStore> {
  await publishHistory(removing(store), MONTHS);
  return store;
}

test('a mirror has the records of every revision as exports do, and verifies', async () => {
  const [store, folder] = [await publishMonths(await createStore()), createFolder()];
  const { files, ...run } = await mirrorTo(store, folder);
  expect(run).toMatchObject({ revision: REVISIONS, added: REVISIONS });
  expect(files).toBe(readFiles(folder).size + REVISIONS - 1);
  // With what was added, corrected and retired, and with the declaration, without it, and changed.
  for (const revision of [1, 4, 6, 12, 13, 16, REVISIONS]) {
    const { manifest, records } = await readRevision(folder, revision);
    const exported = await readExports(store, revision);
    expect(Object.keys(manifest.datasets)).toEqual(Object.keys(exported));
    expect(records.quotes).toEqual(exported.quotes as unknown[]);
    for (const [name, list] of Object.entries(exported))
      expect(sortByText(records[name])).toEqual(sortByText(list));
  }
  expect(await checkMirror(openMirrorTarget(folder))).toMatchObject({ faults: [] });
});

test.each(ENGINES.slice(1))('a mirror of $name has the bytes of one of SQLite', async (engine) => {
  const folder = createFolder();
  for (const { name, createStore: create } of [ENGINES[0] ?? engine, engine])
    await mirrorTo(await publishMonths(await create()), join(folder, name));
  expect(readFiles(join(folder, engine.name))).toEqual(readFiles(join(folder, 'sqlite')));
});

const RUN = { scopes: ['quotes'], since: 2 };

test('a later run writes only what is new, and months without changes keep their files', async () => {
  const [store, folder] = [await publishMonths(await createStore()), createFolder()];
  expect(await mirrorTo(store, folder, RUN)).toMatchObject({ added: REVISIONS - 1 });
  const before = readFiles(folder);
  expect(await mirrorTo(store, folder, RUN)).toMatchObject({ added: 0, files: 0, bytes: 0 });
  await publishSteps(store, [
    { dataset: quotes, records: [quote({ ...march, volume: 5 })], day: 18 },
  ]);
  const revision = REVISIONS + 1;
  expect(await mirrorTo(store, folder, RUN)).toMatchObject({ added: 1, revision });
  const added = [...readFiles(folder).keys()].filter((path) => !before.has(path));
  expect(added).toHaveLength(9);
  expect(added.filter((path) => path.startsWith('data/'))).toHaveLength(1);
  const [{ manifest: earlier }, { manifest }] = [
    await readRevision(folder, REVISIONS),
    await readRevision(folder, revision),
  ];
  expect(manifest.since).toBe(2);
  expect(manifest.datasets.quotes?.months).toEqual([
    '2026-01',
    '2026-03',
    quote({}).date.slice(0, 7),
  ]);
  const changed = manifest.datasets.quotes?.files.filter(
    (path, index) => path !== earlier.datasets.quotes?.files[index],
  );
  expect(changed).toEqual(added.filter((path) => path.startsWith('data/')));
  for (const [path, bytes] of before)
    if (path !== 'latest.json') expect(readFiles(folder).get(path)).toEqual(bytes);
});

test('what does not suit the database, or the mirror as it is, is refused, and nothing is written', async () => {
  const [store, folder] = [removing(await createStore()), createFolder()];
  await publishHistory(store);
  await mirrorTo(store, folder, RUN);
  const before = readFiles(folder);
  const refuse = (message: string, options = {}, source: TestStore = store) =>
    expect(mirrorTo(source, folder, { ...RUN, ...options })).rejects.toThrow(message);
  await refuse('it has quotes, not everything: give the same --scopes', { scopes: ['*'] });
  await refuse(
    'no dataset has the scope "quots"; there are alternate, datasets, funds, public, quotes',
    { scopes: ['quots'] },
  );
  await refuse('it begins with 2, not 1', { since: 1 });
  await refuse('--since is 99, but the newest revision is 6', { since: 99 });
  const empty = removing(await createStore());
  await refuse('nothing can be mirrored before the next publication', {}, empty);
  // With fewer revisions, and with others.
  await publishHistory(empty, HISTORY.slice(0, 3));
  await refuse('its revision 6 is of another history', {}, empty);
  await publishSteps(empty, [...HISTORY.slice(3, -1), { ...HISTORY[0], day: 6 } as Step]);
  await refuse('its revision 6 is of another history', {}, empty);
  expect(readFiles(folder)).toEqual(before);
});

test('changes that another run has left are not in a mirror whose scopes exclude them', async () => {
  const [store, folder] = [removing(await createStore()), createFolder()];
  await publishHistory(store);
  await mirrorTo(store, folder);
  rmSync(join(folder, 'latest.json'));
  await expect(mirrorTo(store, folder, { scopes: ['datasets'] })).rejects.toThrow(
    'it has changes that --scopes leaves out: give an empty target',
  );
  expect(await mirrorTo(store, folder)).toMatchObject({ added: HISTORY.length });
});

test.each([
  [
    `UPDATE quotes_now SET record = replace(record, '"volume":', '"volume":1')`,
    'has other changes than its entry in the log',
  ],
  [`UPDATE revisions SET source = 'other' WHERE revision = 4`, 'is not as the log has it'],
  [
    `UPDATE revision_digests SET checkpoint = 'x' || checkpoint WHERE revision = 4`,
    'has no checkpoint that a key of the log has signed',
  ],
])('a revision that was altered by %s is not mirrored', async (sql, message) => {
  const [store, folder] = [removing(await createStore()), createFolder()];
  await publishHistory(store);
  await change(store, sql);
  await expect(
    mirrorTo(store, folder, { scopes: ['quotes', 'datasets'], since: 4 }),
  ).rejects.toThrow(`revision 4 ${message}`);
  expect([...readFiles(folder).keys()]).not.toContain('latest.json');
});

test('a run that ends at any of its writes leaves revisions that are complete, and the next goes on', async () => {
  const [store, folder] = [removing(await createStore()), createFolder()];
  await publishHistory(store, HISTORY.slice(0, 2));
  const revisions = new Set<number>();
  for (let [writes, isComplete] = [0, false]; !isComplete; writes++) {
    // Writes that had begun before one failed may still go on.
    const address = join(folder, String(writes));
    const target = openMirrorTarget(address);
    isComplete = await writeUpTo(store, target, writes);
    const revision = await readLatestRevision(target);
    revisions.add(revision);
    if (revision > 0) expect((await checkMirror(target)).faults).toEqual([]);
    if (writes % 5 > 0) continue;
    expect(await mirrorTo(store, address)).toMatchObject({ revision: 2, added: 2 - revision });
    expect((await checkMirror(target)).faults).toEqual([]);
  }
  expect([...revisions]).toEqual([0, 1, 2]);
});

/** Mirrors with a target that fails after so many writes; returns whether it was not needed. */
async function writeUpTo(store: TestStore, target: MirrorTarget, writes: number): Promise<boolean> {
  let count = 0;
  const write: MirrorTarget['write'] = async (path, chunks) => {
    if (++count > writes) throw new MirrorError('full');
    return target.write(path, chunks);
  };
  const reader = store.reader();
  try {
    await writeMirror({ target: { ...target, write }, reader, catalogue, scopes: ['*'] });
    return true;
  } catch (cause) {
    if (cause instanceof MirrorError) return false;
    throw cause;
  } finally {
    reader.close();
  }
}

test('two runs at once leave one complete mirror', async () => {
  const [store, folder] = [removing(await createStore()), createFolder()];
  await publishHistory(store);
  await Promise.all([mirrorTo(store, folder), mirrorTo(store, folder)]);
  const checked = await checkMirror(openMirrorTarget(folder));
  expect(checked).toMatchObject({ revision: HISTORY.length, faults: [] });
});

test('a database that follows another one is mirrored as far as it may read that', async () => {
  const [source, follower] = [removing(await createStore()), removing(await createStore())];
  await publishHistory(source);
  const revisions = await readRevisions(source, HISTORY.length);
  const { checkpoint, keys } = revisions[4] as FollowedRevision;
  const reader = source.reader();
  const { digest } = (await reader.logEntry(5)) as StoredLogEntry;
  reader.close();
  const publishedAt = '2026-08-05T00:00:00.000Z';
  revisions[4] = { revision: 5, digest, publishedAt, checkpoint, keys };
  await applyRevisions(follower, ...revisions);
  const folder = createFolder();
  // Funds would have no records in such a mirror.
  for (const scopes of [['*'], ['quotes', 'funds']])
    await expect(mirrorTo(follower, join(folder, 'all'), { scopes })).rejects.toThrow(
      'only this may be read: --scopes datasets,public,quotes',
    );
  const scopes = ['quotes', 'datasets'];
  await mirrorTo(source, join(folder, 'source'), { scopes });
  await mirrorTo(follower, join(folder, 'follower'), { scopes });
  expect(readFiles(join(folder, 'follower'))).toEqual(readFiles(join(folder, 'source')));
});
