import { afterAll, beforeAll, expect, test } from 'bun:test';
import {
  appendFileSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { publishHistory } from '../support/published-ledger.ts';
import { quote } from '../support/quote-fixture.ts';
import { runTenor } from '../support/run-tenor.ts';
import { createStore, createTempFolder, type SqliteTestStore } from '../support/store.ts';

let [store, folder, target]: [SqliteTestStore, string, string] = [] as never;
beforeAll(async () => {
  store = await createStore();
  await publishHistory(store);
  folder = createTempFolder();
  target = join(folder, 'mirror');
});
afterAll(async () => {
  await store.remove();
  rmSync(folder, { recursive: true });
});

const mirror = (...args: string[]) => runTenor(['mirror', ...args], { DATABASE_URL: store.url });
const readJson = (path: string) => JSON.parse(readFileSync(join(target, path), 'utf8'));

test('says how many revisions it has written, and that there is nothing to write', async () => {
  const first = await mirror(target);
  expect(first).toMatchObject({ status: 0, err: '' });
  expect(first.out).toMatch(
    /^\S+ has 6 new revisions, up to 6: \d+ files, [\d,]+ bytes, in \d\.\d s\.\n$/,
  );
  expect(readJson('latest.json')).toEqual({ revision: 6 });
  expect((await mirror(target)).out).toBe(`${target} already has revision 6.\n`);
  const json = JSON.parse((await mirror(target, '--json')).out);
  expect(json).toEqual({
    target,
    revision: 6,
    added: 0,
    files: 0,
    bytes: 0,
    seconds: json.seconds,
  });
});

test('names the keys up to the one that signed each checkpoint', async () => {
  await runTenor(['ledger', 'rotate-key'], { DATABASE_URL: store.url });
  await store.publish(quotes, [quote({ symbol: 'R' })]);
  expect((await mirror(target)).out).toContain('has 1 new revision, up to 7');
  const all = join(folder, 'all');
  await mirror(all, '--since', '6');
  expect(readJson('revisions/7/keys.json').data.keys).toHaveLength(2);
  // It was signed again by the new key.
  expect(readJson('../all/revisions/6/keys.json').data.keys).toHaveLength(2);
  expect(readJson('revisions/6/keys.json').data.keys).toHaveLength(1);
  expect(await mirror(target, '--check')).toMatchObject({ status: 0, err: '' });
});

test('--check names what is missing or altered, and its exit status is 1 then', async () => {
  const intact = await mirror(target, '--check');
  expect(intact.out).toMatch(
    / is complete up to revision 7: \d+ files of data, the log and its changes were verified\.\n$/,
  );
  const [altered = '', removed = ''] = readdirSync(join(target, 'data'));
  appendFileSync(join(target, 'data', altered), ' ');
  rmSync(join(target, 'data', removed));
  rmSync(join(target, 'revisions/2/checkpoint'));
  rmSync(join(target, 'revisions/3/manifest.json'));
  writeFileSync(join(target, 'changes/4.ndjson'), '');
  const cut = [
    ...['revisions/4/checkpoint', 'revisions/5/keys.json', 'revisions/6/datapackage.json'],
    ...['ledger/tile/0/000.p/3', 'ledger/tile/entries/000.p/5'],
  ];
  for (const path of cut) truncateSync(join(target, path), 30);
  const faults = await mirror(target, '--check');
  expect(faults).toMatchObject({ status: 1, out: '' });
  for (const part of [
    `The file data/${altered} with records of `,
    `The mirror has no data/${removed}`,
    'the mirror has no revisions/2/checkpoint',
    'the mirror has no revisions/3/manifest.json',
    'revision 4 of quotes changed are not those of the log',
    ...cut.map((path) => `${path} is damaged`),
  ])
    expect(faults.err).toContain(part);
  const json = await mirror(target, '--check', '--json');
  expect(json.status).toBe(1);
  expect(JSON.parse(json.out).faults.length).toBeGreaterThanOrEqual(5);
});

test.each([
  [['--since', '0'], 2, '--since must be the number of a revision, not "0"'],
  [['--scopes', 'a b'], 2, '--scopes must be words such as'],
  [['--scopes', 'quots'], 1, 'no dataset has the scope "quots"; there are'],
  [['--since', '99'], 1, '--since is 99, but the newest revision is 7'],
  [['--check', '--since', '2'], 2, '--check and --since cannot be combined'],
  [['--check'], 1, 'there is no mirror at this address'],
] as const)('%j is rejected', async (args, status, message) => {
  const rejected = await mirror(join(folder, 'none'), ...args);
  expect(rejected).toMatchObject({ status, out: '' });
  expect(rejected.err).toContain(message);
});

test('a target is required, and is no file', async () => {
  expect(await mirror()).toMatchObject({
    status: 2,
    err: expect.stringContaining('TARGET is required'),
  });
  const file = await mirror(store.path);
  expect(file).toMatchObject({
    status: 1,
    err: `tenor: ${store.path}: this is a file; a mirror needs a folder\n`,
  });
});
