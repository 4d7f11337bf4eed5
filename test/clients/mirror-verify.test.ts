import { afterAll, beforeAll, expect, test } from 'bun:test';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ReadFile } from '../../src/client/mirror/mirror-files.ts';
import { verifyMirror } from '../../src/client/mirror/open-mirror.ts';
import type { KeyReplacement } from '../../src/store/publisher.ts';
import { mirrorTo } from '../support/mirror-folder.ts';
import { HISTORY, publishHistory, publishSteps } from '../support/published-ledger.ts';
import { createStore, createTempFolder, type TestStore } from '../support/store.ts';
import { verifyStore } from './verify-store.ts';

const folder = createTempFolder();
let store: TestStore;
beforeAll(async () => {
  store = await createStore();
  await publishHistory(store);
  await mirrorTo(store, join(folder, 'all'));
});
afterAll(async () => {
  await store.remove();
  rmSync(folder, { recursive: true });
});

/** Reads a mirror, some of whose files have other contents, or are not there. */
function readFrom(name: string, altered: Readonly<Record<string, string | null>> = {}): ReadFile {
  return async (path) => {
    const file = join(folder, name, path);
    const contents = path in altered ? altered[path] : existsSync(file) && readFileSync(file);
    return contents ? new Response(contents) : new Response(null, { status: 404 });
  };
}

async function findProblem(altered: Readonly<Record<string, string | null>>, options = {}) {
  const error = await verifyMirror(readFrom('all', altered), options).catch((cause) => cause);
  return error.problems?.[0] ?? error;
}

const SIZE = HISTORY.length;
const manifestPath = `revisions/${SIZE}/manifest.json`;
const readText = (path: string) => readFileSync(join(folder, 'all', path), 'utf8');

test('a mirror is verified as its server is, with the state of each other', async () => {
  const mirrored = await verifyMirror(readFrom('all'));
  expect(mirrored).toMatchObject({ size: SIZE, firstRevision: 1, revisionsChecked: SIZE });
  expect(mirrored.unreadableRevisions).toEqual([]);
  const served = await verifyStore(store, { state: mirrored.state });
  expect(served.datasets.quotes).toBe(3);
  expect(mirrored.datasets).toMatchObject(served.datasets);
  const again = await verifyMirror(readFrom('all'), { state: served.state });
  expect(again).toMatchObject({ previousSize: SIZE, datasets: mirrored.datasets });
  const logOnly = { logOnly: true, state: served.state };
  expect(await verifyMirror(readFrom('all'), logOnly)).toMatchObject({ previousSize: SIZE });
});

test('a mirror that grew is verified with the state of before', async () => {
  const { state } = await verifyMirror(readFrom('all', readEarlier(4)));
  expect(state.size).toBe(4);
  expect(await verifyMirror(readFrom('all'), { state })).toMatchObject({ previousSize: 4 });
  const other = await createStore();
  await publishHistory(other, [...HISTORY.slice(0, 3), ...HISTORY.slice(4, 5)]);
  const { state: rewritten } = await verifyStore(other, { datasets: ['quotes'] });
  await other.remove();
  expect(await findProblem({}, { state: rewritten })).toMatchObject({ problem: 'rewritten' });
  // An old latest.json alone may come from a cache.
  const { state: newest } = await verifyMirror(readFrom('all'));
  expect(await verifyMirror(readFrom('all', readEarlier(4)), { state: newest })).toMatchObject({
    size: SIZE,
  });
  const shorter = { ...readEarlier(4), [manifestPath]: null };
  expect(await findProblem(shorter, { state: newest })).toMatchObject({ kind: 'behind' });
});

/** The mirror as it was at a revision. */
const readEarlier = (size: number) => ({ 'latest.json': JSON.stringify({ revision: size }) });

test('a mirror with some scopes is verified: other revisions are in the log, and no more is known', async () => {
  await mirrorTo(store, join(folder, 'quotes'), { scopes: ['quotes'] });
  const result = await verifyMirror(readFrom('quotes'));
  expect(result).toMatchObject({ revisionsChecked: 4, unreadableRevisions: [3, 5] });
  expect(Object.keys(result.datasets).sort()).toEqual([
    ...['coupon-rates', 'datasets', 'holidays', 'quotes', 'securities'],
  ]);
});

test('a mirror that begins later is verified from there on, and says so', async () => {
  await mirrorTo(store, join(folder, 'later'), { since: 3 });
  const result = await verifyMirror(readFrom('later'));
  expect(result).toMatchObject({ firstRevision: 3, revisionsChecked: 4, unreadableRevisions: [] });
  expect(result.datasets).toMatchObject({ quotes: 3, kibor: 2 });
});

