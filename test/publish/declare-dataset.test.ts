import { afterEach, beforeEach, expect, test } from 'bun:test';
import { catalogue } from '../../src/catalogue/index.ts';
import { createDeclaredDataset } from '../../src/catalogue/model/create-dataset.ts';
import type { Declaration } from '../../src/catalogue/model/declaration.ts';
import { declareDatasets, retireDataset } from '../../src/publish/declare-dataset.ts';
import { revertRevision } from '../../src/publish/revert-revision.ts';
import type { Publisher } from '../../src/store/open-store.ts';
import { createKiborStore, KIBOR, KIBOR_RECORDS } from '../support/declared-rates.ts';
import type { TestStore } from '../support/store.ts';

let store: TestStore;
let publisher: Publisher;
beforeEach(async () => {
  store = await createKiborStore();
  publisher = store.publisher();
});
afterEach(async () => {
  publisher.close();
  await store.remove();
});

const author = 'test';
const declare = (...declarations: readonly Declaration[]) =>
  declareDatasets(publisher, { declarations, source: 'test', author });
const revert = (revision: number) => revertRevision(publisher, catalogue, { revision, author });
const NEXT: Declaration = { ...KIBOR, name: 'kibor-next', supersedes: 'kibor' };

test('a declaration whose measure was used is not reverted, though the records are gone', async () => {
  const [bid, offer] = KIBOR.measures;
  const mid = { field: 'mid', title: 'Mid', unit: 'percent', kind: 'rate' } as const;
  const withMid = { ...KIBOR, measures: [bid, offer, mid] } as Declaration;
  await declare(withMid);
  await store.publish(
    createDeclaredDataset(withMid),
    KIBOR_RECORDS.map((record) => ({ ...record, mid: 1 })),
  );
  await publisher.publish({
    dataset: createDeclaredDataset(withMid),
    replace: true,
    source: 'test',
    author,
  });
  await expect(revert(3)).rejects.toThrow(
    'kibor had records since, by revision 5, and $.measures[2] must be mid',
  );
});

test('a dataset is declared again after the one that it supersedes was retired', async () => {
  await declare(NEXT);
  await retireDataset(publisher, { name: 'kibor', author, withRecords: true });
  expect(await declare(NEXT)).toBeUndefined();
  expect(await declare({ ...NEXT, title: 'Rates' })).toMatchObject({ corrected: 1 });
});

test('a problem of one of several declarations names its file', async () => {
  const files = ['a.json', 'b.json'].map((name) => ({ name, bytes: 1, sha256: '' }));
  const declarations = [NEXT, { ...KIBOR, scope: 'desk' }];
  await expect(
    declareDatasets(publisher, { declarations, files, source: 'test', author }),
  ).rejects.toThrow('nothing was published: b.json: $.scope must be "datasets"');
});

test('two datasets cannot take the place of each other', async () => {
  const other: Declaration = { ...KIBOR, name: 'other', supersedes: NEXT.name };
  await expect(declare(NEXT, other, { ...KIBOR, supersedes: 'other' })).rejects.toThrow(
    '$.supersedes must be another: kibor takes its place',
  );
  await declare(NEXT, other);
  await expect(declare({ ...KIBOR, supersedes: 'other' })).rejects.toThrow(
    '$.supersedes must be another: other takes its place',
  );
  await expect(declare({ ...KIBOR, name: 'another', supersedes: 'none' })).rejects.toThrow(
    'there is no none',
  );
});

test('a retired name returns with its own scope and units only, though it has no records left', async () => {
  await retireDataset(publisher, { name: 'kibor', author, withRecords: true });
  const measures = KIBOR.measures.map((measure) => ({ ...measure, unit: 'bp' }));
  for (const [change, problem] of [
    [{ scope: 'desk' }, '$.scope must be "datasets"'],
    [{ measures }, '$.measures[0].unit must be "percent"'],
  ] as const)
    await expect(declare({ ...KIBOR, ...change } as Declaration)).rejects.toThrow(problem);
  expect(await declare(KIBOR)).toMatchObject({ added: 1 });
});

test('a declaration whose dataset has records is not reverted', async () => {
  await expect(revert(1)).rejects.toThrow(
    `nothing was published: kibor has ${KIBOR_RECORDS.length} records, and would no longer be declared`,
  );
  await publisher.publish({
    dataset: createDeclaredDataset(KIBOR),
    replace: true,
    source: 'test',
    author,
  });
  expect((await revert(1)).revision).toMatchObject({ retired: 1 });
});