test('a mirror goes on with a replaced key, and with a log that was begun again', async () => {
  await using other = await createStore();
  await publishHistory(other, HISTORY.slice(0, 4));
  const target = join(folder, 'keys');
  const publishNext = async (replacement: KeyReplacement, step: number) => {
    const publisher = other.publisher();
    const { key } = await publisher.replaceLedgerKey(replacement);
    publisher.close();
    const { state } = await verifyStore(other, { datasets: ['quotes'] });
    const unchanged = await verifyMirror(readFrom('keys'), { state }).catch((cause) => cause);
    await publishSteps(other, HISTORY.slice(step, step + 1));
    await mirrorTo(other, target);
    return { key, state, unchanged };
  };
  await mirrorTo(other, target);
  const rotated = await publishNext({}, 4);
  // It has the checkpoint as the key before signed it, which says the same.
  expect(rotated.unchanged).toMatchObject({ key: rotated.key, previousSize: 4 });
  const { state } = await verifyMirror(readFrom('keys'), { state: rotated.state });
  expect(state.key).toBe(rotated.key);
  const behind = readFrom('keys', { ...readEarlier(3), 'revisions/5/manifest.json': null });
  expect(await verifyMirror(behind, { state }).catch((cause) => cause)).toMatchObject({
    kind: 'behind',
    message: expect.stringContaining('its log has 3 revisions'),
  });
  const restarted = await publishNext({ name: 'prices.example/second' }, 5);
  const alarm = await verifyMirror(readFrom('keys'), { state }).catch((cause) => cause);
  expect(alarm.problems[0].problem).toBe('restarted');
  const acceptRestart = 'prices.example/second';
  const accepted = await verifyMirror(readFrom('keys'), { state, acceptRestart });
  expect(accepted).toMatchObject({ key: restarted.key, size: SIZE, previousSize: 5 });
  expect(accepted.restart).toMatchObject({ commonSize: 5, isSigned: true });
  const first = await verifyMirror(readFrom('keys', readEarlier(4)));
  expect(first.size).toBe(4);
});

test.each([
  ['changes/4.ndjson', 'altered-changes'],
  ['revisions/2/entry.json', 'missing-entry'],
  [`ledger/tile/0/000.p/${SIZE}`, 'damaged-tile'],
])('a mirror without %s is an alarm: %s', async (path, problem) => {
  expect(await findProblem({ [path]: null })).toMatchObject({ problem });
});

test('a mirror with other records than were published is an alarm', async () => {
  const { files } = JSON.parse(readText(manifestPath)).datasets.quotes;
  const altered = { problem: 'altered-data', dataset: 'quotes' };
  expect(await findProblem({ [files[0]]: 'other' })).toMatchObject({
    ...altered,
    message: `The file ${files[0]} with records of quotes has other bytes than its name says.`,
  });
  expect(await findProblem({ [files[0]]: null })).toMatchObject(altered);
  const earlier = JSON.parse(readText('revisions/3/manifest.json')).datasets.quotes.files;
  const replaced = readText(manifestPath).replace(files[0], earlier[0]);
  expect(await findProblem({ [manifestPath]: replaced })).toMatchObject(altered);
});

test('a manifest leads to no other files than those of its mirror', async () => {
  const { files } = JSON.parse(readText(manifestPath)).datasets.quotes;
  for (const path of ['https://other.example/x', '../secret', 'data/x.parquet']) {
    const manifest = readText(manifestPath).replace(files[0], path);
    expect(await findProblem({ [manifestPath]: manifest })).toMatchObject({
      message: `"${path}" is no data file of a mirror`,
    });
  }
});

test('a file that is no Parquet is named by its dataset', async () => {
  const { files } = JSON.parse(readText(manifestPath)).datasets.quotes;
  const path = `data/${Bun.SHA256.hash('text', 'hex')}.parquet`;
  const manifest = readText(manifestPath).replace(files[0], path);
  const problem = await findProblem({ [manifestPath]: manifest, [path]: 'text' });
  expect(problem.message).toStartWith('a file with records of quotes cannot be read: ');
});

test('an address without a mirror is no alarm', async () => {
  for (const latest of [null, '<html>', '{}'])
    expect(await findProblem({ 'latest.json': latest })).toMatchObject({
      kind: 'not_found',
      message: 'there is no mirror at this address: it has no latest.json with a revision',
    });
});
